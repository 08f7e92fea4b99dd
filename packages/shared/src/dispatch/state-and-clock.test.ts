import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, expect, test } from 'vitest'

import {
  getQuotaStatePath,
  readQuotaState,
  recordWaveOutcome,
  setQuotaStateDir,
} from '../quota/index.ts'
import { createWorld, makeNodes, makePool, makeSlots } from './fixtures/world.ts'

const rows = readFileSync(new URL('fixtures/state-and-clock.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { id: string; right: string })

/** The name of a row's test: its id and what must happen. */
function describeRow(id: string): string {
  const row = rows.find((candidate) => candidate.id === id)
  if (row === undefined) throw new Error(`no row ${id}`)
  return `${id}: ${row.right}`
}

afterEach(() => setQuotaStateDir(undefined))

test(describeRow('L02'), async () => {
  setQuotaStateDir(mkdtempSync(join(tmpdir(), 'quota-state-')))
  await recordWaveOutcome('anthropic/m', {
    concurrency: 2,
    estimated_tokens: 10,
    outcome: 'rate_limited',
  })
  const whole = readFileSync(getQuotaStatePath(), 'utf8')
  for (const length of [1, Math.floor(whole.length / 2), whole.length - 2]) {
    const torn = whole.slice(0, length)
    writeFileSync(getQuotaStatePath(), torn)
    expect(() => readQuotaState()).toThrow(/damaged/)
    await expect(
      recordWaveOutcome('anthropic/m', {
        concurrency: 9,
        estimated_tokens: 10,
        outcome: 'success',
      }),
    ).rejects.toThrow(/damaged/)
    expect(readFileSync(getQuotaStatePath(), 'utf8')).toBe(torn)
  }
  writeFileSync(getQuotaStatePath(), '')
  expect(() => readQuotaState()).toThrow(/empty/)
})

test(describeRow('L08'), async () => {
  const first = createWorld([makeSlots('a', 1)])
  first.coordinator.add(makeNodes(2))
  const [assignment] = first.coordinator.planAssignments()
  if (assignment === undefined) throw new Error('nothing assigned')
  const until = first.clock.now() + 2 * 3_600_000
  first.coordinator.observe(assignment, { class: 'window', scope: 'account', until })
  expect(first.coordinator.terminalStatus(['n0', 'n1'])).toMatchObject({
    kind: 'dispatchable',
    waiting_until: until,
  })

  // The process is gone; the account's ledger is what it left. The wall clock is set back, and forward again.
  const again = createWorld([makeSlots('a', 1)], { clock: first.clock, ledger: first.ledger })
  again.coordinator.add(makeNodes(1, {}, 'later'))
  first.clock.setWallTime(until - 3_600_000)
  expect(again.coordinator.planAssignments()).toEqual([])
  first.clock.setWallTime(until)
  expect(again.coordinator.planAssignments()).toHaveLength(1)
})

test(describeRow('L16'), async () => {
  const world = createWorld([
    makePool('a', { source: { provider: 'anthropic', quota: { concurrency: 4 } } }),
  ])
  world.coordinator.add(makeNodes(1))
  const reject = async (until: number | null): Promise<void> => {
    const [assignment] = world.coordinator.planAssignments()
    if (assignment === undefined) throw new Error('nothing was started')
    await world.clock.advance(400)
    world.coordinator.observe(assignment, { class: 'window', scope: 'account', until })
  }
  const stated = world.clock.now() + 3_600_000
  await reject(stated)
  await world.clock.advance(stated - world.clock.now() + 10_000)
  for (const minutes of [1, 2, 5, 10, 10]) {
    // It repeats the reset that has passed, or says nothing: both mean the same.
    await reject(minutes === 2 ? null : stated)
    await world.clock.advance(minutes * 60_000 - 1)
    expect(world.coordinator.planAssignments()).toEqual([])
    expect(world.coordinator.terminalStatus(['n0'])).toMatchObject({ kind: 'dispatchable' })
    await world.clock.advance(minutes * 30_000 + 1)
  }
  const [last] = world.coordinator.planAssignments()
  expect(last?.notes).toEqual([])
})
