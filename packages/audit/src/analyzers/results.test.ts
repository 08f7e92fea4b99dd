import { expect, test } from 'vitest'

import type { AnalyzerResult } from './analyzer.ts'
import { finishResults } from './results.ts'

function makeResult(over: Partial<AnalyzerResult>): AnalyzerResult {
  return {
    ruleId: 'rule',
    title: 'Title',
    category: 'category',
    lens: 'security',
    severity: 'low',
    confidence: 'high',
    path: 'a.js',
    summary: 'Summary.',
    standing: 'finding',
    ...over,
  }
}

test('results are ordered by path, line, rule and text', () => {
  const results = [
    makeResult({ path: 'b.js', lineStart: 1 }),
    makeResult({ path: 'a.js', lineStart: 10 }),
    makeResult({ path: 'a.js', lineStart: 9, ruleId: 'z' }),
    makeResult({ path: 'a.js', lineStart: 9, ruleId: 'a' }),
  ]
  const ordered = finishResults(results)
  expect(ordered.map(({ path, lineStart, ruleId }) => `${path} ${lineStart} ${ruleId}`)).toEqual([
    'a.js 9 a',
    'a.js 9 z',
    'a.js 10 rule',
    'b.js 1 rule',
  ])
  expect(finishResults(results.toReversed())).toEqual(ordered)
})

test('a password or a token on a line that another rule quotes is masked', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`
  const [url, key, plain] = finishResults([
    makeResult({ lineStart: 1, quote: `run("mysql://bob:hunter22@db/" + name)` }),
    makeResult({ lineStart: 2, quote: `exec("x ${token} " + name)`, summary: `${token} flows.` }),
    makeResult({ lineStart: 3, quote: 'exec("git log " + aRatherLongVariableNameOfOurs)' }),
  ])
  expect(url).toMatchObject({ quote: 'run("mysql://bob:****@db/" + name)', isRedacted: true })
  expect(key).toMatchObject({
    quote: 'exec("x **** " + name)',
    summary: '**** flows.',
    isRedacted: true,
  })
  expect(plain?.quote).toContain('aRatherLongVariableNameOfOurs')
  expect(plain).not.toHaveProperty('isRedacted')
})
