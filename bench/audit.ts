/* What one deterministic audit costs, on published packages and on a large repository made of them. */
import { execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { fetchPackage } from './recall/package-cache.ts'

const bin = join(import.meta.dirname, '../packages/audit/dist/bin.js')
const cache = join(tmpdir(), 'audit-tools-bench')
const asJson = process.argv.includes('--json')
const withLarge = !process.argv.includes('--small')

const subjects = ['@hapi/hapi@18.4.0', 'mongoose@5.9.0', 'eslint@6.8.0']
const parts = [
  ...subjects,
  'async@3.2.0',
  'webpack@4.44.0',
  'fastify@2.15.0',
  'lodash@4.17.15',
  'highlight.js@10.0.0',
  'karma@5.0.0',
  'ajv@6.12.0',
]
const LARGE_FILES = 27_000

interface Cost {
  readonly cpuSeconds: number
  readonly wallSeconds: number
  /** Largest resident size of any one process. */
  readonly peakMegabytes: number
}

interface Row {
  readonly subject: string
  readonly files: number
  readonly sourceBytes: number
  readonly first: Cost
  readonly second: Cost
  readonly wallRatio: number
  readonly artifactBytes: number
}

const rows: Row[] = []
for (const subject of subjects) rows.push(await measure(subject, makeRepository([subject])))
if (withLarge)
  rows.push(await measure(`${LARGE_FILES} files of published packages`, makeLargeRepository()))
const version = await compareVersion()

if (asJson) console.log(JSON.stringify({ rows, version }, null, 2))
else printTable()

async function measure(subject: string, root: string): Promise<Row> {
  const before = listFiles(root)
  const home = mkdtempSync(join(tmpdir(), 'audit-bench-home-'))
  const first = await run([bin, 'run', '--root', root, '--quiet'], home)
  const second = await run([bin, 'run', '--root', root, '--quiet'], home)
  const artifacts = listFiles(join(root, '.audit-tools'))
  rmSync(root, { recursive: true })
  rmSync(home, { recursive: true })
  return {
    subject,
    files: before.count,
    sourceBytes: before.bytes,
    first,
    second,
    wallRatio: first.wallSeconds / second.wallSeconds,
    artifactBytes: artifacts.bytes,
  }
}

/** `--version` against bare node, alternating, by the fastest of each: what is left is what we add. */
async function compareVersion(): Promise<{ versionMs: number; nodeMs: number; ratio: number }> {
  let [versionMs, nodeMs] = [Infinity, Infinity]
  for (let round = 0; round < 15; round += 1) {
    versionMs = Math.min(versionMs, (await run([bin, '--version'])).wallSeconds * 1000)
    nodeMs = Math.min(nodeMs, (await run(['-e', '0'])).wallSeconds * 1000)
  }
  return { versionMs, nodeMs, ratio: versionMs / nodeMs }
}

async function run(args: readonly string[], home = tmpdir()): Promise<Cost> {
  const started = performance.now()
  // bash's own clock counts the processor time of the whole tree.
  const child = spawn(
    'bash',
    ['-c', 'TIMEFORMAT="%U %S"; time "$@" >/dev/null', 'bash', process.execPath, ...args],
    {
      env: { PATH: process.env['PATH'] ?? '', HOME: home },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  let peakKilobytes = 0
  const sampler = setInterval(() => {
    peakKilobytes = Math.max(peakKilobytes, readPeak(child.pid ?? 0))
  }, 50)
  const code = await new Promise((resolve) => {
    child.on('close', resolve)
  })
  clearInterval(sampler)
  if (code !== 0) throw new Error(`exit code ${String(code)} of ${args.join(' ')}: ${stderr}`)
  const [user = 0, system = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
  return {
    cpuSeconds: user + system,
    wallSeconds: (performance.now() - started) / 1000,
    peakMegabytes: peakKilobytes / 1024,
  }
}

/** Largest VmHWM of a process and what it started. */
function readPeak(rootPid: number): number {
  const parents = new Map<number, number>()
  const peaks = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0))
      peaks.set(Number(name), Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0))
    } catch {
      // The process ended between the listing and the read.
      continue
    }
  }
  const belongs = (pid: number): boolean =>
    pid === rootPid || (pid > 1 && belongs(parents.get(pid) ?? 0))
  return Math.max(0, ...[...peaks].filter(([pid]) => belongs(pid)).map(([, peak]) => peak))
}

function makeRepository(packages: readonly string[], copies = 1): string {
  const root = mkdtempSync(join(tmpdir(), 'audit-bench-'))
  for (let copy = 0; copy < copies; copy += 1) {
    for (const name of packages) {
      const target =
        copies === 1 && packages.length === 1
          ? root
          : join(root, `copy-${copy}`, name.replace('/', '-'))
      mkdirSync(target, { recursive: true })
      const at = name.lastIndexOf('@')
      cpSync(fetchPackage(cache, name.slice(0, at), name.slice(at + 1)), target, {
        recursive: true,
      })
    }
  }
  if (copies === 1) commit(root)
  return root
}

/** Copies of real packages, each file with a line of its own so that no two are equal. */
function makeLargeRepository(): string {
  const one = makeRepository(parts, 1)
  const perCopy = listFiles(one).count
  rmSync(one, { recursive: true })
  const root = makeRepository(parts, Math.ceil(LARGE_FILES / perCopy))
  let number = 0
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(js|ts|mjs)$/.test(entry.name)) continue
    number += 1
    appendFileSync(join(entry.parentPath, entry.name), `\n// ${number}\n`)
  }
  commit(root)
  return root
}

function commit(root: string): void {
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org', ...args], {
      cwd: root,
    })
  }
  git('init', '-q')
  git('add', '-A')
  git('commit', '-q', '-m', 'import')
}

function listFiles(root: string): { count: number; bytes: number } {
  let [count, bytes] = [0, 0]
  if (!existsSync(root)) return { count, bytes }
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.includes('/.git')) continue
    count += 1
    bytes += lstatSync(join(entry.parentPath, entry.name)).size
  }
  return { count, bytes }
}

function printTable(): void {
  console.log(
    '| subject | files | source | CPU first | wall first | peak of a process | wall second | first / second | artifacts |',
  )
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const row of rows) {
    const cells = [
      row.subject,
      row.files,
      `${(row.sourceBytes / 1e6).toFixed(2)} MB`,
      `${row.first.cpuSeconds.toFixed(2)} s`,
      `${row.first.wallSeconds.toFixed(2)} s`,
      `${row.first.peakMegabytes.toFixed(0)} MB`,
      `${row.second.wallSeconds.toFixed(2)} s`,
      row.wallRatio.toFixed(1),
      `${(row.artifactBytes / 1e6).toFixed(2)} MB`,
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
  console.log(
    `\n\`audit-code --version\`: ${version.versionMs.toFixed(0)} ms, bare node ${version.nodeMs.toFixed(0)} ms, ratio ${version.ratio.toFixed(2)}`,
  )
}
