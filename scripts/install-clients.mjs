// Installs the real agent CLIs that the client tests run, once, into a cache outside the workspace (AUDIT_TOOLS_CLIENT_CACHE,
// else below the system's temporary directory): by name from the npm registry, without any install script but those that link the
// client's own binary. Only where REAL_CLIENTS=1 asks for it: it is a large download, and the clients are slow beside other tests.
// Prints one JSON line: where the programs are, or why there are none.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const CLAUDE_CODE = '2.1.332'
const CODEX = '0.171.0'
const OPENCODE = '1.18.33'

const cache = process.env.AUDIT_TOOLS_CLIENT_CACHE ?? join(tmpdir(), 'audit-tools-clients')
const directory = join(cache, `claude-${CLAUDE_CODE}-codex-${CODEX}-opencode-${OPENCODE}`)
const wanted = process.env.REAL_CLIENTS === '1'
const problem = !wanted ? 'REAL_CLIENTS=1 is not set' : existsSync(directory) ? null : install()
console.log(
  JSON.stringify(
    problem === null
      ? { kind: 'installed', binDirectory: join(directory, 'node_modules', '.bin') }
      : { kind: 'missing', reason: problem },
  ),
)

function install() {
  mkdirSync(cache, { recursive: true })
  console.error(
    `Installing Claude Code, Codex and OpenCode into ${directory} (about 1.2 GB, once).`,
  )
  const draft = mkdtempSync(join(cache, 'draft-'))
  const reason = fillDirectory(draft)
  try {
    // The whole installation appears at once; of two at the same time, one stays.
    if (reason === null && !existsSync(directory)) renameSync(draft, directory)
  } catch (error) {
    if (!existsSync(directory)) throw error
  }
  rmSync(draft, { recursive: true, force: true })
  return reason
}

function fillDirectory(path) {
  const dependencies = {
    '@anthropic-ai/claude-code': CLAUDE_CODE,
    // Named here, because npm passes over optional packages whose `engines` exclude this Node.
    [`@anthropic-ai/claude-code-${process.platform}-${process.arch}`]: CLAUDE_CODE,
    '@openai/codex': CODEX,
    'opencode-ai': OPENCODE,
  }
  const manifest = { name: 'audit-tools-clients', private: true, dependencies }
  writeFileSync(join(path, 'package.json'), JSON.stringify(manifest))
  const modules = join(path, 'node_modules')
  return (
    run(path, 'npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund']) ??
    run(join(modules, '@anthropic-ai', 'claude-code'), process.execPath, ['install.cjs']) ??
    run(join(modules, 'opencode-ai'), process.execPath, ['postinstall.mjs'])
  )
}

function run(cwd, command, args) {
  const result = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: 480_000,
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}` },
  })
  if (result.status === 0) return null
  const words = (result.stderr ?? '').trim().split('\n').slice(-3).join(' ')
  return `${command} ${args[0]} failed: ${result.error?.message ?? words}`
}
