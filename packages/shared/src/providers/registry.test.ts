import { expect, test } from 'vitest'

import { providerNames } from '../config/index.ts'
import { findProvider, providers } from './registry.ts'

test('every kind of backend that a source may name has one provider', () => {
  expect(providers.map(({ name }) => name).toSorted()).toEqual([...providerNames].toSorted())
})

test('what an editor starts is never launched by a tool itself', () => {
  const never = providers.filter(({ inProcess }) => inProcess === 'never')
  expect(never.map(({ name }) => name)).toEqual(['vscode-task', 'antigravity'])
})

test('a template takes a command, and only known placeholders in it', () => {
  for (const name of ['local-subprocess', 'vscode-task', 'antigravity'] as const) {
    const provider = findProvider(name)
    const context = { clock: { now: () => 0 } as never, environment: {} }
    expect(provider?.checkSource({ provider: name }, context)).toBe('it needs a command')
    const command = ['code', '--wait', '{prompt_path}', '{result_path}']
    expect(provider?.checkSource({ provider: name, command }, context)).toBeNull()
  }
})
