import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { git, makeDirectory, makeRepository, runAuditCode, writeFiles } from './harness.ts'

const source = { 'src/index.js': 'export const answer = 42\n' }

function expectOneError(result: { stderr: string; stdout: string }, pattern: RegExp): void {
  expect(result.stderr).toMatch(pattern)
  expect(result.stderr.match(/^error/gm)).toHaveLength(1)
  expect(result.stderr).not.toMatch(/^\s+at /m)
  expect(result.stdout).toBe('')
}

test('an unknown flag is a usage error that names the nearest one', () => {
  const result = runAuditCode(['run', '--root', makeRepository(source), '--depht', 'quick'])
  expect(result.code).toBe(2)
  expectOneError(result, /--depht[\s\S]*--depth/)
})

test('an unknown command is a usage error that names the nearest one', () => {
  const result = runAuditCode(['stauts'])
  expect(result.code).toBe(2)
  expectOneError(result, /stauts[\s\S]*status/)
})

test.each([
  ['broken JSON', '{ "exclude": [', /session-config\.json[\s\S]*line 1/],
  ['an unknown key', '{ "exlude": ["vendor/**"] }', /exlude[\s\S]*exclude/],
  ['a wrong type', '{ "exclude": "vendor" }', /exclude/],
])('%s in the config is a config error that says where', (_, text, pattern) => {
  const root = makeRepository(source)
  writeFiles(root, { '.audit-tools/audit/session-config.json': text })
  const result = runAuditCode(['run', '--root', root])
  expect(result.code).toBe(2)
  expectOneError(result, pattern)
})

test('a root that is not there, or is a file, is a usage error', () => {
  const absent = runAuditCode(['run', '--root', join(makeDirectory('x'), 'nowhere')])
  expect(absent.code).toBe(2)
  expectOneError(absent, /nowhere/)
  const file = join(makeDirectory('x'), 'file')
  writeFileSync(file, '')
  expect(runAuditCode(['run', '--root', file]).code).toBe(2)
})

test('a path outside the root is a usage error', () => {
  const root = makeRepository(source)
  const result = runAuditCode(['run', '--root', root, '--paths', '../elsewhere'])
  expect(result.code).toBe(2)
  expectOneError(result, /elsewhere[\s\S]*outside/)
})

test('a full disk is an environment error and no half-written report is left', () => {
  const root = makeRepository(source)
  const result = runAuditCode(['run', '--root', root], {
    env: { AUDIT_TOOLS_FAIL_WRITES: 'ENOSPC:6' },
  })
  expect(result.code).toBe(3)
  expectOneError(result, /(no space|disk is full)/i)
  expect(runAuditCode(['run', '--root', root]).code).toBe(0)
})

test('no permission to write is an environment error that names the path', () => {
  const parent = mkdtempSync('/tmp/audit-code-readonly-')
  chmodSync(parent, 0o755)
  const root = join(parent, 'root')
  mkdirSync(root)
  writeFiles(root, source)
  chmodSync(root, 0o555)
  const home = mkdtempSync('/tmp/audit-code-home-')
  chmodSync(home, 0o777)
  const asNobody = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : []
  const result = runAuditCode(['run', '--root', root], { wrapper: asNobody, env: { HOME: home } })
  expect(result.code).toBe(3)
  expectOneError(result, /\.audit-tools/)
})

test.each([
  ['missing', undefined, /git/i],
  ['too old', '#!/bin/sh\necho git version 1.8.3\n', /1\.8\.3/],
])('git that is %s is an environment error where there is a repository', (_, script, pattern) => {
  const root = makeRepository(source)
  const bin = makeDirectory('bin')
  if (script !== undefined) {
    writeFileSync(join(bin, 'git'), script)
    chmodSync(join(bin, 'git'), 0o755)
  }
  const result = runAuditCode(['run', '--root', root], { env: { PATH: bin } })
  expect(result.code).toBe(3)
  expectOneError(result, pattern)
})

test('a directory without git, an empty repository and an unborn HEAD are audited or have nothing to audit', () => {
  const plain = makeDirectory('plain')
  writeFiles(plain, source)
  expect(runAuditCode(['run', '--root', plain]).code).toBe(0)

  const empty = makeDirectory('empty')
  git(empty, 'init', '-q')
  const nothing = runAuditCode(['run', '--root', empty])
  expect(nothing.code).toBe(0)
  expect(nothing.stdout).toMatch(/nothing to audit/i)

  const unborn = makeDirectory('unborn')
  git(unborn, 'init', '-q')
  writeFiles(unborn, source)
  git(unborn, 'add', '-A')
  expect(runAuditCode(['run', '--root', unborn]).code).toBe(0)
})

test('state that came with the repository is refused', () => {
  const root = makeRepository({
    ...source,
    '.audit-tools/audit/runs/R-1/results/x.json': '{}',
  })
  const result = runAuditCode(['run', '--root', root])
  expect(result.code).toBe(2)
  expectOneError(result, /tracked by git/)
})

test('with --json an error is one JSON object on standard output', () => {
  const result = runAuditCode(['run', '--json', '--root', '/nowhere/at/all'])
  expect(result.code).toBe(2)
  expect(JSON.parse(result.stdout)).toMatchObject({ error: { code: 'root-invalid' } })
})
