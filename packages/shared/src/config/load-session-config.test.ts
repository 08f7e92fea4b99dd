import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { AuditToolsError } from '../core/index.ts'
import {
  type ConfigOptions,
  explainConfig,
  loadSessionConfig,
  resolveUserConfigPath,
  SessionConfigSchema,
  trustConfig,
} from './index.ts'

let folder: string
let options: ConfigOptions
let repositoryFile: string
let userFile: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'config-')))
  const root = join(folder, 'repository')
  options = { root, environment: { AUDIT_TOOLS_HOME: join(folder, 'home') } }
  repositoryFile = join(root, '.audit-tools/audit/session-config.json')
  userFile = join(folder, 'home/config.json')
  mkdirSync(root)
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  const isText = typeof content === 'string' || content instanceof Uint8Array
  writeFileSync(path, isText ? content : JSON.stringify(content))
}

function readError(load: () => unknown): { code: string; message: string; details: object } {
  try {
    load()
  } catch (error) {
    if (error instanceof AuditToolsError) {
      const { code, message, details } = error
      return { code, message, details }
    }
    throw error
  }
  throw new Error('nothing was thrown')
}

test('without any file every key has its default', () => {
  const { config, origins } = loadSessionConfig(options)
  expect(config).toEqual(SessionConfigSchema.parse({}))
  expect(config).toMatchObject({
    provider: 'auto',
    ui_mode: 'headless',
    parallel_workers: 1,
    deepening_rounds: 1,
    coordination: { kind: 'file' },
    quota: {
      probe: 'auto',
      empirical_half_life_hours: 24,
      default_context_tokens: 32_000,
      reserved_output_tokens: 4096,
    },
    dispatch: { confirm_threshold: 10, routing_tiers: { deep_at: 0.66, standard_at: 0.33 } },
  })
  expect(origins).toEqual(new Map())
})

test('flags beat variables, which beat the user, who beats the repository, which beats defaults', () => {
  const everything = (workers: number) => ({ parallel_workers: workers })
  const read = () => {
    const { config, origins } = loadSessionConfig(options)
    return [config.parallel_workers, origins.get('parallel_workers')]
  }
  expect(read()).toEqual([1, undefined])
  write(repositoryFile, everything(2))
  expect(read()).toEqual([2, { kind: 'repository', path: repositoryFile }])
  write(userFile, everything(3))
  expect(read()).toEqual([3, { kind: 'user', path: userFile }])
  const variable = 'AUDIT_TOOLS_PARALLEL_WORKERS'
  options = { ...options, environment: { ...options.environment, [variable]: '4' } }
  expect(read()).toEqual([4, { kind: 'environment', variable }])
  options = { ...options, flags: everything(5) }
  expect(read()).toEqual([5, { kind: 'flag' }])
})

test('origins are merged key by key, and a list counts as one value', () => {
  write(repositoryFile, {
    exclude: ['a'],
    quota: { safety_margin: 0.1, models: { 'gpt-4.1': { context_tokens: 5 }, b: {} } },
    dispatch: { routing_tiers: { deep_at: 0.9 } },
  })
  write(userFile, {
    exclude: ['b', 'c'],
    quota: { models: { 'gpt-4.1': { output_tokens: 6 } } },
    dispatch: { max_packets: 7 },
  })
  const { config, origins } = loadSessionConfig(options)
  expect(config.exclude).toEqual(['b', 'c'])
  expect(config.quota.safety_margin).toBe(0.1)
  expect(config.quota.models).toEqual({ 'gpt-4.1': { context_tokens: 5, output_tokens: 6 }, b: {} })
  expect(config.dispatch).toMatchObject({ max_packets: 7, routing_tiers: { deep_at: 0.9 } })
  expect(origins.get('quota.models["gpt-4.1"].context_tokens')).toMatchObject({
    kind: 'repository',
  })
  expect(origins.get('exclude')).toMatchObject({ kind: 'user' })
})

