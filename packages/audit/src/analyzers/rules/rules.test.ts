import { expect, test } from 'vitest'

import type { AnalyzerResult } from '../analyzer.ts'
import { loadRegexJudge } from '../javascript/index.ts'
import { analyseText } from '../testing/analyse-text.ts'
import { flowRules } from './flow-rules.ts'
import { patternRules } from './pattern-rules.ts'
import type { RuleInfo, RuleLanguage } from './rule.ts'
import { rulesAnalyzer } from './index.ts'
import {
  exponentialRegexRule,
  polynomialRegexRule,
  prototypePollutionRule,
  scanningRegexRule,
} from './structure-rules.ts'

const allRules: readonly RuleInfo[] = [
  ...flowRules,
  ...patternRules,
  prototypePollutionRule,
  exponentialRegexRule,
  polynomialRegexRule,
  scanningRegexRule,
]

const extensions: Record<RuleLanguage, string> = {
  javascript: 'js',
  typescript: 'ts',
  python: 'py',
  go: 'go',
  java: 'java',
}

function run(rule: RuleInfo, text: string, language: RuleLanguage): Promise<AnalyzerResult[]> {
  return analyseText(rulesAnalyzer, `src/fixture.${extensions[language]}`, text)
}

test('every rule has an id of its own', () => {
  const ids = allRules.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

for (const rule of allRules) {
  for (const language of rule.languages) {
    test(`${rule.id} finds its positive ${language} fixture and leaves its negative one alone`, async () => {
      expect(rule.positive.trim()).not.toBe('')
      expect(rule.negative.trim()).not.toBe('')
      const found = await run(rule, rule.positive, language)
      const own = found.filter(({ ruleId }) => ruleId === rule.id)
      expect(own.length).toBeGreaterThan(0)
      for (const { quote, cwe, title, lineStart } of own) {
        expect(rule.positive).toContain(quote)
        expect({ cwe, title }).toEqual({ cwe: rule.cwe, title: rule.title })
        expect(lineStart).toBeGreaterThan(0)
      }
      const spared = await run(rule, rule.negative, language)
      expect(spared.filter(({ ruleId }) => ruleId === rule.id)).toEqual([])
    })
  }
}

test('the pack covers injection, traversal, pollution, formats, patterns, cryptography and dropped errors', () => {
  const cwes = new Set(allRules.map(({ cwe }) => cwe))
  for (const cwe of [
    'CWE-78',
    'CWE-94',
    'CWE-89',
    'CWE-22',
    'CWE-1321',
    'CWE-502',
    'CWE-1333',
    'CWE-327',
    'CWE-390',
  ]) {
    expect(cwes).toContain(cwe)
  }
})

test('results do not depend on the order of files or on the run', async () => {
  await loadRegexJudge()
  const texts = allRules.filter(({ languages }) => languages.includes('javascript'))
  const once = await Promise.all(texts.map((rule) => run(rule, rule.positive, 'javascript')))
  const again = await Promise.all(
    texts.toReversed().map((rule) => run(rule, rule.positive, 'javascript')),
  )
  expect(again.toReversed()).toEqual(once)
})
