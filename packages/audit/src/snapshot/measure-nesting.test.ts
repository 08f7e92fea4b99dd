import { expect, test } from 'vitest'
import { measureGrowth } from '../../test/support/measure-growth.ts'

import { isNestedTooDeep } from './measure-nesting.ts'

const levels = 4000

test.each([
  ['brackets', `${'['.repeat(levels)}${']'.repeat(levels)}`],
  ['blocks', `${'{'.repeat(levels)}${'}'.repeat(levels)}`],
  ['templates', `${'`${'.repeat(levels)}1${'}`'.repeat(levels)}`],
  ['arrow functions', `${'()=>'.repeat(levels)}1`],
  ['conditions', `${'a?b:'.repeat(levels)}c`],
  ['else branches', `${'if(a){}else '.repeat(levels)};`],
  ['tags', `${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`],
  ['type arguments', `type A = ${'M<a,'.repeat(levels)}a${'>'.repeat(levels)}`],
  ['brackets after an apostrophe', `<p>don't ${'{['.repeat(levels)}`],
])('%s thousands deep are too deep', (_name, text) => {
  expect(isNestedTooDeep(text)).toBe(true)
})

test.each([
  ['statements', 'const a = b(c) + d.e({ f: [1, 2] })\n'],
  ['statements with semicolons', 'if (a < b && c > d) { e = f ? g : h; }\n'],
  [
    'elements',
    'const view = (<p className="x">don\'t<br/>{list.map((x) => <b key={x}>{x}</b>)}</p>);\n',
  ],
  ['types', 'type A<B> = Map<string, Array<B>>;\n'],
  ['brackets in strings and comments', 'f("[[[(", \'{{{\'); // ((((( \n/* [[[[ */\n'],
])('many %s are not', (_name, line) => {
  expect(isNestedTooDeep(line.repeat(800))).toBe(false)
})

test('a long line of quotes and slashes takes time in proportion to its length', async () => {
  for (const piece of ["\\'", '"\\', '/', '/*/', '`${']) {
    expect(await measureGrowth(piece.repeat(500_000), isNestedTooDeep), piece).toBeLessThan(10)
  }
})