test('a way of coordination is taken as a whole', () => {
  write(userFile, { coordination: { kind: 'redis', url: 'redis://localhost' } })
  options = { ...options, flags: { coordination: { kind: 'file' } } }
  expect(loadSessionConfig(options).config.coordination).toEqual({ kind: 'file' })
})

test('what the host can do is taken from files before variables', () => {
  const variable = 'AUDIT_TOOLS_HOST_CAN_DISPATCH_SUBAGENTS'
  options = { ...options, environment: { ...options.environment, [variable]: 'true' } }
  expect(loadSessionConfig(options).config.host_can_dispatch_subagents).toBe(true)
  write(repositoryFile, { host_can_dispatch_subagents: false })
  expect(loadSessionConfig(options).config.host_can_dispatch_subagents).toBe(false)
})

test('config.json is read too, and two files are refused', () => {
  const other = join(dirname(repositoryFile), 'config.json')
  write(other, { depth: 'deep' })
  expect(loadSessionConfig(options).config.depth).toBe('deep')
  write(repositoryFile, {})
  expect(readError(() => loadSessionConfig(options))).toMatchObject({
    code: 'config-invalid',
    message: `${repositoryFile} and ${other} both exist; keep one`,
  })
})

test('a file given replaces the repository’s, beats the user’s and needs no trust', () => {
  const configPath = join(folder, 'mine.json')
  write(repositoryFile, '{ broken')
  write(userFile, { depth: 'quick', parallel_workers: 2 })
  write(configPath, { depth: 'deep', codex: { command: '/opt/codex' } })
  const { config, origins } = loadSessionConfig({ ...options, configPath })
  expect(config).toMatchObject({
    depth: 'deep',
    parallel_workers: 2,
    codex: { command: '/opt/codex' },
  })
  expect(origins.get('depth')).toEqual({ kind: 'given', path: configPath })
  expect(readError(() => loadSessionConfig({ ...options, configPath: '/absent' }))).toMatchObject({
    code: 'config-invalid',
    message: '/absent: there is no such file',
  })
})

test('an artifacts directory elsewhere brings its own file', () => {
  const artifactsDir = join(folder, 'elsewhere')
  write(join(artifactsDir, 'session-config.json'), { depth: 'deep' })
  expect(loadSessionConfig({ ...options, artifactsDir }).config.depth).toBe('deep')
})

test.each([
  [{ AUDIT_TOOLS_HOME: '/h', XDG_CONFIG_HOME: '/x', HOME: '/u' }, '/h/config.json'],
  [{ XDG_CONFIG_HOME: '/x', HOME: '/u' }, '/x/audit-tools/config.json'],
  [{ XDG_CONFIG_HOME: 'x', HOME: '/u' }, '/u/.config/audit-tools/config.json'],
  [{ HOME: '/u' }, '/u/.config/audit-tools/config.json'],
])('the user’s file for %j is %s', (environment, path) => {
  expect(resolveUserConfigPath(environment)).toBe(path)
})

