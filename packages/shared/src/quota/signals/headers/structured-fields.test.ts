import { expect, test } from 'vitest'
import { parseDictionary, parseItemList } from './structured-fields.ts'

function show(text: string): unknown {
  return parseItemList(text)?.map(({ value, parameters }) => [
    value,
    Object.fromEntries(parameters),
  ])
}

test('a list of strings, tokens and numbers with parameters', () => {
  expect(show('"a\\"b";q=1;w=2.5, tok;x;y=?0 ,3;z=:YWJj:')).toEqual([
    ['a"b', { q: 1, w: 2.5 }],
    ['tok', { x: true, y: false }],
    [3, { z: ':YWJj:' }],
  ])
})

test.each(['', ',', '"a",', '"a', 'a;', 'a;=1', '"a" "b"', '(a b)', 'a;q=', '?2', '\u00e9'])(
  'the malformed list %j is nothing',
  (text) => {
    expect(parseItemList(text)).toBeNull()
  },
)

test('a dictionary of items', () => {
  const members = parseDictionary('limit=100, remaining=50;x, flag')
  expect(members?.get('limit')?.value).toBe(100)
  expect(members?.get('remaining')?.parameters.get('x')).toBe(true)
  expect(members?.get('flag')?.value).toBe(true)
  expect(parseDictionary('limit=')).toBeNull()
})
