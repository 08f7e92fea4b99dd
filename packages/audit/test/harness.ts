import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const bin = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist', 'bin.js')

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** A prefix such as `['setpriv', '--reuid=1000']`. */
  readonly wrapper?: readonly string[]
}

/** One HOME, empty at first, for all calls of a test file: what the tool remembers of a repository lives there. */
const home = makeDirectory('home')

/** Runs the built `audit-code` as a stranger's shell would: with nothing else in the environment. */
export function runAuditCode(args: readonly string[], options: CliOptions = {}): CliResult {
  const [command, ...rest] = [...(options.wrapper ?? []), process.execPath, bin]
  const result = spawnSync(command, [...rest, ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: { PATH: process.env['PATH'] ?? '', HOME: home, ...options.env },
    encoding: 'utf8',
    input: '',
    maxBuffer: 256 * 1024 * 1024,
    timeout: 240_000,
  })
  if (result.error) throw result.error
  return { code: result.status, stdout: result.stdout, stderr: result.stderr }
}

/** A new empty directory below the system's temporary one. */
export function makeDirectory(name: string): string {
  return mkdtempSync(join(tmpdir(), `audit-code-${name}-`))
}

export type Files = Readonly<Record<string, string | Uint8Array>>

export function writeFiles(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

/** A real git repository with one commit of the files. */
export function makeRepository(files: Files): string {
  const root = makeDirectory('repository')
  git(root, 'init', '-q', '-b', 'main')
  writeFiles(root, files)
  commitAll(root)
  return root
}

export function commitAll(root: string, message = 'change'): void {
  git(root, 'add', '-A')
  git(root, 'commit', '-q', '--allow-empty', '-m', message)
}

export function git(cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.org']
  return execFileSync('git', [...identity, '-c', 'commit.gpgsign=false', ...args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' },
  })
}

/** Path, type, mode, time and content hash of everything below a directory, `.git` included. */
export function fingerprintTree(root: string, skip: readonly string[] = []): Map<string, string> {
  const prints = new Map<string, string>()
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(root.length + 1)
    if (skip.some((prefix) => name === prefix || name.startsWith(`${prefix}/`))) continue
    const stats = lstatSync(path)
    const content = stats.isFile()
      ? createHash('sha256').update(readFileSync(path)).digest('hex')
      : stats.isSymbolicLink()
        ? readlinkSync(path)
        : ''
    const time = stats.isDirectory() ? '' : String(stats.mtimeMs)
    prints.set(name, `${stats.mode} ${time} ${content}`)
  }
  return prints
}

export function readJson<Value>(...segments: string[]): Value {
  return JSON.parse(readFileSync(join(...segments), 'utf8')) as Value
}
