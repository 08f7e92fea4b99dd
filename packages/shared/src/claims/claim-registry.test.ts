import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isAuditToolsError } from '../core/index.ts'
import { createFakeClock, type FakeClock } from '../testing/index.ts'
import { ClaimRegistry, type ClaimRegistryOptions } from './claim-registry.ts'
import type { ClaimStore } from './claim-store.ts'
import type { ClaimResult } from './decide-transition.ts'
import { createFileClaimStore } from './file-claim-store.ts'
import { createMemoryClaimStore } from './memory-claim-store.ts'

const LEASE_MS = 60_000

let folder: string
let clock: FakeClock

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'claims-'))
  clock = createFakeClock()
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function grantOf(result: ClaimResult): { ownerToken: string; epoch: number } {
  if (!result.acquired) throw new Error(`not acquired: ${JSON.stringify(result)}`)
  return result
}

const stores: [string, () => ClaimStore][] = [
  ['file', () => createFileClaimStore(folder)],
  ['memory', () => createMemoryClaimStore()],
]

describe.each(stores)('over the %s store', (_name, createStore) => {
  let store: ClaimStore
  /** Processes that died, by owner id. */
  let dead: Set<string>
  /** Processes that cannot be probed, by owner id. */
  let unprovable: Set<string>

  beforeEach(() => {
    dead = new Set()
    unprovable = new Set()
    store = {
      ...createStore(),
      probeOwner: ({ instance }) =>
        dead.has(instance) ? 'dead' : unprovable.has(instance) ? 'unknown' : 'alive',
    }
  })

  function open(ownerId: string, options: ClaimRegistryOptions = {}): ClaimRegistry {
    return new ClaimRegistry(folder, { ownerId, clock, store, leaseMs: LEASE_MS, ...options })
  }

  function openSession(sessionId: string): ClaimRegistry {
    return open(sessionId, { ownerKind: 'host_session' })
  }

  test('a fresh id is granted with epoch 1 and a rival is told who holds it', () => {
    expect(open('a').claim('packet-1', 'pool-x')).toEqual({
      acquired: true,
      ownerToken: expect.stringMatching(/^[0-9a-f]{32}$/),
      epoch: 1,
    })
    expect(open('b').claim('packet-1', 'pool-x')).toEqual({ acquired: false, heldBy: 'a' })
  })

  test('two registries without an owner id are two owners', () => {
    const first = new ClaimRegistry(folder, { store })
    const second = new ClaimRegistry(folder, { store })
    expect(first.claim('packet', 'pool').acquired).toBe(true)
    expect(second.claim('packet', 'pool').acquired).toBe(false)
  })

  test('an owner that claims its own claim again gets the same grant', () => {
    const registry = open('a')
    const first = registry.claim('packet', 'pool')
    expect(registry.claim('packet', 'pool')).toEqual(first)
    expect(open('a').claim('packet', 'pool')).toEqual(first)
  })

  test('claiming many answers for each id in order', () => {
    open('b').claim('held', 'pool')
    const registry = open('a')
    registry.complete('done', grantOf(registry.claim('done', 'pool')).epoch, 'result.json')
    expect(registry.claimMany(['done', 'fresh', 'held', 'fresh'], 'pool')).toEqual([
      { acquired: false, done: 'result.json' },
      { acquired: true, ownerToken: expect.any(String), epoch: 1 },
      { acquired: false, heldBy: 'b' },
      { acquired: true, ownerToken: expect.any(String), epoch: 1 },
    ])
  })

  test('fifty claims asked for at once in one process all succeed', async () => {
    const registry = open('a')
    const ids = Array.from({ length: 50 }, (_, index) => `packet-${index}`)
    const results = await Promise.all(ids.map(async (id) => registry.claim(id, 'pool')))
    expect(results.filter(({ acquired }) => acquired)).toHaveLength(50)
  })

  test('a released id is granted again with a higher epoch', () => {
    const first = grantOf(open('a').claim('packet', 'pool'))
    expect(open('a').release('packet', first.ownerToken)).toBe('released')
    expect(open('a').isClaimed('packet')).toBe(false)
    expect(grantOf(open('b').claim('packet', 'pool')).epoch).toBeGreaterThan(first.epoch)
  })

  test('a token releases only the grant that it names', () => {
    const registry = open('a')
    const first = grantOf(registry.claim('packet', 'pool'))
    registry.release('packet', first.ownerToken)
    const second = grantOf(registry.claim('packet', 'pool'))
    expect(registry.release('packet', first.ownerToken)).toBe('stale')
    expect(registry.release('packet', '')).toBe('stale')
    expect(registry.release('never-claimed', second.ownerToken)).toBe('stale')
    expect(registry.isClaimed('packet')).toBe(true)
  })

  test('a result is accepted once, repeated as duplicate, and any other is stale', () => {
    const registry = open('a')
    const { epoch, ownerToken } = grantOf(registry.claim('packet', 'pool'))
    expect(registry.complete('packet', epoch, 'result-1')).toBe('accepted')
    expect(registry.complete('packet', epoch, 'result-1')).toBe('duplicate')
    expect(registry.complete('packet', epoch, 'result-2')).toBe('stale')
    expect(registry.complete('packet', epoch + 1, 'result-1')).toBe('stale')
    expect(registry.complete('never-claimed', 1, 'result-1')).toBe('stale')
    expect(registry.release('packet', ownerToken)).toBe('stale')
    expect(registry.isClaimed('packet')).toBe(false)
    expect(registry.listCompleted()).toEqual([{ id: 'packet', epoch, resultRef: 'result-1' }])
  })

  test('a result that comes after the release counts while nobody claimed since', () => {
    const registry = open('a')
    const early = grantOf(registry.claim('early', 'pool'))
    const late = grantOf(registry.claim('late', 'pool'))
    registry.release('early', early.ownerToken)
    registry.release('late', late.ownerToken)
    open('b').claim('late', 'pool')
    expect(registry.complete('early', early.epoch, 'result')).toBe('accepted')
    expect(registry.complete('late', late.epoch, 'result')).toBe('stale')
  })

  test('the claim of a dead process is taken over at once and its late result is stale', () => {
    const first = grantOf(open('a').claim('packet', 'pool'))
    dead.add('a')
    expect(open('b').isClaimed('packet')).toBe(false)
    const second = grantOf(open('b').claim('packet', 'pool'))
    expect(second.epoch).toBeGreaterThan(first.epoch)
    expect(open('b').complete('packet', first.epoch, 'late')).toBe('stale')
    expect(open('b').complete('packet', second.epoch, 'right')).toBe('accepted')
  })

  test('the claim of a living process is never taken over, however long it is silent', () => {
    open('a').claim('packet', 'pool')
    clock.setWallTime(clock.now() + 1_000 * LEASE_MS)
    expect(open('b').claim('packet', 'pool').acquired).toBe(false)
    expect(open('b').reclaimStale()).toEqual([])
  })

  test('a process that cannot be probed holds until its lease ends', () => {
    unprovable.add('a')
    const holder = open('a')
    const until = clock.now() + LEASE_MS
    const { epoch, ownerToken } = grantOf(holder.claim('packet', 'pool'))
    expect(open('b').claim('packet', 'pool')).toEqual({ acquired: false, heldBy: 'a', until })

    clock.setWallTime(until - 1)
    expect(holder.heartbeat('packet', ownerToken)).toBe(true)
    clock.setWallTime(until + 1)
    expect(open('b').claim('packet', 'pool').acquired).toBe(false)

    clock.setWallTime(until + LEASE_MS)
    expect(open('b').claim('packet', 'pool').acquired).toBe(true)
    expect(holder.heartbeat('packet', ownerToken)).toBe(false)
    expect(holder.complete('packet', epoch, 'late')).toBe('stale')
  })

  test('a result that comes after the lease counts while nobody claimed since', () => {
    unprovable.add('a')
    const { epoch } = grantOf(open('a').claim('packet', 'pool'))
    clock.setWallTime(clock.now() + 2 * LEASE_MS)
    expect(open('b').reclaimStale()).toEqual(['packet'])
    expect(open('b').complete('packet', epoch, 'late')).toBe('accepted')
  })

  test('a host session keeps its claims over many processes and any call renews its lease', () => {
    const first = grantOf(openSession('session-1').claim('packet', 'pool'))
    const calls = [
      () => openSession('session-1').heartbeat(),
      () => openSession('session-1').isClaimed('other'),
      () => openSession('session-1').listClaims(),
      () => openSession('session-1').complete('other', 1, 'result'),
      () => openSession('session-1').release('other', 'token'),
    ]
    for (const call of calls) {
      clock.setWallTime(clock.now() + LEASE_MS - 1)
      call()
    }
    clock.setWallTime(clock.now() + LEASE_MS - 1)
    expect(openSession('session-2').claim('packet', 'pool').acquired).toBe(false)
    expect(grantOf(openSession('session-1').claim('packet', 'pool'))).toEqual(first)
  })

  test('a host session that comes back after its lease finds its grants when nobody took them', () => {
    const first = grantOf(openSession('session-1').claim('packet', 'pool'))
    clock.setWallTime(clock.now() + 10 * LEASE_MS)
    expect(open('b').reclaimStale()).toEqual(['packet'])
    expect(grantOf(openSession('session-1').claim('packet', 'pool'))).toEqual(first)
  })

  test('taking over moves the open claims of other sessions, and only those, to higher epochs', () => {
    const old = openSession('session-1')
    const [first, second] = old.claimMany(['one', 'two'], 'pool').map(grantOf)
    old.complete('two', second?.epoch ?? 0, 'result')
    open('runner').claim('three', 'pool')

    const taken = openSession('session-2').takeOver()
    expect(taken).toEqual([{ id: 'one', poolId: 'pool', ownerToken: expect.any(String), epoch: 2 }])
    expect(old.complete('one', first?.epoch ?? 0, 'late')).toBe('stale')
    expect(old.claim('one', 'pool').acquired).toBe(false)
    expect(openSession('session-2').claim('one', 'pool')).toMatchObject({
      epoch: 2,
      ownerToken: taken[0]?.ownerToken,
    })
    expect(openSession('session-2').takeOver()).toEqual([])
  })

  test('reclaiming frees every claim of dead processes and no other', () => {
    open('a').claimMany(['a-1', 'a-2'], 'pool')
    open('b').claim('b-1', 'pool')
    dead.add('a')
    const registry = open('c')
    expect(registry.reclaimStale()).toEqual(['a-1', 'a-2'])
    expect(registry.reclaimStale()).toEqual([])
    expect(registry.listClaims()).toEqual([
      { id: 'b-1', poolId: 'pool', owner: 'b', epoch: 1, live: true },
    ])
  })

  test('the list of claims tells which owners are gone', () => {
    open('a').claim('a-1', 'pool-x')
    open('b').claim('b-1', 'pool-y')
    dead.add('b')
    expect(open('c').listClaims()).toEqual([
      { id: 'a-1', poolId: 'pool-x', owner: 'a', epoch: 1, live: true },
      { id: 'b-1', poolId: 'pool-y', owner: 'b', epoch: 1, live: false },
    ])
  })

  test('after a power loss new epochs exceed those found in results, whose completion is accepted', () => {
    const registry = open('a')
    registry.raiseFloor('lost', 7)
    registry.raiseFloor('kept', 3)
    registry.raiseFloor('kept', 2)
    expect(registry.complete('lost', 7, 'found')).toBe('accepted')
    expect(grantOf(registry.claim('kept', 'pool')).epoch).toBe(4)
    registry.raiseFloor('kept', 3)
    expect(open('b').claim('kept', 'pool')).toEqual({ acquired: false, heldBy: 'a' })
  })

  test.each([0, -1, 1.5, Number.NaN, 10_001])('a floor of %s is refused', (epoch) => {
    expect(() => open('a').raiseFloor('packet', epoch)).toThrow(
      expect.objectContaining({ code: 'input-invalid' }),
    )
  })

  test('repair leaves a whole record alone', () => {
    const registry = open('a')
    registry.claim('packet', 'pool')
    expect(registry.repair('packet')).toBe('intact')
    expect(registry.repair('never-claimed')).toBe('intact')
    expect(registry.isClaimed('packet')).toBe(true)
  })

  test.each(['../../escape', '__proto__', '', '\u0000', 'a/b\\c', '\ud800', 'ü'.repeat(5_000)])(
    'any text is an id: %j',
    (id) => {
      const registry = open('a')
      const { epoch } = grantOf(registry.claim(id, 'pool'))
      expect(registry.listClaims().map((claim) => claim.id)).toEqual([id])
      expect(registry.complete(id, epoch, 'result')).toBe('accepted')
    },
  )

  test('ids that differ only in unpaired surrogates are two ids', () => {
    open('a').claim('\ud800', 'pool')
    expect(open('b').claim('\ud801', 'pool').acquired).toBe(true)
  })
})

test('a host session needs an id', () => {
  expect(() => new ClaimRegistry(folder, { ownerKind: 'host_session' })).toThrow(
    expect.objectContaining({ code: 'internal-fault' }),
  )
})

test('the id of a host session is not stored', async () => {
  const path = join(folder, 'claims')
  new ClaimRegistry(path, { ownerId: 'secret-session', ownerKind: 'host_session' }).claim('a', 'b')
  const { readdirSync, readFileSync } = await import('node:fs')
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  expect(files).toHaveLength(2)
  for (const file of files) {
    expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain('secret-session')
  }
})

test('a path that holds a file of the old form is refused and the file stays', () => {
  const path = join(folder, 'claims.json')
  writeFileSync(path, '{"claims":{}}')
  let thrown: unknown
  try {
    expect(new ClaimRegistry(path)).toBeUndefined()
  } catch (error) {
    thrown = error
  }
  expect(isAuditToolsError(thrown) && thrown.code).toBe('store-corrupt')
  expect(String(thrown)).toContain(path)
})
