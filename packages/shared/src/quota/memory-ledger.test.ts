import { expect, test } from 'vitest'
import { type Constraint, nameResource } from './constraint.ts'
import type { Ledger, LedgerSignal } from './ledger.ts'
import { createMemoryLedger } from './memory-ledger.ts'

const start = 1_700_000_000_000
const session = 1_000_000

const sessions = (
  key: string,
  limit: Constraint['limit'],
  ramp?: Constraint['ramp'],
): Constraint => ({
  key,
  kind: 'concurrency',
  unit: 'session',
  limit,
  ...(ramp === undefined ? {} : { ramp }),
  provenance: 'declared',
  confidence: 'high',
})

const perMinute = (unit: 'request' | 'token', limit: number): Constraint => ({
  key: 'account:a',
  kind: 'rate',
  unit,
  limit,
  perSeconds: 60,
  provenance: 'declared',
  confidence: 'high',
})

const limited = (change: Partial<Extract<LedgerSignal, { kind: 'limited' }>>): LedgerSignal => ({
  kind: 'limited',
  key: 'account:a',
  startedAt: start,
  until: null,
  jitter: 0,
  rest: 'cooling',
  wakesByProbe: false,
  ...change,
})

/** Starts as much as the ledger admits. */
function fill(ledger: Ledger, constraint: Constraint, now: number, label: string): string[] {
  const charges = [{ resource: nameResource(constraint), micro: session }]
  const ids: string[] = []
  for (let index = 0; index < 100; index += 1) {
    const answer = ledger.reserve(charges, now, `${label}-${index}`)
    if (answer.kind === 'refused') return ids
    ids.push(answer.reservationId)
  }
  return ids
}

function end(ledger: Ledger, ids: readonly string[], now: number): void {
  for (const id of ids) ledger.settle(id, { actual: [], verdict: 'clean' }, now)
}

test('an unknown concurrency doubles per clean round, is halved once per incident, and then grows by one', () => {
  const ledger = createMemoryLedger()
  const unknown = sessions('account:a', 'unknown', { start: 2, growth: 'double' })
  ledger.declare([unknown], start)
  const sizes: number[] = []
  let now = start
  for (let round = 0; round < 3; round += 1) {
    const ids = fill(ledger, unknown, now, `round-${round}`)
    sizes.push(ids.length)
    now += 10_000
    end(ledger, ids, now)
  }
  expect(sizes).toEqual([2, 4, 8])

  const ids = fill(ledger, unknown, now, 'limited')
  expect(ids).toHaveLength(16)
  for (const [index, id] of ids.entries()) {
    const verdict = index < 3 ? 'limited' : 'neutral'
    ledger.settle(id, { actual: [], verdict }, now + 1_000)
    if (index < 3) {
      ledger.observe(limited({ startedAt: now, until: now + 5_000 }), now + 1_000, `429-${index}`)
    }
  }
  now += 6_000
  const after = fill(ledger, unknown, now, 'after')
  expect(after).toHaveLength(8)
  end(ledger, after, now + 1_000)
  expect(fill(ledger, unknown, now + 1_000, 'later')).toHaveLength(9)
})

test('a ramp that never used its limit does not grow', () => {
  const ledger = createMemoryLedger()
  const unknown = sessions('account:a', 'unknown', { start: 4, growth: 'double' })
  ledger.declare([unknown], start)
  const charges = [{ resource: nameResource(unknown), micro: session }]
  for (let index = 0; index < 20; index += 1) {
    ledger.reserve(charges, start, `op-${index}`)
    end(ledger, [`op-${index}`], start)
  }
  expect(fill(ledger, unknown, start, 'all')).toHaveLength(4)
})

test('a ramp stops at the cap that the user sets', () => {
  const ledger = createMemoryLedger()
  const unknown = sessions('account:a', 'unknown', { start: 2, growth: 'double', most: 3 })
  ledger.declare([unknown], start)
  for (let round = 0; round < 4; round += 1) {
    end(ledger, fill(ledger, unknown, start, `round-${round}`), start)
  }
  expect(fill(ledger, unknown, start, 'last')).toHaveLength(3)
})

test('after a long rest a key wakes by one probe and then ramps 1, 2, 4', () => {
  const ledger = createMemoryLedger()
  const account = sessions('account:a', 'unlimited')
  ledger.declare([account], start)
  ledger.observe(limited({ until: start + 600_000, rest: 'parked' }), start, 'window')
  expect(fill(ledger, account, start + 599_999, 'early')).toHaveLength(0)

  let now = start + 600_000
  const sizes: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const ids = fill(ledger, account, now, `round-${round}`)
    sizes.push(ids.length)
    expect(ledger.readGate('account:a', now).state).toBe('probing')
    now += 20_000
    end(ledger, ids, now)
  }
  expect(sizes).toEqual([1, 2, 4])
})

