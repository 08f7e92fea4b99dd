import { cpSync, existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'

import { Ajv } from 'ajv'
import { beforeAll, expect, test } from 'vitest'

import { AuditFindingsReportSchema } from '@audit-tools/shared/findings'

import {
  type CliResult,
  commitAll,
  fingerprintTree,
  git,
  makeDirectory,
  readJson,
  runAuditCode,
  writeFiles,
} from './harness.ts'

/** A real open-source code base that every clone has: the source of a published package, as a git repository. */
function makeRealRepository(packageName: string): string {
  const require = createRequire(join(import.meta.dirname, '../../shared/package.json'))
  const source = dirname(realpathSync(require.resolve(`${packageName}/package.json`)))
  const root = makeDirectory('real')
  git(root, 'init', '-q', '-b', 'main')
  cpSync(source, root, { recursive: true, filter: (path) => !path.endsWith('/node_modules') })
  // One plain fault, so that the test does not hang on what a version of the package happens to hold.
  writeFiles(root, {
    'lib/remote-shell.js':
      "const { exec } = require('node:child_process')\n\nmodule.exports = function list(directory, done) {\n  exec('ls ' + directory, done)\n}\n",
  })
  commitAll(root)
  return root
}

let root: string
let before: Map<string, string>
let result: CliResult

beforeAll(() => {
  root = makeRealRepository('undici')
  before = fingerprintTree(root)
  result = runAuditCode(['run', '--root', root])
})

test('an audit of a real code base with no key and no model ends with exit 0 and says where the report is', () => {
  expect(result.stderr).not.toMatch(/error/i)
  expect(result.code).toBe(0)
  expect(result.stdout).toContain(join(root, '.audit-tools/audit/audit-report.md'))
})

test('findings are grounded: the quote stands in the file at the line that is named', () => {
  const report = AuditFindingsReportSchema.parse(
    readJson(root, '.audit-tools/audit/audit-findings.json'),
  )
  expect(report.findings.length).toBeGreaterThan(0)
  for (const finding of report.findings) {
    expect(finding.grounding.status).toBe('grounded')
    const [place] = finding.affected_files
    if (place?.line_start === undefined || place.quoted_text === undefined) continue
    const lines = readFileSync(join(root, place.path), 'utf8').split(/\r\n|\r|\n/)
    const cited = lines.slice(place.line_start - 1, place.line_end ?? place.line_start).join('\n')
    const [firstLine = ''] = place.quoted_text.split('\n')
    expect(cited.replace(/\s+/g, ' ')).toContain(firstLine.trim().replace(/\s+/g, ' '))
  }
  const shell = report.findings.find(
    (finding) => finding.affected_files[0]?.path === 'lib/remote-shell.js',
  )
  expect(shell).toMatchObject({ cwe: 'CWE-78', affected_files: [{ line_start: 4 }] })
})

test('the SARIF file is valid against the 2.1.0 schema', () => {
  const schemaFile = join(
    import.meta.dirname,
    '../../shared/src/findings/fixtures/sarif-schema/sarif-2.1.0-rtm.5.json',
  )
  // Draft 4 differs from what ajv knows only in the names of these two keys.
  const { $schema: _draft, id: _id, ...schema } = readJson<Record<string, unknown>>(schemaFile)
  const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false })
  const validate = ajv.compile(schema)
  const valid = validate(readJson(root, '.audit-tools/audit/audit-report.sarif'))
  expect(validate.errors ?? []).toEqual([])
  expect(valid).toBe(true)
})

test('the audited tree and its .git are byte-identical; only .audit-tools is added, hidden from git by itself', () => {
  expect(fingerprintTree(root, ['.audit-tools'])).toEqual(before)
  expect(git(root, 'status', '--porcelain')).toBe('')
  expect(readFileSync(join(root, '.audit-tools/.gitignore'), 'utf8')).toBe('*\n')
})

test('without a provider the review is forecast and not claimed', () => {
  expect(result.stdout).toMatch(/\d+ packets?/)
  const report = readJson<{ summary: { packets: Record<string, number> } }>(
    root,
    '.audit-tools/audit/audit-findings.json',
  )
  const { planned, reviewed, failed, deferred } = report.summary.packets
  expect(planned).toBeGreaterThan(0)
  expect({ reviewed, failed, deferred }).toEqual({ reviewed: 0, failed: 0, deferred: planned })
})

test('the same tree gives the same plan and report bytes, on a second run and in another clone', () => {
  const names = ['audit-findings.json', 'audit-report.md', 'audit-report.sarif']
  const read = (base: string): string[] =>
    names.map((name) => readFileSync(join(base, '.audit-tools/audit', name), 'utf8'))
  const first = read(root)
  expect(runAuditCode(['run', '--root', root]).code).toBe(0)
  expect(read(root)).toEqual(first)

  const clone = join(makeDirectory('clone'), 'elsewhere')
  git(root, 'clone', '-q', root, clone)
  expect(runAuditCode(['run', '--root', clone]).code).toBe(0)
  expect(read(clone)).toEqual(first)
})

test('nothing of the repository is executed or obeyed', () => {
  const trap = makeRealRepository('proper-lockfile')
  const witness = join(makeDirectory('witness'), 'executed')
  writeFiles(trap, {
    '.oxlintrc.json': '{ "extends": ["./trap.js"], "rules": { "no-debugger": "off" } }',
    'oxlint.config.ts': `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(witness)}, '')\nexport default {}\n`,
    'eslint.config.js': `require('node:fs').writeFileSync(${JSON.stringify(witness)}, '')\nmodule.exports = []\n`,
    '.secretlintrc.js': `require('node:fs').writeFileSync(${JSON.stringify(witness)}, '')\nmodule.exports = {}\n`,
    'sgconfig.yml': 'ruleDirs: [rules]\n',
    '.gitattributes': '* filter=trap diff=trap\n',
    'package.json': JSON.stringify({
      name: 'trap',
      version: '1.0.0',
      scripts: { preinstall: `touch ${witness}`, prepare: `touch ${witness}` },
    }),
  })
  commitAll(trap)
  git(trap, 'config', 'filter.trap.clean', `touch ${witness}; cat`)
  git(trap, 'config', 'core.fsmonitor', `touch ${witness}; true`)
  git(trap, 'config', 'diff.trap.textconv', `touch ${witness}; cat`)
  git(trap, 'config', 'core.hooksPath', '.hooks')
  writeFiles(trap, { 'index.js': '// edited, so that git has to look at the content\n' })
  expect(runAuditCode(['run', '--root', trap]).code).toBe(0)
  expect(existsSync(witness)).toBe(false)
})
