import { isAuditToolsError } from '@audit-tools/shared/core'
import { expect, test } from 'vitest'

import { makeDirectory } from '../../test/support/make-repository.ts'
import { planFiles, planOf } from '../../test/support/plan-of.ts'
import { snapshotOf } from '../../test/support/snapshot-of.ts'
import { buildGraph } from '../graph/index.ts'
import { renderReviewPrompt, ReviewPacketSchema, showFile } from '../review/index.ts'
import { readSnapshotText, type SnapshotFile } from '../snapshot/index.ts'
import { describePackets } from './describe-packets.ts'
import {
  AuditTasksSchema,
  CoverageMatrixSchema,
  describeCoverage,
  describeTasks,
} from './describe-plan.ts'
import type { Plan } from './plan.ts'
import { planReview } from './plan-review.ts'

function makeFile(path: string, lines: number, lineBytes = 32): SnapshotFile {
  const kind = /\.ya?ml$/.test(path) ? 'config' : path.includes('.test.') ? 'test' : 'source'
  return {
    path,
    lines,
    bytes: lines * lineBytes,
    hash: path,
    language: null,
    kind,
    kindReason: 'test',
  }
}

/** Five hundred files that import their neighbours. */
function makeProgram(): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => {
      const body = Array.from(
        { length: 20 + ((index * 37) % 180) },
        (_unused, line) => `export const value${line} = compute(${line}, ${index})\n`,
      )
      const next = `import './file-${(index + 1) % 25}'\n`
      return [`packages/p${index % 20}/src/file-${Math.floor(index / 20)}.ts`, next + body.join('')]
    }),
  )
}

function idsOf(plan: Plan): string[] {
  return plan.packets.map(({ id }) => id).toSorted()
}

test('R02 one edited file of 500 leaves every packet that does not hold it as it was', async () => {
  const directory = makeDirectory(makeProgram())
  const before = await planOf(await snapshotOf(directory.root))
  const path = 'packages/p7/src/file-3.ts'
  directory.write({ [path]: "import '../../p8/src/file-0'\nexport const changed = true\n" })
  const after = await planOf(await snapshotOf(directory.root))
  const kept = new Set(idsOf(after))
  const stale = before.packets.filter(({ id }) => !kept.has(id))
  expect(before.packets.length).toBeGreaterThan(10)
  expect(stale).toHaveLength(1)
  expect(stale[0]?.files.some((file) => file.path === path)).toBe(true)
  const unchanged = after.packets.filter(({ id }) => !stale.some((packet) => packet.id === id))
  for (const packet of unchanged.filter(({ files }) => !files.some((file) => file.path === path))) {
    expect(before.packets.find(({ id }) => id === packet.id)?.neighbours).toEqual(packet.neighbours)
  }
})

test('R03 the same tree gives the same packets', async () => {
  const files = makeProgram()
  const reversed = Object.fromEntries(Object.entries(files).toReversed())
  const [one, other] = await Promise.all(
    [files, reversed].map(async (entries) => planOf(await snapshotOf(makeDirectory(entries).root))),
  )
  expect(JSON.stringify(one)).toBe(JSON.stringify(other))
})

test('R04 a unit far above the window is split, a large file by its symbols, and a giant line is named', async () => {
  const symbol = (index: number): string =>
    `export function f${index}() {\n${'  return compute(1, 2, 3)\n'.repeat(80)}}\n\n`
  const directory = makeDirectory({
    ...Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [`src/unit/f${index}.ts`, symbol(index).repeat(9)]),
    ),
    'src/large.ts': Array.from({ length: 400 }, (_, index) => symbol(index)).join(''),
    'src/giant.php': `<?php\n$x = 1;\n$data = '${'x'.repeat(900_000)}';\n$y = 2;\n`,
  })
  const plan = await planOf(await snapshotOf(directory.root), { maxPromptTokens: 200_000 })
  expect(plan.totals.sourceTokens).toBeGreaterThan(655_753)
  expect(Math.max(...plan.packets.map(({ promptTokens }) => promptTokens))).toBeLessThanOrEqual(
    200_000,
  )
  const large = plan.packets.flatMap(({ files }) =>
    files.filter(({ path }) => path === 'src/large.ts'),
  )
  const ranges = large.flatMap(({ covers }) => covers)
  expect(ranges.length).toBeGreaterThan(10)
  for (const { first } of ranges) expect((first - 1) % 83).toBe(0)
  expect(plan.notCovered).toEqual([
    {
      path: 'src/giant.php',
      passId: 'code',
      lines: { first: 3, last: 3 },
      reason: expect.stringContaining('line 3 is about 257'),
    },
  ])
})

