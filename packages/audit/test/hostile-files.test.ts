import { expect, test } from 'vitest'

import { makeRepository, readJson, runAuditCode } from './harness.ts'

test('a file that would crash a parser costs that file, not the audit', () => {
  const deep = (open: string, close: string, times: number): string =>
    `module.exports = ${open.repeat(times)}1${close.repeat(times)}\n`
  const root = makeRepository({
    'brackets.js': `${deep('[', ']', 30_000)}eval('1')\n`,
    'templates.js': `${deep('`${', '}`', 20_000)}eval('1')\n`,
    'calls.ts': `${deep('f(', ')', 30_000)}eval('1')\n`,
    'fault.js': "module.exports = (name) => require('child_process').exec('ls ' + name)\n",
  })
  const result = runAuditCode(['run', '--root', root])
  expect(result.stderr).not.toMatch(/^error/m)
  expect(result.code).toBe(0)
  const report = readJson<{ findings: { affected_files: { path: string }[] }[] }>(
    root,
    '.audit-tools/audit/audit-findings.json',
  )
  const paths = report.findings.map((finding) => finding.affected_files[0]?.path)
  expect(paths).toContain('fault.js')
})
