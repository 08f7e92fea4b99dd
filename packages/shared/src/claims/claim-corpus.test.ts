import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../testing/index.ts'
import { ClaimRegistry, type ClaimRegistryOptions } from './claim-registry.ts'

interface Row {
  readonly id: string
  readonly input: string
  readonly right: string
}

const rows = readFileSync(new URL('fixtures/corpus.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row)

let folder: string
let clock: FakeClock

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'claims-'))
  clock = createFakeClock()
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function open(ownerId: string, options: ClaimRegistryOptions = {}): ClaimRegistry {
  return new ClaimRegistry(folder, { ownerId, clock, leaseMs: 30_000, ...options })
}

function claim(registry: ClaimRegistry): { epoch: number; ownerToken: string } {
  const result = registry.claim('packet', 'pool')
  if (!result.acquired) throw new Error(`not acquired: ${JSON.stringify(result)}`)
  return result
}

const scenarios: Readonly<Record<string, () => void>> = {
  L06() {
    const sleeper = open('laptop', { ownerKind: 'host_session' })
    const lost = claim(sleeper)
    clock.setWallTime(clock.now() + 10 * 3_600_000)
    const other = open('other-host', { ownerKind: 'host_session' })
    const taken = claim(other)

    expect(sleeper.heartbeat('packet', lost.ownerToken)).toBe(false)
    expect(sleeper.complete('packet', lost.epoch, 'from the laptop')).toBe('stale')
    expect(other.complete('packet', taken.epoch, 'from the other host')).toBe('accepted')
    expect(other.listCompleted()).toHaveLength(1)
  },
  C10() {
    const worker = open('worker')
    const { epoch } = claim(worker)
    for (let minute = 1; minute <= 6; minute += 1) {
      clock.setWallTime(clock.now() + 60_000)
      expect(open(`rival-${minute}`).claim('packet', 'pool').acquired).toBe(false)
    }
    expect(worker.complete('packet', epoch, 'result')).toBe('accepted')
    expect(epoch).toBe(1)
  },
  P13() {
    const driver = open('driver')
    const { ownerToken } = claim(driver)
    const before = driver.listClaims()
    const worker = open('worker')
    expect(worker.claim('packet', 'pool').acquired).toBe(false)
    expect(worker.release('packet', '')).toBe('stale')
    expect(worker.heartbeat('packet', '')).toBe(false)
    expect(worker.takeOver()).toEqual([])
    expect(driver.listClaims()).toEqual(before)
    expect(driver.heartbeat('packet', ownerToken)).toBe(true)
  },
}

test.each(rows)('$id: $input', ({ id }) => {
  expect(scenarios[id]).toBeDefined()
  scenarios[id]?.()
})
