// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 180 kinds of nodes, each rule asks about a few
import type { Binding, Write } from './bindings.ts'
import { isFunctionNode, isInside, type Node, parentOf } from './syntax.ts'

/**
 * The writes whose value a use of the variable may see: the last one that always runs before it, and what may run
 * after that one. Loops and closures keep later writes too.
 */
export function findReachingWrites(binding: Binding, use: Node): Write[] {
  const anchor = findAnchor(binding, use)
  const isClosure = anchor !== use
  let killer: Write | undefined
  for (const write of binding.writes) {
    if (!dominates(write, anchor)) continue
    if (killer === undefined || write.at.start >= killer.at.start) killer = write
  }
  return binding.writes.filter((write) => {
    if (write === killer) return true
    if (killer !== undefined && write.at.end <= killer.at.start) return false
    if (write.at.start < anchor.start)
      return !isInside(anchor, write.at) || isInLoopWith(write, anchor)
    return isClosure || isInLoopWith(write, anchor)
  })
}

/** The use itself, or the function around it that stands directly in the variable's home. */
function findAnchor(binding: Binding, use: Node): Node {
  let anchor = use
  for (
    let node = parentOf(use);
    node !== undefined && node !== binding.home;
    node = parentOf(node)
  ) {
    if (isFunctionNode(node)) anchor = node
  }
  return anchor
}

function dominates(write: Write, anchor: Node): boolean {
  if (write.at.end > anchor.start) return false
  if (isFunctionNode(write.at)) return true
  let node = write.at
  for (let parent = parentOf(node); parent !== undefined; parent = parentOf(node)) {
    switch (parent.type) {
      case 'BlockStatement':
      case 'Program':
      case 'StaticBlock':
      case 'SwitchCase':
        return isInside(anchor, parent)
      case 'ExpressionStatement':
      case 'VariableDeclaration':
      case 'VariableDeclarator':
      case 'AssignmentExpression':
      case 'SequenceExpression':
      case 'ExportNamedDeclaration':
        node = parent
        break
      case 'ForStatement':
        return parent.init === node && isInside(anchor, parent)
      default:
        return isFunctionNode(parent) && isInside(anchor, parent)
    }
  }
  return true
}

const loopTypes = new Set([
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
])

function isInLoopWith(write: Write, anchor: Node): boolean {
  for (let node = parentOf(anchor); node !== undefined; node = parentOf(node)) {
    if (isFunctionNode(node)) return false
    if (loopTypes.has(node.type) && isInside(write.at, node)) return true
  }
  return false
}
