import { expect, test } from 'vitest'

import { formatKeyPath, isTable, listConfigKeys, listNamesAt } from './config-keys.ts'
import { listEnvironmentKeys, readEnvironmentLayers } from './environment-layers.ts'
import { splitExclusions } from './split-exclusions.ts'

test('every key has a description', () => {
  expect(listConfigKeys().filter(({ description }) => description === '')).toEqual([])
})

test('names at a path are found through lists, tables and choices of shape', () => {
  expect(listNamesAt([])).toContain('openai_compatible')
  expect(listNamesAt(['sources', 3, 'quota'])).toContain('requests_per_minute')
  expect(listNamesAt(['quota', 'models', 'any'])).toContain('context_tokens')
  expect(listNamesAt(['lenses', 0])).toEqual(['id', 'instructions'])
  expect(listNamesAt(['coordination'])).toContain('url')
  expect(listNamesAt(['analyzers'])).toEqual([])
  expect(listNamesAt(['no', 'such'])).toEqual([])
})

test('objects and tables are set key by key, lists and choices as a whole', () => {
  const paths = [['quota'], ['quota', 'models'], ['analyzers'], ['openai_compatible', 'headers']]
  for (const path of paths) expect([path, isTable(path)]).toEqual([path, true])
  for (const path of [['sources'], ['coordination'], ['depth']]) {
    expect([path, isTable(path)]).toEqual([path, false])
  }
})

test('a path is written as one would write it in JavaScript', () => {
  expect(formatKeyPath(['sources', 2, 'id'])).toBe('sources[2].id')
  expect(formatKeyPath(['quota', 'models', 'gpt-4.1', 'x'])).toBe('quota.models["gpt-4.1"].x')
  expect(formatKeyPath(['a"b'])).toBe('["a\\"b"]')
})

test('every single value has one variable of its own, apart from the state directory’s', () => {
  const variables = listEnvironmentKeys().map(({ variable }) => variable)
  expect(variables).toContain('AUDIT_TOOLS_QUOTA_SAFETY_MARGIN')
  expect(variables).toContain('AUDIT_TOOLS_DISPATCH_ROUTING_TIERS_DEEP_AT')
  expect(variables).not.toContain('AUDIT_TOOLS_EXCLUDE')
  expect(variables).not.toContain('AUDIT_TOOLS_HOME')
  expect(new Set(variables).size).toBe(variables.length)
})

test('variables become values of the key’s type, and empty ones are not set', () => {
  const { strong } = readEnvironmentLayers({
    AUDIT_TOOLS_PROVIDER: 'codex',
    AUDIT_TOOLS_QUOTA_SAFETY_MARGIN: '0.5',
    AUDIT_TOOLS_QUOTA_ENABLED: 'false',
    AUDIT_TOOLS_DEPTH: '',
    AUDIT_TOOLS_TIMEOUT_MS: ' ',
  })
  expect(strong.map(({ values }) => values)).toEqual([
    { provider: 'codex' },
    { timeout_ms: ' ' },
    { quota: { enabled: false } },
    { quota: { safety_margin: 0.5 } },
  ])
})

test('an exclusion names a backend, or else a path', () => {
  const sources = [{ id: 'big', provider: 'codex' as const }]
  const exclude = ['vendor/**', 'codex', 'big', 'codex/', 'small']
  expect(splitExclusions({ exclude, sources })).toEqual({
    backends: ['codex', 'big'],
    paths: ['vendor/**', 'codex/', 'small'],
  })
})
