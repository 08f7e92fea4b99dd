import type { SourceModel } from './model.ts'
import {
  type FunctionNode,
  type IdentifierNode,
  isFunctionNode,
  type Node,
  readMemberName,
} from './syntax.ts'

/** The expression a variable holds when it is given a value only once; not another variable. */
export function findOnlyValue(model: SourceModel, variable: IdentifierNode): Node | undefined {
  const [write, ...others] = model.bindings.get(variable)?.writes ?? []
  if (write?.value.kind !== 'expression' || others.length > 0) return undefined
  return write.value.node.type === 'Identifier' ? undefined : write.value.node
}

/** Methods of strings and arrays, which a function of the same name in the file does not replace. */
const builtInMethods = new Set(
  'get set has map filter forEach join split slice replace concat keys values match push pop shift toString'.split(
    ' ',
  ),
)

/** The one function of this file that a callee stands for, when the file leaves no doubt. */
export function findFunction(model: SourceModel, callee: Node): FunctionNode | undefined {
  if (isFunctionNode(callee)) return callee
  if (callee.type === 'MemberExpression') {
    const name = readMemberName(callee) ?? ''
    const functions = model.memberFunctions.get(name)
    return functions?.length === 1 && !builtInMethods.has(name) ? functions[0] : undefined
  }
  const value = callee.type === 'Identifier' ? findOnlyValue(model, callee) : undefined
  return value !== undefined && isFunctionNode(value) ? value : undefined
}
