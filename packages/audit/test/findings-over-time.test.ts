import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { commitAll, makeRepository, readJson, runAuditCode, writeFiles } from './harness.ts'

interface Report {
  findings: { id: string; state: string; affected_files: { path: string; line_start: number }[] }[]
  known_findings: { id: string; dismissal: { reason: string } }[]
}

const fault =
  "const { exec } = require('node:child_process')\nmodule.exports = (name) => exec('ls ' + name)\n"

function audit(root: string): Report {
  const result = runAuditCode(['run', '--root', root])
  expect(result.stderr).not.toMatch(/^error/m)
  return readJson<Report>(root, '.audit-tools/audit/audit-findings.json')
}

test('a finding keeps its id when lines move and the file is renamed, and its state says what happened', () => {
  const root = makeRepository({
    'a.js': fault,
    'b.js': fault.replace('name) =>', 'other) =>').replace('+ name', '+ other'),
  })
  const first = audit(root)
  expect(first.findings.map(({ state }) => state)).toEqual(['new', 'new'])
  expect(runAuditCode(['baseline', '--root', root]).code).toBe(0)

  writeFileSync(join(root, 'a.js'), `// one\n// two\n${fault}`)
  renameSync(join(root, 'b.js'), join(root, 'c.js'))
  writeFiles(root, { 'd.js': 'module.exports = (code) => eval(code)\n' })
  commitAll(root)
  const states = new Map(audit(root).findings.map((one) => [one.affected_files[0]?.path, one]))
  const idOf = (path: string): string | undefined =>
    first.findings.find((one) => one.affected_files[0]?.path === path)?.id
  expect(states.get('a.js')).toMatchObject({
    id: idOf('a.js'),
    state: 'persisting',
    affected_files: [{ line_start: 4 }],
  })
  expect(states.get('c.js')).toMatchObject({ id: idOf('b.js'), state: 'moved' })
  expect(states.get('d.js')).toMatchObject({ state: 'new' })
})

test('a finding that is gone is named as resolved, and reopened when it comes back', () => {
  const root = makeRepository({ 'a.js': fault })
  audit(root)
  runAuditCode(['baseline', '--root', root])
  writeFileSync(join(root, 'a.js'), 'module.exports = 1\n')
  commitAll(root)
  expect(audit(root).findings).toEqual([])
  const report = readFileSync(join(root, '.audit-tools/audit/audit-report.md'), 'utf8')
  expect(report).toMatch(/resolved .*a\.js.*the code is gone/)
  runAuditCode(['baseline', '--root', root])
  writeFileSync(join(root, 'a.js'), fault)
  commitAll(root)
  expect(audit(root).findings).toMatchObject([{ state: 'reopened' }])
})

test('a dismissed finding is known from then on, also on other lines', () => {
  const root = makeRepository({ 'a.js': fault })
  const [finding] = audit(root).findings
  const dismissed = runAuditCode([
    'dismiss',
    finding?.id ?? '',
    '--reason',
    'by design',
    '--root',
    root,
  ])
  expect(dismissed.code).toBe(0)
  writeFileSync(join(root, 'a.js'), `// moved\n${fault}`)
  commitAll(root)
  expect(audit(root)).toMatchObject({
    findings: [],
    known_findings: [{ id: finding?.id, dismissal: { reason: 'by design' } }],
  })
})

test('a dismissal of an unknown id, or until a day that is past, is a usage error', () => {
  const root = makeRepository({ 'a.js': fault })
  const [finding] = audit(root).findings
  expect(runAuditCode(['dismiss', 'F-nothing', '--reason', 'x', '--root', root]).code).toBe(2)
  const past = runAuditCode([
    'dismiss',
    finding?.id ?? '',
    '--reason',
    'x',
    '--until',
    '2001-01-01',
    '--root',
    root,
  ])
  expect(past.code).toBe(2)
  expect(past.stderr).toContain('2001-01-01')
})

test('findings of another analyzer are imported once, accounted for, and stand in the report', () => {
  const root = makeRepository({ 'a.js': 'module.exports = 1\n' })
  const sarif = join(root, 'other.sarif')
  writeFileSync(
    sarif,
    JSON.stringify({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'Other' } },
          results: [
            {
              ruleId: 'X1',
              level: 'error',
              message: { text: 'One is not two' },
              locations: [
                {
                  physicalLocation: { artifactLocation: { uri: 'a.js' }, region: { startLine: 1 } },
                },
              ],
            },
            { ruleId: 'X2', message: { text: 'Nowhere' } },
          ],
        },
      ],
    }),
  )
  const imported = runAuditCode(['import-external-analyzer', sarif, '--root', root])
  expect(imported.code).toBe(0)
  expect(imported.stdout).toMatch(/2 results? in = 1 kept/)
  runAuditCode(['import-external-analyzer', sarif, '--root', root])
  expect(audit(root).findings).toHaveLength(1)
  expect(runAuditCode(['import-external-analyzer', join(root, 'a.js'), '--root', root]).code).toBe(
    2,
  )
})
