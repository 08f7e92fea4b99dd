import fc from 'fast-check'
import { expect, test } from 'vitest'

import { makeFinding } from './fixtures/drafts.ts'
import type { Finding } from './finding.ts'
import { planWorkBlocks } from './work-blocks.ts'

function finding(id: string, paths: readonly string[], overrides: Partial<Finding> = {}): Finding {
  return makeFinding({ id, affected_files: paths.map((path) => ({ path })), ...overrides })
}

test('findings that touch one file, directly or through others, share a block', () => {
  const { blocks } = planWorkBlocks([
    finding('F-1', ['src/a.ts']),
    finding('F-2', ['src/a.ts', 'lib/b.ts']),
    finding('F-3', ['lib/b.ts']),
  ])
  expect(blocks).toMatchObject([
    { finding_ids: ['F-1', 'F-2', 'F-3'], owned_files: ['lib/b.ts', 'src/a.ts'], depends_on: [] },
  ])
})

test('small groups of one package are put together, other packages stay apart', () => {
  const { blocks } = planWorkBlocks([
    finding('F-1', ['packages/api/src/a.ts']),
    finding('F-2', ['packages/api/src/b.ts']),
    finding('F-3', ['packages/web/src/c.ts']),
  ])
  const groups = blocks.map((block) => block.finding_ids.join(' '))
  expect(new Set(groups)).toEqual(new Set(['F-1 F-2', 'F-3']))
})

test('R05 notes to coordinate with each other order nothing; what one makes for the other does', () => {
  const { blocks, cycles } = planWorkBlocks([
    finding('F-a', ['a/x.ts'], { related_findings: ['F-b'] }),
    finding('F-b', ['b/x.ts'], { related_findings: ['F-a'], depends_on: ['F-a'] }),
  ])
  expect(cycles).toEqual([])
  expect(blocks.map((block) => block.finding_ids)).toEqual([['F-a'], ['F-b']])
  expect(blocks[1]?.depends_on).toEqual([blocks[0]?.id])
})

test('R06 findings that depend on each other in a circle become one block, and the circle is told', () => {
  const { blocks, cycles } = planWorkBlocks([
    finding('F-a', ['a/x.ts'], { depends_on: ['F-b'] }),
    finding('F-b', ['b/x.ts'], { depends_on: ['F-c'] }),
    finding('F-c', ['c/x.ts'], { depends_on: ['F-a'] }),
  ])
  expect(cycles).toEqual([['F-a', 'F-b', 'F-c', 'F-a']])
  expect(blocks).toHaveLength(1)
})

test('a circle that only grouping by files makes is joined without a word', () => {
  const { blocks, cycles } = planWorkBlocks([
    finding('F-a', ['a.ts']),
    finding('F-b', ['a.ts'], { depends_on: ['F-c'] }),
    finding('F-c', ['c/c.ts'], { depends_on: ['F-a'] }),
  ])
  expect(cycles).toEqual([])
  expect(blocks.map((block) => block.finding_ids)).toEqual([['F-a', 'F-b', 'F-c']])
})

const finders = fc
  .array(
    fc.record({
      paths: fc.uniqueArray(fc.constantFrom('a/1', 'a/2', 'b/1', 'b/2', 'c/1', 'd'), {
        maxLength: 2,
      }),
      on: fc.array(fc.nat({ max: 15 }), { maxLength: 2 }),
    }),
    { maxLength: 14 },
  )
  .map((items) =>
    items.map(({ paths, on }, index) =>
      finding(
        `F-${index}`,
        paths,
        on.length === 0 ? {} : { depends_on: on.map((other) => `F-${other}`) },
      ),
    ),
  )

test('every finding is in one block, no file has two owners, and blocks come after what they depend on', () => {
  fc.assert(
    fc.property(finders, (findings) => {
      const { blocks } = planWorkBlocks(findings)
      const ids = blocks.flatMap((block) => block.finding_ids)
      expect(ids.toSorted()).toEqual(findings.map(({ id }) => id).toSorted())
      const files = blocks.flatMap((block) => block.owned_files)
      expect(new Set(files).size).toBe(files.length)
      const position = new Map(blocks.map((block, index) => [block.id, index]))
      for (const [index, block] of blocks.entries()) {
        for (const id of block.depends_on) expect(position.get(id)).toBeLessThan(index)
      }
    }),
  )
})

test('the plan does not depend on the order of the findings', () => {
  fc.assert(
    fc.property(finders, (findings) => {
      expect(planWorkBlocks(findings.toReversed())).toEqual(planWorkBlocks(findings))
    }),
  )
})

test('ten thousand findings are planned in a moment', () => {
  const findings = Array.from({ length: 10_000 }, (_, index) =>
    finding(`F-${index}`, [`p${index % 7}/f${index % 900}.ts`], {
      ...(index > 0 && { depends_on: [`F-${index - 1}`] }),
    }),
  )
  expect(planWorkBlocks(findings).blocks.length).toBeGreaterThan(0)
})
