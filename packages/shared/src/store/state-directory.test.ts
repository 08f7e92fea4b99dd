import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { resolveStateDirectory } from './index.ts'

test('the state directory is named by the first variable that says one', () => {
  const all = { AUDIT_TOOLS_HOME: '/own', XDG_STATE_HOME: '/state', HOME: '/home/me' }
  expect(resolveStateDirectory(all)).toBe('/own')
  expect(resolveStateDirectory({ ...all, AUDIT_TOOLS_HOME: '' })).toBe('/state/audit-tools')
  expect(resolveStateDirectory({ HOME: '/home/me' })).toBe('/home/me/.local/state/audit-tools')
  expect(resolveStateDirectory({})).toBe(join(homedir(), '.local', 'state', 'audit-tools'))
})

test('a relative state home is ignored and a relative own home is made absolute', () => {
  expect(resolveStateDirectory({ XDG_STATE_HOME: 'state', HOME: '/h' })).toBe(
    '/h/.local/state/audit-tools',
  )
  expect(resolveStateDirectory({ AUDIT_TOOLS_HOME: 'own' })).toBe(resolve('own'))
})