test.each<[string, unknown, string]>([
  ['an empty file', '', 'the file is empty; write {} or remove it'],
  ['a blank file', ' \n', 'the file is empty; write {} or remove it'],
  ['broken JSON', '{\n  "depth": deep\n}', 'line 2, column 12: a value is expected'],
  ['cut JSON', '{"depth": "deep"', 'line 1, column 17: "," or "}" is expected, but the text ends'],
  ['a comment', '{\n  // no\n}', 'line 2, column 3: comments are not part of JSON'],
  [
    'a key given twice',
    '{"depth":"deep","depth":"quick"}',
    'line 1, column 17: the key "depth" is there twice',
  ],
  ['NaN', '{"timeout_ms": NaN}', 'line 1, column 16: a value is expected'],
  ['UTF-16', Buffer.from('{}', 'utf16le'), 'line 1, column 2: a key in double quotes is expected'],
  [
    'bytes that are no text',
    Buffer.from([0x7b, 0xff, 0x7d]),
    'the file is not UTF-8 text; save it as UTF-8',
  ],
  ['a list', [], 'the configuration must be an object, not an empty list'],
  ['text', '"deep"', 'the configuration must be an object, not "deep"'],
  ['null', null, 'the configuration must be an object, not null'],
  ['an unknown key', { exlude: [] }, 'there is no key exlude; did you mean "exclude"?'],
  ['an odd key', { 'x y': 1 }, 'there is no key ["x y"]; remove it'],
  ['__proto__', '{"__proto__": {"depth": "deep"}}', 'there is no key __proto__; remove it'],
  [
    'an unknown key below',
    { quota: { defualt_context_tokens: 1 } },
    'there is no key quota.defualt_context_tokens; did you mean "default_context_tokens"?',
  ],
  [
    'an unknown key in a list',
    { sources: [{ provider: 'codex', modle: 'm' }] },
    'there is no key sources[0].modle; did you mean "model"?',
  ],
  [
    'an unknown key in a table',
    { quota: { models: { 'a.b': { context_token: 1 } } } },
    'there is no key quota.models["a.b"].context_token; did you mean "context_tokens"?',
  ],
  [
    'an unknown provider',
    { provider: 'claude' },
    'provider must be one of "auto", "openai-compatible", "anthropic", "claude-code", "codex", "opencode", "subprocess-template", "local-subprocess", "vscode-task", "antigravity", not "claude"',
  ],
  [
    'a misspelt provider',
    { sources: [{ provider: 'opencod' }] },
    'sources[0].provider must be one of "openai-compatible", "anthropic", "claude-code", "codex", "opencode", "subprocess-template", "local-subprocess", "vscode-task", "antigravity", not "opencod"; did you mean "opencode"?',
  ],
  [
    'a source without provider',
    { sources: [{}] },
    'sources[0].provider is missing; it must be one of "openai-compatible", "anthropic", "claude-code", "codex", "opencode", "subprocess-template", "local-subprocess", "vscode-task", "antigravity"',
  ],
  [
    'two sources of one id',
    {
      sources: [
        { id: 'a', provider: 'codex' },
        { provider: 'codex' },
        { id: 'a', provider: 'opencode' },
      ],
    },
    'sources[2].id "a" is the id of sources[0] too; give each source its own',
  ],
  ['text for a number', { timeout_ms: '5' }, 'timeout_ms must be a number, not "5"'],
  ['a negative number', { timeout_ms: -5 }, 'timeout_ms must be more than 0, not -5'],
  ['a fraction', { parallel_workers: 1.5 }, 'parallel_workers must be a whole number, not 1.5'],
  [
    'too large a share',
    { quota: { safety_margin: 20 } },
    'quota.safety_margin must be at most 1, not 20',
  ],
  [
    'a number beyond all',
    '{"budget": {"usd": 1e999}}',
    'budget.usd must be a number, not Infinity',
  ],
  ['text for a list', { exclude: 'vendor/**' }, 'exclude must be a list, not "vendor/**"'],
  ['a list for an object', { quota: [1] }, 'quota must be an object, not a list'],
  ['null for an object', { quota: null }, 'quota must be an object, not null'],
  ['an empty name', { exclude: [''] }, 'exclude[0] must not be empty, not ""'],
  [
    'an empty command',
    { sources: [{ provider: 'codex', command: [] }] },
    'sources[0].command must have at least 1 item, not an empty list',
  ],
  ['a lens of no shape', { lenses: [5] }, 'lenses[0] must be text or an object, not 5'],
  [
    'a way of coordination',
    { coordination: { kind: 'reids' } },
    'coordination.kind must be one of "file", "redis", not "reids"; did you mean "redis"?',
  ],
  [
    'a wrong choice',
    { analyzers: { eslint: 'of-course' } },
    'analyzers.eslint must be one of "repo", "auto", "skip", "ephemeral", "permanent", not "of-course"',
  ],
  [
    'a model that would be a flag',
    { codex: { model: '--yolo' } },
    'codex.model must be the name of a model and not begin with a dash',
  ],
  [
    'no URL',
    { openai_compatible: { base_url: 'localhost:8080' } },
    'openai_compatible.base_url must be a URL that begins with http:// or https://',
  ],
  [
    'tiers upside down',
    { dispatch: { routing_tiers: { deep_at: 0.2, standard_at: 0.5 } } },
    'dispatch.routing_tiers standard_at is above deep_at; make it smaller',
  ],
  [
    'no instant',
    {
      sources: [
        {
          provider: 'codex',
          quota: { windows: [{ unit: 'token', limit: 1, per_seconds: 1, resets_at: 'noon' }] },
        },
      ],
    },
    'sources[0].quota.windows[0].resets_at must be an instant such as 2026-08-15T08:00:00Z',
  ],
])('%s is refused with one message', (_, content, message) => {
  write(repositoryFile, content)
  expect(readError(() => loadSessionConfig(options))).toEqual({
    code: 'config-invalid',
    message: `${repositoryFile}: ${message}`,
    details: { problems: [`${repositoryFile}: ${message}`] },
  })
})