test('a range shows the end of what comes before it, once', () => {
  const plan = planFiles([makeFile('a.ts', 3000, 60)], { maxPromptTokens: 30_000, depth: 'quick' })
  const ranges = plan.packets
    .flatMap(({ files }) => files)
    .toSorted((left, right) => (left.covers[0]?.first ?? 0) - (right.covers[0]?.first ?? 0))
  expect(ranges.length).toBeGreaterThan(1)
  for (const { covers, shows } of ranges.slice(1)) {
    expect((covers[0]?.first ?? 0) - (shows[0]?.first ?? 0)).toBe(10)
  }
})

test('R12 no packet names an excluded file', async () => {
  const directory = makeDirectory({
    'vendor/a.js': 'a\n',
    'src/b.js': 'b\n',
    'lib/c.min.js': 'c\n',
  })
  const snapshot = await snapshotOf(directory.root, { exclude: ['vendor/**'] })
  const plan = await planOf(snapshot)
  expect(plan.packets.flatMap(({ files }) => files.map(({ path }) => path))).toEqual(['src/b.js'])
})

test('prompts are at most 1.3 times the source', () => {
  const sizes = [40, 120, 90, 300, 15, 700, 220, 60]
  const files = Array.from({ length: 400 }, (_, index) =>
    makeFile(
      `packages/p${index % 13}/src/part${index % 7}/f${index}.ts`,
      sizes[index % sizes.length] ?? 1,
    ),
  )
  for (const depth of ['quick', 'standard', 'deep'] as const) {
    const { totals, passes } = planFiles(files, { depth })
    expect(totals.promptTokens / totals.sourceTokens).toBeLessThan(1.3)
    const once = files.reduce((sum, file) => sum + file.bytes / 3.5, 0)
    const readings = passes.filter((pass) => pass.kinds.has('source')).length
    expect(Math.abs(totals.sourceTokens / once / readings - 1)).toBeLessThan(0.01)
  }
})

test('the estimate is close to the prompt that review makes of a packet', async () => {
  const directory = makeDirectory(makeProgram())
  const snapshot = await snapshotOf(directory.root)
  const plan = await planOf(snapshot)
  for (const packet of describePackets(plan).slice(0, 5)) {
    const shown = packet.files.flatMap((file) => {
      const reading = readSnapshotText(snapshot, file)
      return reading.kind === 'ok' ? showFile(file, reading.text) : []
    })
    const prompt = renderReviewPrompt({
      ...packet,
      packetId: packet.packet_id,
      files: shown,
      repairs: [],
    })
    const ratio = packet.estimated_tokens / (Buffer.byteLength(prompt) / 3.5)
    expect(ratio).toBeGreaterThan(0.99)
    expect(ratio).toBeLessThan(1.03)
  }
})

test('tests ride with the code that they are named after', () => {
  const many = Array.from({ length: 40 }, (_, index) => [
    makeFile(`src/f${index}.ts`, 400),
    makeFile(`test/f${index}.test.ts`, 200),
  ]).flat()
  const plan = planFiles(many)
  expect(plan.packets.length).toBeGreaterThan(2)
  for (const { files } of plan.packets) {
    const paths = files.map(({ path }) => path)
    for (const path of paths.filter((name) => name.startsWith('test/'))) {
      expect(paths).toContain(path.replace('test/', 'src/').replace('.test', ''))
    }
  }
})

