import { setImmediate } from 'node:timers/promises'

import { detach, limitGarbage } from '@audit-tools/shared/core'

import type {
  Analyzer,
  AnalyzerContext,
  AnalyzerOutcome,
  AnalyzerResult,
  SkippedFile,
} from '../analyzer.ts'
import { loadRegexJudge, mayHoldFaults } from '../javascript/index.ts'
import { finishResults } from '../results.ts'
import { analyseJavaScript } from './javascript-rules.ts'
import { decideRuleLanguage } from './languages.ts'
import { loadPatternFinder, needsPatterns, type PatternFinder } from './pattern-rules.ts'

/** The rule pack: sinks and common faults in JavaScript, TypeScript, Python, Go and Java. */
export const rulesAnalyzer: Analyzer = {
  id: 'rules',
  version: '1',
  title: 'Bundled rule pack',
  scope: 'file',
  covers: (file) =>
    (file.kind === 'source' || file.kind === 'config') &&
    decideRuleLanguage(file.path) !== undefined,
  run: runRules,
}

/** A larger file is a bundle or a data set: its parse would cost more than all others together. */
const byteLimit = 1024 * 1024

/** A syntax tree with its bindings is this many times as large as its text. */
const treeFactor = 60

/** Lets a stop request through between this many files. */
const filesPerTurn = 64

async function runRules(context: AnalyzerContext): Promise<AnalyzerOutcome> {
  const judge = await loadRegexJudge()
  let patterns: PatternFinder | undefined
  const results: AnalyzerResult[] = []
  const skipped: SkippedFile[] = []
  for (const [index, file] of context.files.entries()) {
    if (index % filesPerTurn === 0) await setImmediate()
    context.signal.throwIfAborted()
    const language = decideRuleLanguage(file.path)
    if (language === undefined) continue
    if (file.bytes > byteLimit) {
      skipped.push({ path: file.path, reason: 'larger than 1 MB' })
      continue
    }
    const text = context.readText(file)
    const isJavaScript = language === 'javascript' || language === 'typescript'
    if (isJavaScript && mayHoldFaults(text, judge)) {
      const outcome = analyseJavaScript(file.path, text, judge)
      if (outcome.kind === 'analysed') results.push(...detach(outcome.results))
      else skipped.push({ path: file.path, reason: outcome.reason })
      limitGarbage(treeFactor * file.bytes)
    }
    if (!needsPatterns(text, language)) continue
    patterns ??= await loadPatternFinder(judge)
    results.push(...detach(patterns(file.path, text, language)))
  }
  return { kind: 'ran', results: finishResults(results), skipped }
}
