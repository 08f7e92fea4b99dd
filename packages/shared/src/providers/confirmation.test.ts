import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { readSharedProviderConfirmation, writeSharedProviderConfirmation } from './confirmation.ts'

const environment = { AUDIT_TOOLS_HOME: mkdtempSync(join(tmpdir(), 'confirm-')) }
const read = (root: string, reach: readonly string[]): string =>
  readSharedProviderConfirmation(root, reach, environment).kind

test('a repository is asked about once, and again only when something new is within reach', () => {
  expect(read('/a', ['codex'])).toBe('none')
  const answer = { reach: ['codex', 'opencode'], exclude: ['claude-code'], now: 5 }
  writeSharedProviderConfirmation('/a', answer, environment)
  expect(read('/a', ['opencode', 'codex'])).toBe('confirmed')
  expect(read('/a', ['codex'])).toBe('confirmed')
  expect(read('/a', ['codex', 'claude-code'])).toBe('confirmed')
  expect(readSharedProviderConfirmation('/a', ['codex', 'new'], environment)).toMatchObject({
    kind: 'reconfirm',
    added: ['new'],
    confirmation: { exclude: ['claude-code'], confirmed_at: 5 },
  })
  expect(read('/b', ['codex'])).toBe('none')
})