test('a probe that is limited again closes the key again', () => {
  const ledger = createMemoryLedger()
  const account = sessions('account:a', 'unlimited')
  ledger.declare([account], start)
  ledger.observe(limited({ until: start + 600_000, rest: 'parked' }), start, 'window')
  const now = start + 600_000
  const [probe = ''] = fill(ledger, account, now, 'probe')
  ledger.settle(probe, { actual: [], verdict: 'limited' }, now + 500)
  ledger.observe(limited({ startedAt: now, until: now + 900_000 }), now + 500, 'again')
  expect(ledger.readGate('account:a', now + 899_999).state).toBe('cooling')
  expect(fill(ledger, account, now + 900_000, 'next')).toHaveLength(1)
})

test('a key that keeps being limited also wakes by a probe', () => {
  const ledger = createMemoryLedger()
  const account = sessions('account:a', 'unlimited')
  ledger.declare([account], start)
  let now = start
  for (let incident = 0; incident < 3; incident += 1) {
    ledger.observe(limited({ startedAt: now + 1 }), now + 2, `429-${incident}`)
    now = ledger.readGate('account:a', now).coolUntil
    expect(ledger.readGate('account:a', now).state).toBe(incident < 2 ? 'open' : 'probing')
  }
  expect(fill(ledger, account, now, 'after')).toHaveLength(1)
})

test('unstated waits grow per incident, not per failure of one incident', () => {
  const ledger = createMemoryLedger()
  ledger.declare([sessions('account:a', 'unlimited')], start)
  for (let index = 0; index < 5; index += 1) ledger.observe(limited({}), start + 10, `one-${index}`)
  expect(ledger.readGate('account:a', start).coolUntil).toBe(start + 10 + 2_000)
  ledger.observe(limited({ startedAt: start + 3_000 }), start + 3_100, 'two')
  expect(ledger.readGate('account:a', start).coolUntil).toBe(start + 3_100 + 4_000)
})

test('a stated time in the past is no reason to come back at once', () => {
  const ledger = createMemoryLedger()
  ledger.declare([sessions('account:a', 'unlimited')], start)
  ledger.observe(limited({ until: start }), start, 'zero')
  expect(ledger.readGate('account:a', start).coolUntil).toBe(start + 2_000)
})

test('a rejection calibrates the rate that had the least to spare, so that our own wait equals the stated one', () => {
  const ledger = createMemoryLedger()
  const requests = perMinute('request', 60)
  const tokens = perMinute('token', 60_000)
  ledger.declare([requests, tokens], start)
  const charges = [
    { resource: nameResource(requests), micro: 1_000_000 },
    { resource: nameResource(tokens), micro: 20_000_000_000 },
  ]
  ledger.observe(limited({ until: start + 10_000, charges }), start, '429')
  expect(ledger.check(charges, start + 9_999)?.retryAt).toBe(start + 10_000)
  expect(ledger.reserve(charges, start + 10_000, 'next').kind).toBe('reserved')
  expect(ledger.read(nameResource(tokens), start + 10_000)?.levelMicro).toBe(0)
  expect(ledger.read(nameResource(requests), start + 10_000)?.levelMicro).toBe(59_000_000)
})

test('what a reply says is left, and what came back since that call, less what started after it, lowers the level and never raises it', () => {
  const ledger = createMemoryLedger()
  const tokens = perMinute('token', 60_000)
  const resource = nameResource(tokens)
  ledger.declare([tokens], start)
  ledger.reserve([{ resource, micro: 5_000_000_000 }], start, 'first')
  ledger.reserve([{ resource, micro: 7_000_000_000 }], start + 1, 'second')
  const signal = { kind: 'remaining', resource, startedAt: start } as const
  ledger.observe({ ...signal, remaining: 30_000 }, start + 1, 'reply')
  // One more than the whole number it states, and one token that came back in the millisecond since.
  expect(ledger.read(resource, start + 1)?.levelMicro).toBe(23_002_000_000)
  ledger.observe({ ...signal, remaining: 59_000 }, start + 1, 'later reply')
  expect(ledger.read(resource, start + 1)?.levelMicro).toBe(23_002_000_000)
})

test('work above what a rate ever holds waits for a full bucket and runs alone', () => {
  const ledger = createMemoryLedger()
  const tokens = perMinute('token', 1_000)
  const resource = nameResource(tokens)
  ledger.declare([tokens], start)
  ledger.reserve([{ resource, micro: 1_000_000 }], start, 'small')
  const large = [{ resource, micro: 5_000_000_000 }]
  const refusal = ledger.check(large, start)
  expect(refusal?.retryAt).toBe(start + 60)
  expect(ledger.reserve(large, start + 60, 'large').kind).toBe('reserved')
  expect(ledger.check([{ resource, micro: 1 }], start + 60)?.kind).toBe('refused')
})

test('a limit that is declared anew keeps what is in use', () => {
  const ledger = createMemoryLedger()
  const four = sessions('account:a', 4)
  ledger.declare([four], start)
  fill(ledger, four, start, 'four')
  ledger.declare([sessions('account:a', 6)], start)
  expect(fill(ledger, four, start, 'more')).toHaveLength(2)
  ledger.declare([sessions('account:a', 1)], start)
  expect(ledger.read(nameResource(four), start)?.levelMicro).toBe(-5 * session)
})

test('a charge of a resource that nobody declared is a fault', () => {
  const ledger = createMemoryLedger()
  expect(() => ledger.reserve([{ resource: 'x', micro: 1 }], start, 'op')).toThrow('never declared')
})
