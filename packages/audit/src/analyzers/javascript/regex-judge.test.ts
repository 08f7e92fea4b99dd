import { expect, test } from 'vitest'
import { measureGrowth } from '../../../test/support/measure-growth.ts'

import { listRegexLiterals } from './prescan.ts'
import { loadRegexJudge } from './regex-judge.ts'

test('the growth of a pattern is told apart: exponential, polynomial, by rescanning, or with the input only', async () => {
  const judge = await loadRegexJudge()
  const growthOf = (source: string): string | undefined => judge(source, '')?.growth
  expect(growthOf('^(a+)+$')).toBe('exponential')
  expect(growthOf('^(\\w+\\s?)*$')).toBe('exponential')
  expect(growthOf('^\\d*\\.?\\d+$')).toBe('polynomial')
  expect(growthOf('\\s+$')).toBe('scan')
  for (const safe of ['^\\s+', 'a{1,3}', '^[a-z]+$', '^(?:a|b)*c$', 'abc']) {
    expect(growthOf(safe)).toBeUndefined()
  }
})

test('a pattern of another engine, or longer than any that a person writes, is not judged', async () => {
  const judge = await loadRegexJudge()
  expect(judge('(?P<name>a+)+', '')).toBeUndefined()
  expect(judge(`(${'a+|'.repeat(5000)}b)+`, '')).toBeUndefined()
})

test('patterns are found in a text without parsing it, wherever an expression may start', () => {
  const text = `const a = /a+/g, b = [/b/i, /[/]c/]\nf(/d\\//u)\nreturn /e/\nx = y / 2 / z\n// /not/ this\n`
  expect([...listRegexLiterals(text)]).toEqual([
    { source: 'a+', flags: 'g' },
    { source: 'b', flags: 'i' },
    { source: '[/]c', flags: '' },
    { source: 'd\\/', flags: 'u' },
    { source: 'e', flags: '' },
  ])
  const long = [...listRegexLiterals(`a = /${'b'.repeat(2000)}/`)]
  expect(long).toEqual([{ source: undefined, flags: '' }])
})

test('a text of slashes and brackets takes time in proportion to its length', async () => {
  for (const piece of ['/', '/[', '(/a', '\\', '/\\', '=/[a]']) {
    const list = (text: string): unknown => [...listRegexLiterals(text)]
    expect(await measureGrowth(piece.repeat(200_000), list), piece).toBeLessThan(10)
  }
})
