import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { type CliOptions, type CliResult, makeDirectory } from '../harness.ts'

const bin = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'dist', 'bin.js')

export interface RunningCli {
  readonly child: ChildProcess
  readonly result: Promise<CliResult>
}

/** Starts the built `audit-code` while this process goes on, as a test with servers of its own needs. */
export function startAuditCode(args: readonly string[], options: CliOptions = {}): RunningCli {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: { PATH: process.env['PATH'] ?? '', HOME: makeDirectory('home'), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { child, result: collect(child) }
}

/** Runs a command line as a shell does: printed commands must work word for word. */
export function startShell(line: string, options: CliOptions = {}): RunningCli {
  const child = spawn('/bin/sh', ['-c', line], {
    cwd: options.cwd ?? tmpdir(),
    env: { PATH: process.env['PATH'] ?? '', HOME: makeDirectory('home'), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { child, result: collect(child) }
}

async function collect(child: ChildProcess): Promise<CliResult> {
  const output = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...output }))
  })
}
