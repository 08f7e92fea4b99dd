import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { AuditToolsError, type Environment, systemRandom } from '../core/index.ts'
import type { Source } from '../quota/index.ts'
import {
  linkExclusive,
  makeDirectory,
  readFileText,
  resolveStateDirectory,
} from '../store/index.ts'

/** Where each CLI keeps its login: the first variable that is set, else a directory below the home directory. */
const loginDirectories: Readonly<
  Record<string, { variables: readonly string[]; fallback: string }>
> = {
  'claude-code': { variables: ['CLAUDE_CONFIG_DIR'], fallback: '.claude' },
  codex: { variables: ['CODEX_HOME'], fallback: '.codex' },
  opencode: { variables: ['XDG_DATA_HOME'], fallback: '.local/share/opencode' },
}

/** What people write where a local server wants some key; it names no account. */
const standIns: ReadonlySet<string> = new Set([
  'dummy',
  'empty',
  'local',
  'no-key',
  'none',
  'not-needed',
  'ollama',
  'lm-studio',
  'sk-no-key-required',
  'x',
])

export interface AccountContext {
  readonly environment: Environment
  /** Keeps the hash of a credential useless to whoever reads it; the same for all runs of a user. */
  readonly secret: string
}

/**
 * Names who pays for a source: the same credential and billing scope give the same name, whatever variable the credential
 * comes from and whichever endpoint it goes to. A keyed hash: the credential cannot be found from it.
 */
export function computeAccountKey(source: Source, { environment, secret }: AccountContext): string {
  const hmac = createHmac('sha256', secret)
  return hmac
    .update(JSON.stringify(describePayer(source, environment)))
    .digest('hex')
    .slice(0, 32)
}

function describePayer(source: Source, environment: Environment): readonly unknown[] {
  const { account, api_key_env: variable, endpoint, provider } = source
  if (account !== undefined) return ['account', account]
  const scope = readBillingScope(source)
  if (variable !== undefined) {
    const credential = environment[variable]
    if (!credential) return ['unset', variable, scope]
    return standIns.has(credential.toLowerCase())
      ? ['endpoint', endpoint]
      : ['credential', credential, scope]
  }
  if (endpoint !== undefined) return ['endpoint', endpoint]
  const login = Object.hasOwn(loginDirectories, provider) ? loginDirectories[provider] : undefined
  if (login === undefined)
    return ['command', provider, source.command ?? null, source.model ?? null]
  const named = login.variables.map((name) => environment[name]).find(Boolean)
  return ['login', provider, named ?? join(environment['HOME'] ?? '~', login.fallback)]
}

function readBillingScope({ parameters }: Source): string {
  const parts = ['organization', 'project'].map((name) => parameters?.[name])
  return parts.filter((part) => typeof part === 'string').join('/')
}

/** The user's secret for account names; made on first use. Throws `store-unreadable` or `store-unwritable`. */
export function readAccountSecret(environment: Environment): string {
  const directory = resolveStateDirectory(environment)
  const path = join(directory, 'account-secret')
  makeDirectory(directory)
  // Of several processes on their first start, one creates it and all read that one.
  linkExclusive(path, systemRandom.hex(64))
  const reading = readFileText(path)
  if (reading.kind === 'ok' && /^[0-9a-f]{64}$/.test(reading.text)) return reading.text
  throw new AuditToolsError(
    'store-unreadable',
    `${path} does not hold 64 hexadecimal characters that can be read; move it away, and accounts are counted anew`,
    { details: { path }, ...(reading.kind === 'unreadable' ? { cause: reading.cause } : {}) },
  )
}
