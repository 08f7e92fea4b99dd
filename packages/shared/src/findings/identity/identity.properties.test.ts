import fc from 'fast-check'
import { expect, test } from 'vitest'

import { identify, makeDraft, makeTree } from '../fixtures/drafts.ts'
import type { Finding, FindingDraft } from '../finding.ts'
import { matchFindings } from './match.ts'
import { mergeFindings } from './merge.ts'

/** Statements long enough to quote; the first two are equal in many a generated file. */
const statement = fc.oneof(
  fc.constant('return cache.get(key)'),
  fc.constant('await store.write(path, value)'),
  fc.nat({ max: 40 }).map((number) => `const value${number} = compute(input${number})`),
)

interface Program {
  readonly functions: readonly (readonly string[])[]
}

const program: fc.Arbitrary<Program> = fc.record({
  functions: fc.array(fc.array(statement, { minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 4,
  }),
})

function render({ functions }: Program): string {
  return functions
    .map(
      (body, index) =>
        `function part${index}() {\n${body.map((line) => `  ${line}\n`).join('')}}\n`,
    )
    .join('\n')
}

/** One draft for every statement of the program. */
function report(
  code: Program,
  path: string,
  overrides: Partial<FindingDraft>,
  format: (line: string) => string = (line) => line,
): FindingDraft[] {
  return render(code)
    .split('\n')
    .flatMap((line, index) =>
      line.startsWith('  ')
        ? [makeDraft({ path, quoted_text: format(line).trim(), line_start: index + 1 }, overrides)]
        : [],
    )
}

function identities(findings: readonly Finding[]): string[] {
  return findings.map(({ id }) => id)
}

test('distinct places in one file never share an identity, however equal their text', () => {
  fc.assert(
    fc.property(program, (code) => {
      const tree = makeTree({ 'a.ts': render(code) })
      const findings = identify(report(code, 'a.ts', {}), tree)
      expect(new Set(identities(findings)).size).toBe(findings.length)
      expect(mergeFindings(findings).findings).toHaveLength(findings.length)
    }),
  )
})

test('what several reporters say about one place under one rule is one finding with all reporters', () => {
  fc.assert(
    fc.property(program, fc.integer({ min: 2, max: 4 }), (code, count) => {
      const tree = makeTree({ 'a.ts': render(code) })
      const names = Array.from({ length: count }, (_, index) => `pool-${index}`)
      const drafts = names.flatMap((name) =>
        report(code, 'a.ts', {
          reporters: [name],
          title: `In the words of ${name}`,
          summary: name,
        }),
      )
      const { findings, conservation } = mergeFindings(identify(drafts, tree))
      expect(findings).toHaveLength(drafts.length / count)
      for (const finding of findings) expect(finding.reporters).toEqual(names)
      expect(conservation.received).toBe(conservation.kept + conservation.merged.length)
    }),
  )
})

test('lines that are added, reformatting and other words keep every identity', () => {
  fc.assert(
    fc.property(program, fc.nat({ max: 30 }), (code, drift) => {
      const before = identify(report(code, 'a.ts', {}), makeTree({ 'a.ts': render(code) }))
      const text = `${'// added\n'.repeat(drift)}${reformat(render(code))}`
      const drafts = report(code, 'a.ts', { title: 'Other words' }, reformat)
      const after = identify(
        drafts.map((draft) => shift(draft, drift)),
        makeTree({ 'a.ts': text }),
      )
      expect(identities(after)).toEqual(identities(before))
    }),
  )
})

test('a rename pairs every finding with itself', () => {
  fc.assert(
    fc.property(program, (code) => {
      const before = identify(report(code, 'a.ts', {}), makeTree({ 'a.ts': render(code) }))
      const after = identify(report(code, 'b.ts', {}), makeTree({ 'b.ts': render(code) }))
      const pairs = matchFindings(before, after)
      expect(pairs).toHaveLength(before.length)
      for (const { known, current } of pairs) {
        expect(before.indexOf(known)).toBe(after.indexOf(current))
      }
    }),
  )
})

/** Tabs, semicolons and spaces inside, as another formatter would have it. */
function reformat(text: string): string {
  return text.replaceAll(/^ {2}/gm, '\t').replaceAll(/\(/g, '( ').replaceAll(/\)$/gm, ' );')
}

function shift(draft: FindingDraft, drift: number): FindingDraft {
  return {
    ...draft,
    affected_files: draft.affected_files.map((place) => ({
      ...place,
      line_start: (place.line_start ?? 0) + drift,
    })),
  }
}

test('merging does not depend on the order of the findings, and merging again changes nothing', () => {
  fc.assert(
    fc.property(program, fc.integer(), (code, seed) => {
      const tree = makeTree({ 'a.ts': render(code) })
      const drafts = ['x', 'y'].flatMap((name) =>
        report(code, 'a.ts', {
          reporters: [name],
          title: name,
          severity: name === 'x' ? 'low' : 'critical',
          evidence: [`seen by ${name}`],
        }),
      )
      const findings = identify(drafts, tree)
      const once = mergeFindings(findings)
      const order = new Map(findings.map((finding, index) => [finding, (index * 7 + seed) % 13]))
      const shuffled = findings.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
      expect(mergeFindings(shuffled)).toEqual(once)
      expect(mergeFindings(once.findings).findings).toEqual(once.findings)
      for (const finding of once.findings) {
        expect(finding.severity).toBe('critical')
        expect(finding.evidence).toEqual(['seen by x', 'seen by y'])
      }
    }),
  )
})
