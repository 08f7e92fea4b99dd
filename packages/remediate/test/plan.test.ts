import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

const bin = join(import.meta.dirname, '../dist/bin.js')
const report = join(import.meta.dirname, '../../shared/src/findings/fixtures/audit-findings.json')

function run(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const cwd = mkdtempSync(join(tmpdir(), 'remediate-'))
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd }
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd,
    env,
    encoding: 'utf8',
  })
  return { code: status, stdout, stderr }
}

interface Plan {
  readonly tasks: readonly {
    readonly items: readonly string[]
    readonly files: readonly string[]
  }[]
}

test('a plan groups every finding of a report into tasks that share no file, and says so in sums', () => {
  const { code, stdout } = run('plan', '--from', report, '--json')
  expect(code).toBe(0)
  const { tasks } = JSON.parse(stdout) as Plan
  const { findings } = JSON.parse(readFileSync(report, 'utf8')) as { findings: { id: string }[] }
  const planned = tasks.flatMap((task) => task.items)
  expect(planned.toSorted()).toEqual(findings.map(({ id }) => id).toSorted())
  const files = tasks.flatMap((task) => task.files)
  expect(new Set(files).size).toBe(files.length)
})

test('two sources are both used, and a file that is no report is refused with a reason', () => {
  const broken = join(mkdtempSync(join(tmpdir(), 'remediate-')), 'broken.json')
  writeFileSync(broken, '{"cut')
  const refused = run('plan', '--from', broken)
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('broken.json')
  const twice = run('plan', '--from', report, '--input', report)
  expect(twice.code).toBe(0)
})

test('help says plainly what is not there yet', () => {
  expect(run('--help').stdout).toMatch(/not (?:there|built) yet/)
})