test('a byte order mark is no part of the text', () => {
  write(repositoryFile, '\uFEFF{"depth": "deep"}')
  expect(loadSessionConfig(options).config.depth).toBe('deep')
})

test('every problem of every origin is named at once', () => {
  write(repositoryFile, { timeout_ms: 0, exlude: [] })
  write(userFile, '{')
  options = {
    ...options,
    environment: { ...options.environment, AUDIT_TOOLS_PARALLEL_WORKERS: 'many' },
    flags: { deepening_rounds: 9 },
  }
  expect(readError(() => loadSessionConfig(options)).message.split('\n')).toEqual([
    'the command line: deepening_rounds must be at most 3, not 9',
    'AUDIT_TOOLS_PARALLEL_WORKERS: parallel_workers must be a number, not "many"',
    `${userFile}: line 1, column 2: a key in double quotes is expected, but the text ends`,
    `${repositoryFile}: timeout_ms must be more than 0, not 0`,
    `${repositoryFile}: there is no key exlude; did you mean "exclude"?`,
  ])
})

test('values that do not fit together are refused, though each origin is right', () => {
  write(userFile, { dispatch: { routing_tiers: { deep_at: 0.4 } } })
  write(repositoryFile, { dispatch: { routing_tiers: { standard_at: 0.5 } } })
  expect(readError(() => loadSessionConfig(options)).message).toBe(
    'all origins together: dispatch.routing_tiers standard_at is above deep_at; make it smaller',
  )
})

test('a link out of the repository is refused', () => {
  write(join(folder, 'outside.json'), { depth: 'deep' })
  mkdirSync(dirname(repositoryFile), { recursive: true })
  symlinkSync(join(folder, 'outside.json'), repositoryFile)
  expect(readError(() => loadSessionConfig(options))).toMatchObject({ code: 'path-outside-root' })
})

test('a directory or a huge file in its place is refused', () => {
  mkdirSync(repositoryFile, { recursive: true })
  expect(readError(() => loadSessionConfig(options)).message).toBe(
    `${repositoryFile}: this is not a file; remove it`,
  )
  rmSync(repositoryFile, { recursive: true })
  write(repositoryFile, ' '.repeat(2 ** 20 + 1))
  expect(readError(() => loadSessionConfig(options)).message).toBe(
    `${repositoryFile}: the file is larger than a configuration can be (1 MiB)`,
  )
})

test.skipIf(process.getuid?.() === 0)('a file without permission is unreadable, not absent', () => {
  write(userFile, {})
  chmodSync(userFile, 0)
  expect(readError(() => loadSessionConfig(options)).code).toBe('store-unreadable')
})

test('a directory in place of the user’s file is unreadable, not absent', () => {
  mkdirSync(userFile, { recursive: true })
  const { code, message } = readError(() => loadSessionConfig(options))
  expect(code).toBe('store-unreadable')
  expect(message).toContain(userFile)
})

