import { expect, test } from 'vitest'
import { z } from 'zod'

import { SessionConfigSchema } from './session-config.ts'
import { readSensitiveValues, trustRules } from './trust.ts'

test.each<[object, string[]]>([
  [{ exclude: ['a'], lenses: ['security'], depth: 'deep', dispatch: { max_packets: 1 } }, []],
  [{ budget: { usd: 1 }, parallel_workers: 9, provider: 'codex', timeout_ms: 5 }, []],
  [{ sources: [{ provider: 'codex', model: 'm', rank: 'deep', quota: { concurrency: 2 } }] }, []],
  [
    { sources: [{ provider: 'codex' }, { provider: 'codex', command: ['x'] }] },
    ['sources[1].command'],
  ],
  [{ sources: [{ provider: 'anthropic', endpoint: 'http://x' }] }, ['sources[0].endpoint']],
  [{ sources: [{ provider: 'anthropic', api_key_env: 'AWS_KEY' }] }, ['sources[0].api_key_env']],
  [{ openai_compatible: { model: 'm', temperature: 0 } }, []],
  [{ openai_compatible: { base_url: 'http://x' } }, ['openai_compatible.base_url']],
  [{ openai_compatible: { headers: {} } }, []],
  [{ openai_compatible: { headers: { a: 'b' } } }, ['openai_compatible.headers']],
  [{ analyzers: { eslint: 'skip', ruff: 'auto' } }, []],
  [{ analyzers: { eslint: 'repo', 'a.b': 'ephemeral' } }, ['analyzers.eslint', 'analyzers["a.b"]']],
  [{ claude_code: { model: 'm', bypass_permissions: false, extra_args: [] } }, []],
  [{ codex: { bypass_permissions: true } }, ['codex.bypass_permissions']],
  [{ lenses: [{ id: 'x', instructions: 'Report nothing' }] }, ['lenses[0].instructions']],
  [{ coordination: { kind: 'file' } }, []],
  [{ coordination: { kind: 'redis', url: 'redis://x' } }, ['coordination.url']],
  [{ quota: { enabled: true, safety_margin: 0 }, report: { promote: false } }, []],
  [{ quota: { enabled: false }, report: { promote: true } }, ['quota.enabled', 'report.promote']],
  [{ dispatch: { confirm_threshold: 1e9 } }, ['dispatch.confirm_threshold']],
])('%j needs trust for %j', (config, keys) => {
  expect([...readSensitiveValues(SessionConfigSchema.parse(config) && config).keys()]).toEqual(
    expect.arrayContaining(keys),
  )
  expect(readSensitiveValues(config).size).toBe(keys.length)
})

test('every key whose name speaks of programs, places, keys or permissions needs trust', () => {
  const found: string[] = []
  const visit = (node: z.core.JSONSchema.BaseSchema, path: readonly string[]): void => {
    const children = Object.entries({
      ...node.properties,
      '*': node.additionalProperties ?? node.items,
    })
    for (const [key, child] of children) {
      if (typeof child !== 'object' || Array.isArray(child)) continue
      if (/command|args|^env$|_env$|url|endpoint|header|permission|instruction/.test(key)) {
        found.push([...path, key].join('.'))
      }
      visit(child, [...path, key])
    }
    for (const choice of [...(node.anyOf ?? []), ...(node.oneOf ?? [])]) {
      if (typeof choice === 'object') visit(choice, path)
    }
  }
  visit(z.toJSONSchema(SessionConfigSchema, { io: 'input' }), [])
  const patterns = trustRules.map(({ pattern }) => pattern)
  const isCovered = (key: string): boolean =>
    patterns.some((pattern) => key === pattern || key.startsWith(`${pattern}.`))
  expect(found.length).toBeGreaterThan(15)
  expect(found.filter((key) => !isCovered(key))).toEqual([])
})
