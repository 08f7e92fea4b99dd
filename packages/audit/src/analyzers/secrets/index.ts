import { detach } from '@audit-tools/shared/core'

import type { SnapshotFile } from '../../snapshot/index.ts'
import type { Analyzer, AnalyzerContext, AnalyzerOutcome, AnalyzerResult } from '../analyzer.ts'
import { finishResults } from '../results.ts'
import { LineIndex } from '../source-text.ts'
import { secretKinds, unnamedSecret } from './kinds.ts'
import { type HiddenRange, maskRanges } from '../mask-ranges.ts'
import { mayHoldSecret } from '../secret-marks.ts'
import { type FoundSecret, loadSecretScanner, type SecretScanner } from './scan-secrets.ts'

/** secretlint's recommended rules: keys, tokens and passwords that were committed. */
export const secretsAnalyzer: Analyzer = {
  id: 'secrets',
  version: '11.7-1',
  title: 'secretlint, recommended rules',
  scope: 'file',
  covers: () => true,
  run: scanFiles,
}

async function scanFiles(context: AnalyzerContext): Promise<AnalyzerOutcome> {
  let scan: SecretScanner | undefined
  const results: AnalyzerResult[] = []
  for (const file of context.files) {
    context.signal.throwIfAborted()
    const text = context.readText(file)
    if (!mayHoldSecret(text)) continue
    scan ??= await loadSecretScanner()
    const found = await scan(file.path, text)
    results.push(...detach(reportFile(file, text, found)))
  }
  return { kind: 'ran', results: finishResults(results) }
}

/** One result for each kind of secret on a line. */
function reportFile(
  file: SnapshotFile,
  text: string,
  found: readonly FoundSecret[],
): AnalyzerResult[] {
  const lines = new LineIndex(text)
  const hidden = found.flatMap((secret) => secret.hidden)
  const byPlace = new Map<string, AnalyzerResult>()
  for (const secret of found) {
    const place = `${lines.lineAt(secret.start)} ${secret.messageId}`
    if (!byPlace.has(place)) byPlace.set(place, report(file, secret, { text, lines, hidden }))
  }
  return [...byPlace.values()]
}

interface ScannedText {
  readonly text: string
  readonly lines: LineIndex
  readonly hidden: readonly HiddenRange[]
}

/** Secrets in tests and documents are often made up; whether this one is, somebody has to see. */
function isLikelyMadeUp({ kind, kindReason }: SnapshotFile): boolean {
  return kind === 'test' || kind === 'docs' || kind === 'vendored' || /\btests?\b/.test(kindReason)
}

/** Of a longer line only what stands around the secret is quoted. */
const quoteLimit = 240
const quoteMargin = 60

/** The line with every secret on it replaced by asterisks. */
function quoteLine({ start, end }: FoundSecret, { text, lines, hidden }: ScannedText): string {
  const line = lines.rangeOf(lines.lineAt(start))
  if (line.end - line.start <= quoteLimit) return maskRanges(text, line, hidden)
  const part = {
    start: Math.max(line.start, start - quoteMargin),
    end: Math.min(line.end, end + quoteMargin),
  }
  return maskRanges(text, part, hidden)
}

function report(file: SnapshotFile, secret: FoundSecret, scanned: ScannedText): AnalyzerResult {
  const { lines } = scanned
  const kind = secretKinds[secret.messageId] ?? unnamedSecret
  const line = lines.lineAt(secret.start)
  const isMadeUp = isLikelyMadeUp(file)
  return {
    ruleId: `secretlint/${secret.messageId}`,
    title: kind.title,
    category: 'secrets',
    lens: 'security',
    severity: isMadeUp ? 'medium' : 'high',
    confidence: isMadeUp ? 'low' : 'medium',
    cwe: 'CWE-798',
    path: file.path,
    lineStart: line,
    lineEnd: lines.lineAt(Math.max(secret.start, secret.end - 1)),
    quote: quoteLine(secret, scanned),
    isRedacted: true,
    summary:
      'Everybody who can read the repository or any copy of its history can use it. Its value is not shown here.',
    suggestion: kind.suggestion,
    standing: isMadeUp ? 'lead' : 'finding',
  }
}