test('the explanation shows value, origin and what was overridden', () => {
  write(repositoryFile, { depth: 'deep', quota: { models: { m: { context_tokens: 5 } } } })
  write(userFile, { depth: 'quick' })
  options = {
    ...options,
    environment: { ...options.environment, AUDIT_TOOLS_DEPTH: 'standard' },
  }
  const explained = new Map(explainConfig(options).map((item) => [item.key, item]))
  expect(explained.get('depth')).toEqual({
    key: 'depth',
    description: 'How thorough',
    value: 'standard',
    origin: { kind: 'environment', variable: 'AUDIT_TOOLS_DEPTH' },
    overridden: [
      { value: 'quick', origin: { kind: 'user', path: userFile } },
      { value: 'deep', origin: { kind: 'repository', path: repositoryFile } },
    ],
    untrusted: false,
  })
  expect(explained.get('parallel_workers')).toMatchObject({ value: 1, origin: { kind: 'default' } })
  expect(explained.get('timeout_ms')).toMatchObject({ value: undefined, overridden: [] })
  expect(explained.get('quota.models.m.context_tokens')).toMatchObject({
    value: 5,
    origin: { kind: 'repository' },
  })
})

test('the explanation shows no header, no variable and nothing like a credential', () => {
  write(userFile, {
    openai_compatible: { headers: { 'X-Team': 'blue' } },
    subprocess_template: { env: { REGION: 'north' } },
    sources: [{ provider: 'codex', parameters: { deep: { key: 'sk-live-1234' } } }],
  })
  const text = JSON.stringify(explainConfig(options))
  expect(text).toContain('X-Team')
  for (const hidden of ['blue', 'north', 'sk-live-1234']) expect(text).not.toContain(hidden)
})

test('an untrusted key is explained as such and refused until trusted as it is', () => {
  write(repositoryFile, { depth: 'deep', subprocess_template: { command_template: ['./run.sh'] } })
  const listUntrusted = () =>
    explainConfig(options).flatMap(({ key, untrusted }) => (untrusted ? key : []))

  expect(listUntrusted()).toContain('subprocess_template.command_template')
  expect(listUntrusted()).not.toContain('depth')
  expect(readError(() => loadSessionConfig(options))).toEqual({
    code: 'config-untrusted',
    message:
      `${repositoryFile} comes with the repository and sets subprocess_template. Look at it; then trust it with ` +
      '`audit-code trust`, or remove these keys, or give your own file with --config',
    details: { path: repositoryFile, keys: ['subprocess_template'] },
  })

  expect([...trustConfig(options).keys()]).toEqual(['subprocess_template'])
  expect(listUntrusted()).toEqual([])
  expect(loadSessionConfig(options).config.subprocess_template.command_template).toEqual([
    './run.sh',
  ])

  write(repositoryFile, { depth: 'quick', subprocess_template: { command_template: ['./run.sh'] } })
  expect(loadSessionConfig(options).config.depth).toBe('quick')
  write(repositoryFile, { subprocess_template: { command_template: ['./run2.sh'] } })
  expect(readError(() => loadSessionConfig(options)).code).toBe('config-untrusted')
})

test('trust in one repository says nothing about another', () => {
  const content = { codex: { command: './codex' } }
  write(repositoryFile, content)
  trustConfig(options)
  const root = join(folder, 'other')
  write(join(root, '.audit-tools/audit/session-config.json'), content)
  expect(readError(() => loadSessionConfig({ ...options, root })).code).toBe('config-untrusted')
})

test('trusting a harmless file records nothing', () => {
  write(repositoryFile, { depth: 'deep' })
  expect(trustConfig(options)).toEqual(new Map())
  expect(trustConfig({ ...options, root: folder })).toEqual(new Map())
})

test('a damaged record of trust is an error, not trust', () => {
  write(repositoryFile, { codex: { command: './codex' } })
  trustConfig(options)
  const records = join(folder, 'home/trust')
  for (const name of readdirSync(records)) writeFileSync(join(records, name), '{"version":1')
  expect(readError(() => loadSessionConfig(options)).code).toBe('store-corrupt')
})
