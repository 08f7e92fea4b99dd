// Brings a fresh clone to a runnable state: dependencies by the lock file, then a build, each only when stale.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const bin = join(root, 'node_modules', '.bin')

/** The environment of every child: our own tools first on PATH, no telemetry, no questions. */
export const childEnvironment = {
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
  DO_NOT_TRACK: '1',
  TURBO_TELEMETRY_DISABLED: '1',
  npm_config_yes: 'true',
}

/** Runs a command with inherited output (or captured, with `quiet`); returns its exit code. */
export function run(command, args, { quiet = false, env = {}, cwd = root } = {}) {
  const result = spawnSync(command, args, {
    cwd,
    env: { ...childEnvironment, ...env },
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  if (result.error) throw result.error
  if (quiet && result.status !== 0) process.stderr.write(`${result.stdout}${result.stderr}`)
  return result.status ?? 1
}

export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(`error: Node ${process.versions.node} is too old; install Node 20.19 or newer.`)
  process.exit(3)
}

/** Installs what the lock file says, unless the same lock file was installed already. */
export function installDependencies() {
  const stamp = join(root, 'node_modules', '.audit-tools-install')
  const state = hashFiles([join(root, 'pnpm-lock.yaml'), join(root, 'package.json')])
  if (readStamp(stamp) === state) return 0
  console.error('Installing dependencies (once for each change of the lock file) ...')
  const code = run(
    'npx',
    ['-y', manifest.packageManager, 'install', '--frozen-lockfile', '--reporter=append-only'],
    {
      quiet: true,
      env: { CI: 'true' },
    },
  )
  if (code === 0) writeFileSync(stamp, state)
  return code
}

/** Builds the three packages, unless the same sources were built already. */
export function buildIfStale() {
  const stamp = join(root, 'node_modules', '.audit-tools-build')
  const state = hashFiles(listBuildInputs())
  const built = ['shared', 'audit', 'remediate'].every((name) =>
    existsSync(join(root, 'packages', name, 'dist')),
  )
  if (built && readStamp(stamp) === state) return 0
  console.error('Building ...')
  const code = run('turbo', ['run', 'build', '--output-logs=errors-only'], {
    quiet: true,
  })
  if (code === 0) {
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, state)
  }
  return code
}

function listBuildInputs() {
  const files = [join(root, 'pnpm-lock.yaml'), join(root, 'tsconfig.base.json')]
  for (const name of ['shared', 'audit', 'remediate']) {
    const folder = join(root, 'packages', name)
    files.push(join(folder, 'package.json'), join(folder, 'tsup.config.ts'))
    const entries = readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      if (!entry.isFile() || entry.name.endsWith('.test.ts')) continue
      files.push(join(entry.parentPath, entry.name))
    }
  }
  return files.toSorted((left, right) => (left < right ? -1 : 1))
}

function hashFiles(files) {
  const hash = createHash('sha256').update(process.versions.node)
  for (const file of files) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

function readStamp(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
