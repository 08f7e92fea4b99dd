import type { SourceModel } from './model.ts'
import { isNumeric } from './numbers.ts'
import { type Node, readString } from './syntax.ts'

/** Fields of an options object are rarely keys, unless their name says so. */
const keyNames = /key|name|prop|path|field|id|type|attr/i

/** Names of counters and positions. */
const numberNames =
  /^(i|j)$|^(index|idx)|(idx|index|line|column|count|offset|depth|level|row|col|size|pos|position)$/i

/** Whether a computed key may be any text: no constant, no number, no field of an options object. */
export function isChosenKey(model: SourceModel, key: Node): boolean {
  if (key.type === 'Identifier' && numberNames.test(key.name)) return false
  if (key.type === 'Literal' || readString(key) !== undefined) return false
  if (key.type === 'MemberExpression' && !key.computed && !keyNames.test(key.property.name))
    return false
  return !isNumeric(model, key)
}
