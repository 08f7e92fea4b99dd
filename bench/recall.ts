/*
 * Recall of the bundled analyzers on published packages with a known vulnerability (bench/data/npm-sinks.jsonl), and
 * how much they say per thousand lines there, beside oxlint and eslint-plugin-security on the same files.
 * Flags: --json, --cache=DIR (default in the system's temporary directory), --only=PACKAGE, --show (every finding).
 */
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { loadAnalyzers } from '../packages/audit/src/analyzers/index.ts'
import { takeSnapshot } from '../packages/audit/src/snapshot/index.ts'
import { fetchPackage, installTools } from './recall/package-cache.ts'
import { type Score, scoreTool } from './recall/score.ts'
import { readSinks, type Sink } from './recall/sinks.ts'
import { eslintPackages, runEslint, runOurs, runOxlint, type Subject } from './recall/tools.ts'

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
    alone: { type: 'boolean', default: false },
    cache: { type: 'string', default: join(tmpdir(), 'audit-tools-bench') },
    only: { type: 'string' },
  },
})

const scriptFile = /(?<!\.d)\.[cm]?[jt]sx?$/

async function readSubject(sink: Sink): Promise<Subject> {
  const snapshot = await takeSnapshot({
    root: fetchPackage(flags.cache, sink.package, sink.version),
    repository: null,
    exclude: [],
    includeUntracked: false,
    signal: new AbortController().signal,
  })
  const isJudged = (path: string, kind: string): boolean =>
    scriptFile.test(path) && (kind === 'source' || kind === 'config' || path === sink.file)
  const files = snapshot.files.filter(({ path, kind }) => isJudged(path, kind))
  return { snapshot, files: files.map(({ path }) => path) }
}

function countLines({ snapshot, files }: Subject): number {
  const judged = new Set(files)
  return snapshot.files.reduce((sum, { path, lines }) => sum + (judged.has(path) ? lines : 0), 0)
}

function renderTable(scores: readonly Score[]): string {
  const classes = Object.keys(scores[0]?.byClass ?? {})
  const head = ['tool', 'file', 'line', 'develop', 'check', ...classes, 'said', 'per kloc', 'CPU s']
  const rows = scores.map((score) => [
    score.tool,
    `${score.fileHits}/${score.sinks}`,
    `${score.lineHits}/${score.sinks}`,
    score.byPart['develop'] ?? '',
    score.byPart['check'] ?? '',
    ...classes.map((name) => score.byClass[name] ?? ''),
    String(score.remarks),
    score.remarksPerKloc.toFixed(2),
    score.cpuSeconds.toFixed(1),
  ])
  const table = [head, head.map(() => '---'), ...rows]
  return table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

mkdirSync(flags.cache, { recursive: true })
const sinks = readSinks(new URL('data/npm-sinks.jsonl', import.meta.url)).filter(
  (sink) => flags.only === undefined || sink.package === flags.only,
)
const subjects: Subject[] = []
for (const sink of sinks) subjects.push(await readSubject(sink))
const kloc = subjects.reduce((sum, subject) => sum + countLines(subject), 0) / 1000
const ours = await runOurs(subjects, await loadAnalyzers({}))
const runs = [ours.findings, ours.leads]
if (!flags.alone) {
  runs.push(runOxlint(subjects, flags.cache))
  runs.push(runEslint(subjects, installTools(flags.cache, eslintPackages)))
}
const scores = runs.map((run) => scoreTool(run, sinks, kloc))
if (flags.show) {
  for (const [index, sink] of sinks.entries()) {
    if (sink.part === 'check') continue
    for (const { file, lineStart, rule } of ours.findings.remarks[index] ?? []) {
      console.log(`${sink.package} ${file}:${lineStart} ${rule}`)
    }
  }
}
if (flags.json) console.log(JSON.stringify({ packages: sinks.length, kloc, scores }, null, 2))
else {
  console.log(
    `${sinks.length} sinks in ${kloc.toFixed(1)} thousand lines of JavaScript and TypeScript\n`,
  )
  console.log(renderTable(scores))
  console.log(`\nMissed at line, development part: ${scores[0]?.missed.join('; ') || 'none'}`)
}