test('depth and extra lenses decide passes; core lenses are always there', () => {
  const files = [makeFile('a.ts', 10), makeFile('a.test.ts', 10), makeFile('ci.yml', 10)]
  const describe = (plan: Plan): string[] =>
    plan.packets
      .map(({ passId, files: own }) => `${passId} ${own.map(({ path }) => path).join(' ')}`)
      .toSorted()
  expect(describe(planFiles(files, { depth: 'quick' }))).toEqual(['code a.ts', 'settings ci.yml'])
  expect(describe(planFiles(files))).toEqual(['code a.ts a.test.ts', 'settings ci.yml'])
  expect(describe(planFiles(files, { depth: 'deep' }))).toEqual([
    'code a.ts a.test.ts',
    'settings ci.yml',
    'upkeep a.ts',
  ])
  const extra = planFiles(files, { depth: 'quick', extraLenses: ['performance', 'security'] })
  expect(extra.packets.find(({ passId }) => passId === 'code')?.lenses).toEqual([
    'correctness',
    'security',
    'reliability',
    'data_integrity',
    'performance',
  ])
})

test('only the paths that are asked for are planned', () => {
  const files = [makeFile('a.ts', 10), makeFile('b.ts', 10)]
  const plan = planFiles(files, {}, { only: new Set(['b.ts', 'gone.ts']) })
  expect(plan.packets.flatMap(({ files: own }) => own.map(({ path }) => path))).toEqual(['b.ts'])
})

test('leads raise the rank of their packet and go to its reviewer, worst first and within bounds', () => {
  const files = [makeFile('a/a.ts', 1500, 100), makeFile('b/b.ts', 1500, 100)]
  const lead = (severity: 'critical' | 'low', line: number) =>
    ({ path: 'a/a.ts', line, severity, text: `${'sink '.repeat(20)}${line}` }) as const
  const leads = [
    ...Array.from({ length: 100 }, (_, index) => lead('low', index + 1)),
    lead('critical', 7),
  ]
  const graph = buildGraph({ files, excluded: [] }, new Map(), [])
  const plan = planFiles(files, { routing: { standardAt: 0.2, deepAt: 0.4 } }, { graph, leads })
  const [risky, calm] = plan.packets
  expect([risky?.files[0]?.path, calm?.files[0]?.path]).toEqual(['a/a.ts', 'b/b.ts'])
  expect([risky?.rank, calm?.rank]).toEqual(['deep', 'small'])
  expect(risky?.leads[0]?.severity).toBe('critical')
  expect(risky?.leads.length).toBeLessThan(40)
  expect(calm?.leads).toEqual([])
})

test('artifacts match their schemas, name tasks as packets do, and stay smaller than the source', async () => {
  const directory = makeDirectory(makeProgram())
  const snapshot = await snapshotOf(directory.root)
  const plan = await planOf(snapshot, { depth: 'deep' })
  const tasks = describeTasks(plan)
  const coverage = describeCoverage(plan)
  const packets = describePackets(plan)
  AuditTasksSchema.parse(tasks)
  CoverageMatrixSchema.parse(coverage)
  for (const packet of packets) ReviewPacketSchema.parse(packet)
  expect(packets.flatMap((packet) => packet.tasks.map(({ task_id: id }) => id))).toEqual(
    tasks.tasks.map(({ task_id: id }) => id),
  )
  const sourceBytes = snapshot.files.reduce((sum, file) => sum + file.bytes, 0)
  for (const artifact of [tasks, coverage, { packets }]) {
    expect(JSON.stringify(artifact).length).toBeLessThan(sourceBytes)
  }
})

test('a ceiling that leaves no room for code is refused', () => {
  const failure = (() => {
    try {
      return planFiles([makeFile('a.ts', 1)], { maxPromptTokens: 4000 })
    } catch (error) {
      return error
    }
  })()
  expect(isAuditToolsError(failure) && failure.code).toBe('config-invalid')
})

test('an empty snapshot gives an empty plan', () => {
  const graph = buildGraph({ files: [], excluded: [] }, new Map(), [])
  const { config } = {
    config: {
      depth: 'standard',
      extraLenses: [],
      maxPromptTokens: 60_000,
      routing: { standardAt: 0.33, deepAt: 0.66 },
      promptVersion: '1',
    },
  } as const
  expect(planReview({ snapshot: { files: [] }, graph, leads: [], config }).packets).toEqual([])
})
