import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { identify, makeDraft, makeFinding, makeTree } from '../fixtures/drafts.ts'
import type { Finding } from '../finding.ts'
import { assignIdentity } from '../identity/identity.ts'
import { importSarif } from './import.ts'
import { renderSarif } from './render.ts'

const options = { tool: 'audit-code', version: '1.2.3' }

function compileSchema(): ValidateFunction {
  const file = new URL('../fixtures/sarif-schema/sarif-2.1.0-rtm.5.json', import.meta.url)
  // Draft 4 differs from what ajv knows only in the names of these two keys.
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(file, 'utf8'))
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false })
  addFormats.default(ajv)
  return ajv.compile(schema)
}

const validate = compileSchema()

interface Log {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly Record<string, unknown>[] } }
      readonly results: readonly Record<string, never>[]
      readonly invocations: readonly [
        { toolExecutionNotifications: { message: { text: string } }[] },
      ]
    },
  ]
}

function render(parts: Partial<Parameters<typeof renderSarif>[0]>, maxResults?: number): Log {
  const report = { findings: [], known_findings: [], gaps: [], ...parts }
  const text = renderSarif(report, { ...options, ...(maxResults && { maxResults }) })
  const log = JSON.parse(text) as Log
  validate(log)
  expect(validate.errors ?? []).toEqual([])
  return log
}

const code = 'function load(key) {\n  return cache.get(key)\n}\n'
const rich: Finding[] = identify(
  [
    makeDraft(
      {
        path: 'src/ä b/100%#c.ts',
        quoted_text: 'return cache.get(key)',
        line_start: 2,
        line_end: 2,
      },
      {
        lens: 'security',
        cwe: 'CWE-79',
        summary: String.raw`Reads [key](1) of C:\cache[0].`,
        category: 'injection',
        fix: {
          description: 'Escape it',
          edits: [{ path: 'src/ä b/100%#c.ts', start: 23, end: 28, text: 'safe' }],
        },
      },
    ),
    makeDraft({ path: 'a.ts' }, { source: 'analyzer', rule_id: 'lint/no-file' }),
  ],
  makeTree({ 'src/ä b/100%#c.ts': code, 'a.ts': code }),
)

test('a report is valid SARIF 2.1.0 with relative, encoded locations and our fingerprints', () => {
  const { runs } = render({ findings: rich })
  const result = runs[0].results.find((item) => item.ruleId === ('injection' as never))
  expect(result).toMatchObject({
    level: 'error',
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'src/%C3%A4%20b/100%25%23c.ts', uriBaseId: '%SRCROOT%' },
          region: { startLine: 2, endLine: 2, snippet: { text: 'return cache.get(key)' } },
        },
        logicalLocations: [{ fullyQualifiedName: 'load' }],
      },
    ],
    partialFingerprints: { 'auditTools/primary/v1': rich[0]?.fingerprints.primary },
    baselineState: 'new',
    fixes: [
      {
        artifactChanges: [
          {
            replacements: [
              {
                deletedRegion: { charOffset: 23, charLength: 5 },
                insertedContent: { text: 'safe' },
              },
            ],
          },
        ],
      },
    ],
  })
  const rule = runs[0].tool.driver.rules.find(({ id }) => id === 'injection')
  expect(rule?.properties).toEqual({
    tags: ['external/cwe/cwe-079', 'security'],
    precision: 'medium',
    'security-severity': '8.0',
  })
})

test('what a person dismissed is a suppressed result with the reason', () => {
  const [finding] = rich
  const known = { ...finding, dismissal: { reason: 'by design' } } as Finding
  expect(render({ known_findings: [known] }).runs[0].results[0]?.suppressions).toEqual([
    { kind: 'external', status: 'accepted', justification: 'by design' },
  ])
})

test('when too many results would be written the mildest are left out and counted', () => {
  const findings = ['low', 'critical', 'high'].map((severity, index) =>
    makeFinding({ id: `F-${index}`, severity: severity as Finding['severity'] }),
  )
  const { runs } = render({ findings }, 2)
  expect(runs[0].results.map(({ level }) => level)).toEqual(['error', 'error'])
  expect(runs[0].invocations[0].toolExecutionNotifications).toEqual([
    { level: 'warning', message: { text: '1 result left out: at most 2 fit' } },
  ])
})

test('gaps are told as notifications', () => {
  const gaps = [{ scope: 'packet' as const, subject: 'P-7', reason: 'no attempts left' }]
  const [notice] = render({ gaps }).runs[0].invocations[0].toolExecutionNotifications
  expect(notice?.message.text).toBe('Not covered: packet P-7: no attempts left')
})

test('long texts are cut between characters', () => {
  const finding = makeFinding({ id: 'F-1', title: '𝒳'.repeat(2000), summary: 'x'.repeat(5000) })
  const [rule] = render({ findings: [finding] }).runs[0].tool.driver.rules
  const { text } = (rule ?? {}).shortDescription as { text: string }
  expect(text.length).toBeLessThanOrEqual(1024)
  expect(text).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/)
  expect(text.endsWith('…')).toBe(true)
})

test('what we write we read back with the same identity, severity and repair', () => {
  const text = renderSarif({ findings: rich, known_findings: [], gaps: [] }, options)
  const files = ['src/ä b/100%#c.ts', 'a.ts']
  const result = importSarif(text, { files, readText: () => code })
  if (result.kind === 'invalid') throw new Error(result.reason)
  expect(result.accounting).toMatchObject({ received: 2, kept: 2 })
  const again = identify(result.drafts, makeTree({ 'src/ä b/100%#c.ts': code, 'a.ts': code }))
  const byId = (left: Finding, right: Finding): number => (left.id < right.id ? -1 : 1)
  expect(again.toSorted(byId).map(({ id }) => id)).toEqual(rich.toSorted(byId).map(({ id }) => id))
  for (const finding of rich) {
    const twin = again.find(({ id }) => id === finding.id)
    expect(twin).toMatchObject({
      severity: finding.severity,
      confidence: finding.confidence,
      lens: finding.lens,
      category: finding.category,
    })
    expect(twin?.summary).toBe(`${finding.title}. ${finding.summary}`)
    expect(twin?.fix?.edits).toEqual(finding.fix?.edits)
  }
})

test('without text at hand, identity comes back too', () => {
  const text = renderSarif({ findings: rich, known_findings: [], gaps: [] }, options)
  const result = importSarif(text)
  if (result.kind === 'invalid') throw new Error(result.reason)
  const grounding = { status: 'grounded' } as const
  const again = assignIdentity(result.drafts.map((draft) => ({ draft, grounding })))
  expect(new Set(again.map(({ id }) => id))).toEqual(new Set(rich.map(({ id }) => id)))
})
