import { expect, test } from 'vitest'

import { detectFormat, importAnalyzerResults } from './import-findings.ts'
import { type ImportOptions, type ImportResult, renderImportAccounting } from './import-outcome.ts'

type Imported = Extract<ImportResult, { kind: 'imported' }>

function read(value: unknown, options: ImportOptions = {}): Imported {
  const result = importAnalyzerResults(JSON.stringify(value), options)
  if (result.kind === 'invalid') throw new Error(result.reason)
  return result
}

const eslintReport = [
  {
    filePath: '/ci/app/src/a.ts',
    messages: [
      {
        ruleId: 'no-eval',
        severity: 2,
        message: 'eval can be harmful.',
        line: 2,
        column: 3,
        endLine: 2,
        endColumn: 10,
        fix: { range: [12, 16], text: 'JSON.parse' },
      },
      {
        ruleId: null,
        fatal: true,
        severity: 2,
        message: 'Parsing error: unexpected token',
        line: 1,
      },
      { ruleId: null, severity: 1, message: 'File ignored because of a matching ignore pattern.' },
      7,
    ],
    suppressedMessages: [
      { ruleId: 'no-var', severity: 1, message: 'Unexpected var.', line: 1, suppressions: [] },
    ],
    source: 'const a = 1\n  eval(a)\n',
    errorCount: 1,
    warningCount: 0,
  },
  { filePath: '/elsewhere/b.ts', messages: [{ ruleId: 'no-var', severity: 1, message: 'x' }] },
]

test('eslint: every message is accounted for', () => {
  const result = read(eslintReport, { files: ['src/a.ts'], root: '/work/here' })
  expect(result.accounting).toEqual({
    received: 6,
    kept: 1,
    merged: 0,
    suppressed: 1,
    unlocated: 1,
    rejected: 3,
  })
  expect(result.drafts[0]).toMatchObject({
    title: 'eval can be harmful.',
    rule_id: 'no-eval',
    severity: 'medium',
    affected_files: [{ path: 'src/a.ts', line_start: 2, line_end: 2, quoted_text: 'eval(a)' }],
    fix: { edits: [{ path: 'src/a.ts', start: 12, end: 16, text: 'JSON.parse' }] },
  })
  expect(JSON.stringify(result)).not.toContain('/ci/app')
  expect(renderImportAccounting(result.accounting)).toBe(
    '6 results in = 1 kept + 0 merged + 1 suppressed + 1 unlocated + 3 rejected',
  )
})

const semgrepReport = {
  version: '1.90.0',
  results: [
    {
      check_id: 'javascript.lang.security.audit.sqli',
      path: 'src/a.ts',
      start: { line: 4, col: 1, offset: 40 },
      end: { line: 5, col: 9, offset: 80 },
      extra: {
        message: 'Tainted query. Use parameters.',
        severity: 'ERROR',
        metadata: { cwe: ['CWE-89: SQL Injection'], confidence: 'HIGH', category: 'security' },
        lines: 'db.query(a +\n  b)',
        fingerprint: 'requires login',
        fix: 'db.query(a, [b])',
      },
    },
    { check_id: 'x', path: 'src/a.ts', extra: { is_ignored: true, lines: 'requires login' } },
    { check_id: 'y' },
    { check_id: 'y', path: 'src/none.ts' },
  ],
  errors: [{ level: 'error', message: 'src/c.ts could not be parsed' }, { level: 'warn' }],
  paths: { scanned: ['src/a.ts'] },
}

test('semgrep: every result is accounted for, errors are told', () => {
  const result = read(semgrepReport, { files: ['src/a.ts'] })
  expect(result.accounting).toMatchObject({
    received: 4,
    kept: 1,
    suppressed: 1,
    unlocated: 1,
    rejected: 1,
  })
  expect(result.drafts[0]).toMatchObject({
    title: 'Tainted query',
    severity: 'high',
    confidence: 'high',
    lens: 'security',
    cwe: 'CWE-89',
    suggestion: 'Replace with: db.query(a, [b])',
    affected_files: [{ line_start: 4, line_end: 5, quoted_text: 'db.query(a +\n  b)' }],
  })
  expect(result.drafts[0]).not.toHaveProperty('tool_fingerprint')
  expect(result.runs).toEqual([
    {
      tool: 'semgrep',
      version: '1.90.0',
      outcome: { kind: 'ran' },
      notes: ['src/c.ts could not be parsed'],
    },
  ])
})

