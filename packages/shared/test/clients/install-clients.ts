import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The real clients that the suite runs; test-only downloads, never part of the workspace. */
const CLAUDE_CODE = '2.1.332'
const CODEX = '0.171.0'
const OPENCODE = '1.18.33'

export type Installation =
  | { readonly kind: 'installed'; readonly binDirectory: string }
  | { readonly kind: 'missing'; readonly reason: string }

/**
 * Installs the clients once into a cache outside the workspace (`AUDIT_TOOLS_CLIENT_CACHE`, else below the system's
 * temporary directory) by name from the npm registry, without running install scripts other than those that fetch or link
 * the client's own binary.
 */
export function installClients(): Installation {
  const cache = process.env['AUDIT_TOOLS_CLIENT_CACHE'] ?? join(tmpdir(), 'audit-tools-clients')
  const directory = join(cache, `claude-${CLAUDE_CODE}-codex-${CODEX}-opencode-${OPENCODE}`)
  const installed: Installation = {
    kind: 'installed',
    binDirectory: join(directory, 'node_modules', '.bin'),
  }
  if (existsSync(directory)) return installed
  mkdirSync(cache, { recursive: true })
  console.log(`Installing Claude Code, Codex and OpenCode into ${directory} (about 1.2 GB, once).`)
  const draft = mkdtempSync(join(cache, 'draft-'))
  const problem = fillDirectory(draft)
  if (problem !== null) {
    rmSync(draft, { recursive: true })
    return { kind: 'missing', reason: problem }
  }
  // The whole installation appears at once; of two at the same time, one stays.
  if (!existsSync(directory)) renameSync(draft, directory)
  return installed
}

function fillDirectory(directory: string): string | null {
  const dependencies = {
    '@anthropic-ai/claude-code': CLAUDE_CODE,
    // Named here, because npm passes over optional packages whose `engines` exclude this Node.
    [`@anthropic-ai/claude-code-${process.platform}-${process.arch}`]: CLAUDE_CODE,
    '@openai/codex': CODEX,
    'opencode-ai': OPENCODE,
  }
  const manifest = { name: 'audit-tools-clients', private: true, dependencies }
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest))
  const modules = join(directory, 'node_modules')
  return (
    run(directory, 'npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund']) ??
    run(join(modules, '@anthropic-ai', 'claude-code'), process.execPath, ['install.cjs']) ??
    run(join(modules, 'opencode-ai'), process.execPath, ['postinstall.mjs'])
  )
}

function run(cwd: string, command: string, args: readonly string[]): string | null {
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`
  const result = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: 480_000,
    env: { ...process.env, PATH: path },
  })
  if (result.status === 0) return null
  const words = (result.stderr ?? '').trim().split('\n').slice(-3).join(' ')
  return `${command} ${args[0] ?? ''} failed: ${result.error?.message ?? words}`
}
