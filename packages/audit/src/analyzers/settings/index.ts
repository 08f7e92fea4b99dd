import type { SnapshotFile } from '../../snapshot/index.ts'
import type { Analyzer, AnalyzerContext, AnalyzerOutcome, AnalyzerResult } from '../analyzer.ts'
import { maskRanges } from '../mask-ranges.ts'
import { finishResults } from '../results.ts'
import { LineIndex } from '../source-text.ts'
import { composeChecks } from './compose-checks.ts'
import { credentialChecks } from './credential-checks.ts'
import { dockerfileChecks } from './dockerfile-checks.ts'
import { packageChecks } from './package-checks.ts'
import type { SettingCheck, SettingMatch } from './setting-check.ts'
import { decideTarget, SettingFile } from './setting-file.ts'
import { workflowChecks } from './workflow-checks.ts'

export const settingChecks: readonly SettingCheck[] = [
  ...workflowChecks,
  ...dockerfileChecks,
  ...composeChecks,
  ...packageChecks,
  ...credentialChecks,
]

/** Risky settings of workflows, containers and packages, and files that only hold credentials. */
export const settingsAnalyzer: Analyzer = {
  id: 'settings',
  version: '1',
  title: 'Workflow, container and package settings',
  scope: 'file',
  covers: ({ path, kind, kindReason, bytes }) =>
    kind !== 'vendored' &&
    !/\btests?\b/.test(kindReason) &&
    bytes <= byteLimit &&
    decideTarget(path) !== undefined,
  run: (context) => Promise.resolve(checkFiles(context)),
}

/** No settings file that a person wrote is larger. */
const byteLimit = 512 * 1024

function checkFiles(context: AnalyzerContext): AnalyzerOutcome {
  const results = context.files.flatMap((file) => {
    context.signal.throwIfAborted()
    return checkFile(file, context.readText(file))
  })
  return { kind: 'ran', results: finishResults(results) }
}

function checkFile({ path }: SnapshotFile, text: string): AnalyzerResult[] {
  const target = decideTarget(path)
  const file = new SettingFile(path, text)
  const lines = new LineIndex(text)
  return settingChecks
    .filter((check) => check.target === target)
    .flatMap((check) => check.find(file).map((match) => report(file, check, match, lines)))
}

function report(
  { path, text }: SettingFile,
  check: SettingCheck,
  { offset, detail, secret }: SettingMatch,
  lines: LineIndex,
): AnalyzerResult {
  const line = lines.lineAt(offset)
  const quote =
    secret === undefined ? lines.quoteAt(offset) : maskRanges(text, lines.rangeOf(line), [secret])
  return {
    ruleId: check.id,
    title: check.title,
    category: 'settings',
    lens: check.target === 'credentials' ? 'security' : 'config_deployment',
    severity: check.severity,
    confidence: check.standing === 'finding' ? 'high' : 'low',
    cwe: check.cwe,
    path,
    lineStart: line,
    lineEnd: line,
    quote,
    ...(secret === undefined ? {} : { isRedacted: true }),
    summary: detail === undefined ? check.message : `${check.message} ${detail}`,
    suggestion: check.suggestion,
    standing: check.standing,
  }
}
