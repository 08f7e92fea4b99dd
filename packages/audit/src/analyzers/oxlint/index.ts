import { detach, groupBy } from '@audit-tools/shared/core'

import type { SnapshotFile } from '../../snapshot/index.ts'
import type { Analyzer, AnalyzerContext, AnalyzerOutcome, AnalyzerResult } from '../analyzer.ts'
import { finishResults } from '../results.ts'
import { LineIndex } from '../source-text.ts'
import { type LintRule, lintRules } from './lint-rules.ts'
import type { LintRemark } from './parse-report.ts'
import { runOxlint } from './run-oxlint.ts'

/** The bundled oxlint: mistakes of JavaScript and TypeScript that are wrong wherever they stand. */
export const oxlintAnalyzer: Analyzer = {
  id: 'oxlint',
  version: '1.94.0-1',
  title: 'oxlint, rules of correctness',
  scope: 'file',
  covers: ({ path, kind, bytes }) =>
    (kind === 'source' || kind === 'config') &&
    bytes <= byteLimit &&
    /(?<!\.d)\.([cm]?[jt]sx?|vue|svelte|astro)$/.test(path),
  run: runLint,
}

/** Larger files are bundles. */
const byteLimit = 2 * 1024 * 1024

async function runLint(context: AnalyzerContext): Promise<AnalyzerOutcome> {
  const files = new Map(context.files.map((file) => [file.diskPath ?? file.path, file]))
  const outcome = await runOxlint({
    root: context.root,
    paths: [...files.keys()],
    signal: context.signal,
  })
  if (outcome.kind !== 'ran') return outcome
  const remarksOf = groupBy(outcome.remarks, ({ filename }) => filename)
  const results = [...remarksOf].flatMap(([filename, remarks]) => {
    const file = files.get(filename)
    return file === undefined ? [] : detach(reportFile(file, context.readText(file), remarks))
  })
  return { kind: 'ran', results: finishResults(results) }
}

function reportFile(
  file: SnapshotFile,
  text: string,
  remarks: readonly LintRemark[],
): AnalyzerResult[] {
  const bytes = Buffer.from(text)
  const lines = new LineIndex(text)
  return remarks.flatMap((remark) => {
    const rule = lintRules.find(({ name }) => name === remark.rule)
    if (rule === undefined) return []
    const offset = bytes.subarray(0, remark.byteOffset).toString('utf8').length
    return [
      report(file, rule, remark, { line: lines.lineAt(offset), quote: lines.quoteAt(offset) }),
    ]
  })
}

function report(
  file: SnapshotFile,
  rule: LintRule,
  remark: LintRemark,
  place: { readonly line: number; readonly quote: string },
): AnalyzerResult {
  const { line, quote } = place
  return {
    ruleId: `oxlint/${rule.name}`,
    title: rule.title,
    category: 'correctness',
    lens: 'correctness',
    severity: rule.severity,
    confidence: rule.standing === 'finding' ? 'high' : 'medium',
    path: file.path,
    lineStart: line,
    lineEnd: line,
    quote,
    summary: remark.message.endsWith('.') ? remark.message : `${remark.message}.`,
    ...(remark.help === undefined ? {} : { suggestion: remark.help }),
    standing: rule.standing,
  }
}
