import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { readSystemErrorCode, systemRandom } from '@audit-tools/shared/core'
import { captureProcess } from '@audit-tools/shared/process'
import { makeDirectory, removeDirectory, writeFileAtomic } from '@audit-tools/shared/store'

import { lintRules } from './lint-rules.ts'
import { type LintRemark, parseLintReport } from './parse-report.ts'

export type LintOutcome =
  | { readonly kind: 'ran'; readonly remarks: readonly LintRemark[] }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

export interface LintOptions {
  readonly root: string
  /** Names as the file system has them, relative to the root, `/` between the parts. */
  readonly paths: readonly string[]
  readonly signal: AbortSignal
}

/** An argument list above this is split: macOS gives a process 1 MB for arguments and environment together. */
const argumentBytes = 400_000
const timeoutMs = 120_000
const outputBytes = 256 * 1024 * 1024

/**
 * Runs the bundled oxlint over the named files with our rules only: no configuration and no ignore file of the
 * repository is read, and oxlint loads no code from it.
 */
export async function runOxlint(options: LintOptions): Promise<LintOutcome> {
  const program = findOxlint()
  if (program === undefined)
    return { kind: 'missing', reason: 'the oxlint package is not installed' }
  const folder = join(tmpdir(), `audit-tools-oxlint-${systemRandom.hex(8)}`)
  makeDirectory(folder)
  try {
    const config = join(folder, 'oxlint.json')
    writeFileAtomic(config, JSON.stringify(renderConfig()))
    const remarks: LintRemark[] = []
    for (const paths of splitPaths(options.paths)) {
      const args = [program, '-c', config, ...fixedFlags, ...paths.map((path) => `./${path}`)]
      const outcome = await runChunk(args, options)
      if (outcome.kind !== 'ran') return outcome
      remarks.push(...outcome.remarks)
    }
    return { kind: 'ran', remarks }
  } finally {
    removeDirectory(folder)
  }
}

const fixedFlags = ['--disable-nested-config', '--no-ignore', '--format', 'json']

function findOxlint(): string | undefined {
  const require = createRequire(import.meta.url)
  try {
    return join(dirname(require.resolve('oxlint/package.json')), 'bin', 'oxlint')
  } catch (error) {
    if (readSystemErrorCode(error) === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

function renderConfig(): object {
  return {
    plugins: ['typescript', 'unicorn', 'oxc'],
    categories: { correctness: 'off' },
    rules: Object.fromEntries(lintRules.map(({ name }) => [name, 'error'])),
  }
}

function splitPaths(paths: readonly string[]): string[][] {
  const chunks: string[][] = []
  let room = 0
  for (const path of paths) {
    const bytes = Buffer.byteLength(path) + 12
    if (bytes > room) {
      chunks.push([])
      room = argumentBytes
    }
    chunks.at(-1)?.push(path)
    room -= bytes
  }
  return chunks
}

async function runChunk(
  args: readonly string[],
  { root, signal }: LintOptions,
): Promise<LintOutcome> {
  const outcome = await captureProcess({
    command: process.execPath,
    args,
    cwd: root,
    env: {},
    totalTimeoutMs: timeoutMs,
    maxStdoutBytes: outputBytes,
    signal,
  })
  signal.throwIfAborted()
  if (outcome.kind === 'spawn_failed') return { kind: 'failed', reason: outcome.message }
  if (outcome.kind !== 'exited')
    return { kind: 'failed', reason: `oxlint ended by ${outcome.kind}` }
  const remarks = parseLintReport(outcome.stdout.toString('utf8'))
  if (remarks !== undefined) return { kind: 'ran', remarks }
  const said = outcome.stderr.trim().slice(-300)
  return { kind: 'failed', reason: `oxlint printed no report (exit ${outcome.exitCode}): ${said}` }
}
