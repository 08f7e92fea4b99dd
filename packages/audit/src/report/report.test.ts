import fc from 'fast-check'
import { expect, test } from 'vitest'

import { AuditFindingsReportSchema, type Finding } from '@audit-tools/shared/findings'

import { buildFindingsReport, renderers, type ReportInput } from './index.ts'
import { renderCode, renderFence } from './markdown.ts'

function makeFinding(overrides: Partial<Finding> = {}): Finding {
  return {
    id: 'F-0000000001',
    title: 'Shell command from input',
    category: 'injection',
    lens: 'security',
    severity: 'high',
    confidence: 'high',
    summary: 'A name reaches the shell.',
    affected_files: [{ path: 'src/a.js', line_start: 3, line_end: 3, quoted_text: 'exec(name)' }],
    source: 'analyzer',
    reporters: ['rules'],
    grounding: { status: 'grounded' },
    fingerprints: { primary: 'p1', moved: 'm1' },
    state: 'new',
    ...overrides,
  }
}

function makeInput(findings: readonly Finding[]): ReportInput {
  return {
    runId: 'R-1',
    snapshot: {
      root: '/r',
      commit: 'c'.repeat(40),
      treeHash: 't',
      files: [],
      excluded: [{ path: 'x|y.png', reason: 'binary' }],
      untrackedSkipped: 2,
      unmatchedRules: ['config: vendor/**'],
    },
    findings,
    quarantined: [],
    known: [],
    resolved: [],
    notRechecked: [],
    workBlocks: [],
    analyzers: [
      {
        id: 'rules',
        title: 'Rules',
        version: '1',
        outcome: 'failed',
        reason: 'out of memory',
        filesCovered: 3,
        findings: 0,
        leads: 0,
      },
    ],
    intake: { sources: [{ name: 'analyzers', received: 1, rejected: 0 }], kept: 1, merged: 0 },
    packets: { planned: 2, reviewed: 0, failed: 0, deferred: 2 },
    plannedPromptTokens: 1000,
    usage: [],
    gaps: [],
    hasPools: false,
  }
}

test('the worst finding comes first, then the surest, then by place', () => {
  const order = buildFindingsReport(
    makeInput([
      makeFinding({ id: 'low', severity: 'low' }),
      makeFinding({ id: 'unsure', confidence: 'low' }),
      makeFinding({ id: 'sure' }),
      makeFinding({ id: 'critical', severity: 'critical', confidence: 'low' }),
    ]),
  ).findings.map(({ id }) => id)
  expect(order).toEqual(['critical', 'sure', 'unsure', 'low'])
})

test('the JSON report is what its schema says', () => {
  const report = buildFindingsReport(makeInput([makeFinding()]))
  expect(AuditFindingsReportSchema.parse(report)).toEqual(report)
  expect(report.summary.severity_breakdown).toEqual({
    critical: 0,
    high: 1,
    medium: 0,
    low: 0,
    info: 0,
  })
})

test('a failed analyzer, what was skipped and what matched nothing are said', () => {
  const text = renderers.md.render(makeInput([]), '1')
  expect(text).toContain('failed: out of memory')
  expect(text).toContain('untracked, skipped: 2')
  expect(text).toContain('`config: vendor/**` matched nothing')
  expect(text).toContain('No finding.')
})

test('no text of a finding reaches a report as markup or as a control character', () => {
  const hostile = '<img src=x onerror=alert(1)> `` ]]> \u001b[31m "quoted" & | =cmd()'
  const finding = makeFinding({
    title: hostile,
    summary: hostile,
    affected_files: [{ path: `a${hostile}`, line_start: 1, quoted_text: '```\n</code><script>' }],
  })
  for (const [format, renderer] of Object.entries(renderers)) {
    const text = renderer.render(makeInput([finding]), '1')
    expect(text, format).not.toContain('\u001b')
    if (format === 'html') expect(text).not.toContain('<img')
    if (format === 'junit') expect(text).not.toContain('<img')
  }
  expect(renderers.html.render(makeInput([finding]), '1').match(/<script>/g)).toHaveLength(1)
})

test('fences and inline code survive whatever backticks are inside', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('`', 'a', ' ', '\n') }), (text) => {
      const [open = '', ...rest] = renderFence(text).split('\n')
      expect(rest.slice(0, -1).some((line) => line.startsWith(open))).toBe(false)
      const ticks = /^`+/.exec(renderCode(text))?.[0] ?? ''
      expect(renderCode(text).slice(ticks.length, -ticks.length).split(/[^`]+/)).not.toContain(
        ticks,
      )
    }),
  )
})

test('a cell of the table of values is never a formula', () => {
  const [, row = ''] = renderers.csv
    .render(makeInput([makeFinding({ title: '=1+1', summary: 'a,"b"' })]), '1')
    .split('\r\n')
  expect(row).toContain(",'=1+1,")
  expect(row).toContain('"a,""b"""')
})

test('the formats for other tools name the place and the severity in their words', () => {
  const input = makeInput([makeFinding()])
  expect(JSON.parse(renderers.rdjson.render(input, '1'))).toMatchObject({
    diagnostics: [
      { severity: 'ERROR', location: { path: 'src/a.js', range: { start: { line: 3 } } } },
    ],
  })
  expect(JSON.parse(renderers.gitlab.render(input, '1'))).toMatchObject([
    {
      severity: 'critical',
      fingerprint: 'p1',
      location: { path: 'src/a.js', lines: { begin: 3 } },
    },
  ])
  expect(renderers.junit.render(input, '1')).toContain('failures="1"')
})
