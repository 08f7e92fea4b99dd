import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type SessionConfigInput, SessionConfigSchema } from '../config/index.ts'
import { type AccountContext, computeAccountKey, readAccountSecret } from './account-key.ts'
import {
  buildSourcePools,
  collectDispatchableSources,
  dispatchableSourceId,
  filterNewProviders,
  sourceByPoolId,
} from './source-pools.ts'

const context: AccountContext = {
  environment: {
    KEY_A: 'sk-one',
    KEY_B: 'sk-one',
    KEY_C: 'sk-two',
    DUMMY: 'none',
    HOME: '/home/u',
  },
  secret: 'secret',
}

const parse = (config: SessionConfigInput) => SessionConfigSchema.parse(config)

const api = (variable: string, endpoint = 'http://gateway/v1') => ({
  provider: 'openai-compatible' as const,
  endpoint,
  model: 'm',
  api_key_env: variable,
})

test('the same key under two variable names is one account, two keys on one gateway are two', () => {
  const [a, b, c] = ['KEY_A', 'KEY_B', 'KEY_C'].map((name) => computeAccountKey(api(name), context))
  expect(a).toBe(b)
  expect(a).not.toBe(c)
})

test('the account is a keyed hash: without the secret nobody can try credentials against it', () => {
  const key = computeAccountKey(api('KEY_A'), context)
  expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect(computeAccountKey(api('KEY_A'), { ...context, secret: 'other' })).not.toBe(key)
})

test('the billing scope tells accounts of one key apart', () => {
  const scoped = (project: string) =>
    computeAccountKey({ ...api('KEY_A'), parameters: { project } }, context)
  expect(scoped('x')).not.toBe(scoped('y'))
})

test('a stand-in for a key names no account: two local servers stay two', () => {
  const one = computeAccountKey(api('DUMMY', 'http://127.0.0.1:1'), context)
  expect(computeAccountKey(api('DUMMY', 'http://127.0.0.1:2'), context)).not.toBe(one)
})

test('an agent CLI is the login in its configuration directory, a declared account wins over all', () => {
  const codex = { provider: 'codex' as const }
  const login = computeAccountKey(codex, context)
  expect(computeAccountKey({ ...codex, model: 'other' }, context)).toBe(login)
  const elsewhere = { ...context, environment: { ...context.environment, CODEX_HOME: '/other' } }
  expect(computeAccountKey(codex, elsewhere)).not.toBe(login)
  expect(computeAccountKey({ ...codex, account: 'team' }, context)).toBe(
    computeAccountKey({ ...api('KEY_A'), account: 'team' }, context),
  )
})

test('ids are stable, unique, and the source’s own where it has one', () => {
  expect(dispatchableSourceId({ provider: 'codex', id: 'mine' })).toBe('mine')
  const config = parse({ sources: [api('KEY_A'), api('KEY_A'), api('KEY_B')] })
  const ids = collectDispatchableSources(config).map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
  expect(collectDispatchableSources(config).map(({ id }) => id)).toEqual(ids)
})

test('exclusions by provider and by id are applied here, path patterns are not taken for them', () => {
  const config = parse({
    sources: [
      { ...api('KEY_A'), id: 'one' },
      { ...api('KEY_B'), id: 'two' },
      { provider: 'codex' },
    ],
    exclude: ['two', 'codex', 'vendor/**'],
  })
  expect(buildSourcePools(config, context).map(({ id }) => id)).toEqual(['one'])
})

test('a complete section of a provider is a source, unless a source lists that provider', () => {
  const section = { base_url: 'http://x/v1', model: 'm' }
  const implied = parse({ openai_compatible: section })
  expect(collectDispatchableSources(implied)).toMatchObject([
    { source: { provider: 'openai-compatible', endpoint: 'http://x/v1', model: 'm' } },
  ])
  const listed = parse({ openai_compatible: section, sources: [{ ...api('KEY_A'), id: 'mine' }] })
  expect(collectDispatchableSources(listed).map(({ id }) => id)).toEqual(['mine'])
})

test('a pool carries what its source states and leaves the rest unknown', () => {
  const config = parse({
    sources: [
      {
        ...api('KEY_A'),
        id: 'one',
        rank: 'deep',
        cost: { input: 3, output: 15, cached: 0.3 },
        quota: { context_tokens: 128_000 },
      },
    ],
  })
  const pools = buildSourcePools(config, context)
  expect(pools).toMatchObject([
    {
      id: 'one',
      providerName: 'openai-compatible',
      hostModel: 'm',
      hostConcurrencyLimit: null,
      kind: 'api',
      rank: 'deep',
      contextTokens: 128_000,
      cost: { input: 3, output: 15, cachedInput: 0.3 },
    },
  ])
  expect(pools[0]).not.toHaveProperty('outputTokens')
  expect(sourceByPoolId(pools, 'one')?.api_key_env).toBe('KEY_A')
  expect(sourceByPoolId(pools, 'two')).toBeUndefined()
})

test('a settled pool is never offered again as new', () => {
  const discovered = [{ id: 'known' }, { id: 'settled' }, { id: 'new' }]
  expect(filterNewProviders(discovered, ['known'], new Set(['settled']))).toEqual([{ id: 'new' }])
})

test('the secret for accounts is made once and refused when it is damaged', () => {
  const home = mkdtempSync(join(tmpdir(), 'account-'))
  const environment = { AUDIT_TOOLS_HOME: home }
  const secret = readAccountSecret(environment)
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(readAccountSecret(environment)).toBe(secret)
  expect(readFileSync(join(home, 'account-secret'), 'utf8')).toBe(secret)
  writeFileSync(join(home, 'account-secret'), 'short')
  expect(() => readAccountSecret(environment)).toThrow('does not hold 64 hexadecimal characters')
})

test('an agent CLI is started as its section says, unless its source says otherwise', () => {
  const config = SessionConfigSchema.parse({
    codex: { command: '/opt/codex', model: 'm-1', extra_args: ['--profile', 'work'] },
    sources: [{ provider: 'codex' }, { id: 'two', provider: 'codex', model: 'm-2' }],
  })
  const parameters = { extra_args: ['--profile', 'work'] }
  expect(collectDispatchableSources(config).map(({ source }) => source)).toEqual([
    { provider: 'codex', command: ['/opt/codex'], model: 'm-1', parameters },
    { id: 'two', provider: 'codex', command: ['/opt/codex'], model: 'm-2', parameters },
  ])
})

test('an agent CLI that the config chooses is a source, and an excluded one never is', () => {
  const chosen = SessionConfigSchema.parse({ provider: 'opencode' })
  expect(collectDispatchableSources(chosen).map(({ source }) => source)).toEqual([
    { provider: 'opencode' },
  ])
  const excluded = SessionConfigSchema.parse({
    provider: 'opencode',
    exclude: ['opencode', 'codex'],
    sources: [{ provider: 'codex' }],
  })
  expect(buildSourcePools(excluded, context)).toEqual([])
})
