import type { SgNode } from '@ast-grep/napi'

import type { AnalyzerResult } from '../analyzer.ts'
import type { RegexJudge } from '../javascript/index.ts'
import { LineIndex } from '../source-text.ts'
import { goFaultRules } from './packs/go-faults.ts'
import { goInjectionRules } from './packs/go-injection.ts'
import { javaFaultRules } from './packs/java-faults.ts'
import { javaInjectionRules } from './packs/java-injection.ts'
import { javascriptRules } from './packs/javascript.ts'
import { pythonFaultRules } from './packs/python-faults.ts'
import { pythonInjectionRules } from './packs/python-injection.ts'
import type { PatternCase, PatternRule } from './pattern-rule.ts'
import type { RuleLanguage } from './rule.ts'

export const patternRules: readonly PatternRule[] = [
  ...javascriptRules,
  ...pythonInjectionRules,
  ...pythonFaultRules,
  ...goInjectionRules,
  ...goFaultRules,
  ...javaInjectionRules,
  ...javaFaultRules,
]

/** Finds what the ast-grep matchers of the pack match in one file; parsed only when a rule's words occur in it. */
export type PatternFinder = (path: string, text: string, language: RuleLanguage) => AnalyzerResult[]

/** Loads ast-grep with the grammars that are not built into it. */
export async function loadPatternFinder(judge: RegexJudge): Promise<PatternFinder> {
  const [{ parse, registerDynamicLanguage }, python, go, java] = await Promise.all([
    import('@ast-grep/napi'),
    import('@ast-grep/lang-python'),
    import('@ast-grep/lang-go'),
    import('@ast-grep/lang-java'),
  ])
  registerDynamicLanguage({ python: python.default, go: go.default, java: java.default })
  return (path, text, language) => {
    const rules = patternRules.filter(
      (rule) => rule.languages.includes(language) && rule.needs.test(text),
    )
    if (rules.length === 0) return []
    const root = parse(chooseGrammar(path, language), text).root()
    const lines = new LineIndex(text)
    return rules.flatMap((rule) =>
      matchRule(rule, root, judge).map((match) => report(path, rule, match, lines)),
    )
  }
}

/** Whether any rule of a language has its words in a text: cheap, and false for most files. */
export function needsPatterns(text: string, language: RuleLanguage): boolean {
  return patternRules.some((rule) => rule.languages.includes(language) && rule.needs.test(text))
}

function chooseGrammar(path: string, language: RuleLanguage): string {
  if (language === 'javascript') return 'JavaScript'
  if (language === 'typescript') return path.endsWith('.tsx') ? 'Tsx' : 'TypeScript'
  return language
}

interface PatternMatch {
  readonly node: SgNode
  readonly patternCase: PatternCase
}

function matchRule(rule: PatternRule, root: SgNode, judge: RegexJudge): PatternMatch[] {
  const lines = new Set<number>()
  const matches: PatternMatch[] = []
  for (const patternCase of rule.cases) {
    for (const node of root.findAll({ rule: patternCase.matcher })) {
      // The surest case of a line speaks for it; calls within calls are one fault.
      const { line } = node.range().start
      if (lines.has(line) || !isSlowRegex(node, patternCase, judge)) continue
      lines.add(line)
      matches.push({ node, patternCase })
    }
  }
  return matches
}

function isSlowRegex(node: SgNode, { regexVariable }: PatternCase, judge: RegexJudge): boolean {
  if (regexVariable === undefined) return true
  const literal = node.getMatch(regexVariable)?.text()
  const source = literal === undefined ? undefined : readRegexLiteral(literal)
  return source !== undefined && judge(source, '')?.growth === 'exponential'
}

/** The pattern in a Python or Java string literal; escapes that only the string needs are undone. */
function readRegexLiteral(literal: string): string | undefined {
  const match = /^([a-zA-Z]*)("""|'''|"|')([\s\S]*)\2$/.exec(literal)
  if (match === null) return undefined
  const [, prefix = '', , body = ''] = match
  return prefix.toLowerCase().includes('r') ? body : body.replaceAll('\\\\', '\\')
}

function report(
  path: string,
  rule: PatternRule,
  { node, patternCase: { verdict } }: PatternMatch,
  lines: LineIndex,
): AnalyzerResult {
  const { start } = node.range()
  const line = lines.lineAt(start.index)
  return {
    ruleId: rule.id,
    title: rule.title,
    category: rule.category,
    lens: rule.lens,
    severity: verdict.severity,
    confidence: verdict.confidence,
    cwe: rule.cwe,
    path,
    lineStart: line,
    lineEnd: line,
    quote: lines.quoteAt(start.index),
    summary: rule.message,
    suggestion: rule.suggestion,
    standing: verdict.standing,
  }
}
