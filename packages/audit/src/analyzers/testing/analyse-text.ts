import type { SnapshotFile } from '../../snapshot/index.ts'
import type { Analyzer, AnalyzerResult } from '../analyzer.ts'

/** Runs an analyzer on one text as if a snapshot held it under this path. */
export async function analyseText(
  analyzer: Analyzer,
  path: string,
  text: string,
  kind: SnapshotFile['kind'] = 'source',
): Promise<AnalyzerResult[]> {
  const file: SnapshotFile = {
    path,
    bytes: Buffer.byteLength(text),
    lines: text.split(/\r\n|\r|\n/).length,
    hash: '',
    language: null,
    kind,
    kindReason: '',
  }
  if (!analyzer.covers(file)) return []
  const outcome = await analyzer.run({
    root: '/nowhere',
    files: [file],
    readText: () => text,
    signal: new AbortController().signal,
  })
  if (outcome.kind !== 'ran') throw new Error(JSON.stringify(outcome))
  return [...outcome.results]
}
