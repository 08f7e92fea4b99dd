import { execFileSync } from 'node:child_process'
import { chmodSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { beforeAll, expect, test } from 'vitest'

import { commitAll, git, makeDirectory, makeRepository, readJson, runAuditCode } from './harness.ts'

interface Report {
  findings: { affected_files: { path: string; line_start?: number }[]; rule_id?: string }[]
  excluded_scope: { path: string; reason: string }[]
  summary: { audited_file_count: number }
}

const evil = "module.exports = (name) => require('child_process').exec('ls ' + name)"

let report: Report
let stdout: string

beforeAll(() => {
  const root = makeRepository({
    'one-line.js': evil,
    'crlf.js': `'use strict'\r\nmodule.exports = function (name) {\r\n  require('child_process').exec('ls ' + name)\r\n}\r\n`,
    'dist/app.min.js': `${'var a=1;'.repeat(20_000)}\n`,
    'naïve/ünïcode.js': `${evil}\n`,
    'new\nline.js': `${evil}\n`,
    'picture.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0]),
    'model.bin':
      'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n',
    'packages/one/package.json': '{ "name": "one", "version": "1.0.0" }\n',
    'packages/one/index.js': "import { two } from '../two/index.js'\nexport const one = two\n",
    'packages/two/package.json': '{ "name": "two", "version": "1.0.0" }\n',
    'packages/two/index.js': 'export const two = 2\n',
    'secret.js': 'module.exports = 1\n',
  })
  symlinkSync('..', join(root, 'packages/loop'))
  symlinkSync('/etc/passwd', join(root, 'passwd.js'))
  writeFileSync(join(root, 'huge.js'), '')
  truncateSync(join(root, 'huge.js'), 100 * 1024 * 1024)
  const child = makeRepository({ 'inner.js': `${evil}\n` })
  execFileSync(
    'git',
    ['-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', child, 'sub'],
    { cwd: root },
  )
  commitAll(root)
  chmodSync(join(root, 'secret.js'), 0o000)
  chmodSync(root, 0o777)
  const asNobody = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : []
  const home = makeDirectory('home')
  chmodSync(home, 0o777)
  const result = runAuditCode(['run', '--root', root], { wrapper: asNobody, env: { HOME: home } })
  expect(result.stderr).not.toMatch(/^error/m)
  expect(result.code).toBe(0)
  stdout = result.stdout
  report = readJson(root, '.audit-tools/audit/audit-findings.json')
  git(root, 'status')
})

function findReason(path: string): string | undefined {
  return report.excluded_scope.find((entry) => entry.path === path)?.reason
}

function findLines(path: string): (number | undefined)[] {
  return report.findings
    .filter(
      (finding) => finding.affected_files[0]?.path === path && finding.rule_id?.includes('command'),
    )
    .map((finding) => finding.affected_files[0]?.line_start)
}

test('a one-line file, a CRLF file and files with odd names are audited at the right line', () => {
  expect(findLines('one-line.js')).toEqual([1])
  expect(findLines('crlf.js')).toEqual([3])
  expect(findLines('naïve/ünïcode.js')).toEqual([1])
  expect(findLines('new\nline.js')).toEqual([1])
})

test('symbolic links, submodules, LFS pointers, binary, huge and unreadable files are listed with a reason', () => {
  expect(findReason('packages/loop')).toMatch(/symbolic link/i)
  expect(findReason('passwd.js')).toMatch(/symbolic link/i)
  expect(findReason('sub')).toMatch(/submodule/i)
  expect(findReason('model.bin')).toMatch(/LFS/)
  expect(findReason('picture.png')).toMatch(/binary/i)
  expect(findReason('huge.js')).toMatch(/(large|binary|MB)/i)
  expect(findReason('secret.js')).toMatch(/(unreadable|cannot be read|permission)/i)
})

test('nothing inside a submodule or behind a link is a finding', () => {
  const paths = report.findings.map((finding) => finding.affected_files[0]?.path ?? '')
  expect(paths.filter((path) => path.startsWith('sub/') || path.includes('loop'))).toEqual([])
})

test('control characters of a file name never reach the terminal', () => {
  expect(stdout).not.toContain('new\nline.js')
})