const npmReport = {
  auditReportVersion: 2,
  vulnerabilities: {
    minimist: {
      name: 'minimist',
      severity: 'critical',
      isDirect: false,
      via: [
        {
          source: 1179,
          name: 'minimist',
          title: 'Prototype Pollution in minimist',
          url: 'https://github.com/advisories/GHSA-xvch-5gv4-984h',
          severity: 'critical',
          cwe: ['CWE-1321'],
          range: '<1.2.6',
        },
        { source: 1096, title: 'Other', severity: 'moderate', range: '<0.2.1' },
      ],
      fixAvailable: true,
    },
    mkdirp: { name: 'mkdirp', severity: 'critical', via: ['minimist'], fixAvailable: false },
    ghost: { name: 'ghost', via: ['nobody'] },
    broken: 'x',
  },
  metadata: {},
}

test('npm audit: every advisory is one element, and packages hit through others are merged', () => {
  const result = read(npmReport, { files: ['package.json', 'package-lock.json'] })
  expect(result.accounting).toMatchObject({ received: 5, kept: 2, merged: 1, rejected: 2 })
  expect(result.drafts[0]).toMatchObject({
    title: 'minimist: Prototype Pollution in minimist',
    severity: 'critical',
    cwe: 'CWE-1321',
    rule_id: 'GHSA-xvch-5gv4-984h',
    affected_files: [{ path: 'package-lock.json' }],
    suggestion: 'Update minimist (npm audit fix)',
  })
  expect(result.drafts[1]).toMatchObject({ severity: 'medium', rule_id: 'npm/1096' })
  expect(read(npmReport, { files: ['src/a.ts'] }).accounting).toMatchObject({
    kept: 0,
    unlocated: 2,
  })
})

test('npm audit of npm 6 is read, and one that failed is told apart', () => {
  const old = {
    advisories: {
      '118': {
        id: 118,
        module_name: 'minimatch',
        title: 'ReDoS',
        severity: 'high',
        cwe: 'CWE-400',
        recommendation: 'Update to 3.0.2',
        vulnerable_versions: '<=3.0.1',
      },
    },
    metadata: {},
  }
  expect(read(old).drafts[0]).toMatchObject({
    title: 'minimatch: ReDoS',
    rule_id: 'npm/118',
    cwe: 'CWE-400',
    suggestion: 'Update to 3.0.2',
  })
  const failed = read({ error: { code: 'ENOLOCK', summary: 'This command requires a lockfile.' } })
  expect(failed.runs[0]?.outcome).toEqual({
    kind: 'failed',
    reason: 'ENOLOCK: This command requires a lockfile.',
  })
})

test('formats are told apart by their shape', () => {
  const detect = (value: unknown) => detectFormat(JSON.stringify(value))
  expect(detect(eslintReport)).toBe('eslint')
  expect(detect(semgrepReport)).toBe('semgrep')
  expect(detect(npmReport)).toBe('npm-audit')
  expect(detect({ version: '2.1.0', runs: [] })).toBe('sarif')
  expect(detect({ findings: [] })).toBe('audit-findings')
  for (const value of [null, 7, {}, { results: [] }, [{ a: 1 }]]) {
    expect(detect(value)).toBeUndefined()
  }
  expect(detectFormat('not JSON')).toBeUndefined()
})

test('what is no analyzer result gets a reason', () => {
  expect(importAnalyzerResults('{"findings":[]}')).toEqual({
    kind: 'invalid',
    reason: 'it is a report of audit-code, not of an analyzer',
  })
  expect(importAnalyzerResults('{}').kind).toBe('invalid')
  expect(importAnalyzerResults('nonsense').kind).toBe('invalid')
})
