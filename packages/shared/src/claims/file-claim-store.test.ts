import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock } from '../testing/index.ts'
import { ClaimRegistry } from './claim-registry.ts'
import { createFileClaimStore } from './file-claim-store.ts'
import { sealLine, unsealLine } from './sealed-line.ts'
import { keyClaim } from './slot-record.ts'

const isFull = process.env['FULL'] === '1'
const numRuns = isFull ? 1_000 : 100
const timeout = 300_000

let path: string
let registry: ClaimRegistry
let rival: ClaimRegistry

beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'claims-')), 'claims')
  registry = new ClaimRegistry(path, { ownerId: 'owner' })
  rival = new ClaimRegistry(path, { ownerId: 'rival' })
})

afterEach(() => {
  rmSync(join(path, '..'), { recursive: true, force: true })
})

function claim(id: string): { epoch: number; ownerToken: string } {
  const result = registry.claim(id, 'pool')
  if (!result.acquired) throw new Error(`not acquired: ${JSON.stringify(result)}`)
  return result
}

function locate(id: string, slot: number): string {
  const key = keyClaim(id)
  return join(path, key.slice(0, 2), `${key.slice(2)}.${slot}`)
}

/** Brings an id into a state and returns its highest slot. */
const states: Record<'granted' | 'released' | 'done', (id: string) => number> = {
  granted(id) {
    claim(id)
    return 1
  },
  released(id) {
    registry.release(id, claim(id).ownerToken)
    return 2
  },
  done(id) {
    registry.complete(id, claim(id).epoch, 'result.json')
    return 2
  },
}

describe.each(Object.keys(states) as (keyof typeof states)[])('a %s record', (state) => {
  test('that is cut at any byte counts as held, and every other id is as before', () => {
    const slot = states[state]('packet')
    states.granted('other-granted')
    states.released('other-released')
    states.done('other-done')
    const file = locate('packet', slot)
    const whole = readFileSync(file)
    for (let length = whole.byteLength - 1; length >= 0; length -= 1) {
      truncateSync(file, length)
      expect(rival.claim('packet', 'pool').acquired).toBe(false)
      expect(rival.isClaimed('packet')).toBe(true)
    }
    expect(rival.listDamaged()).toMatchObject([{ key: keyClaim('packet'), slot }])
    expect(rival.claim('other-granted', 'pool')).toEqual({ acquired: false, heldBy: 'owner' })
    expect(rival.claim('other-done', 'pool')).toEqual({ acquired: false, done: 'result.json' })
    expect(rival.claim('other-released', 'pool')).toMatchObject({ acquired: true, epoch: 3 })
  })
})

test(
  '5. Fail closed: random byte flips in the store never make a held or done id grantable',
  { timeout },
  () => {
    const held = ['held-1', 'held-2', 'held-3']
    const done = ['done-1', 'done-2', 'done-3']
    held.forEach(states.granted)
    done.forEach(states.done)
    const session = new ClaimRegistry(path, { ownerId: 'session', ownerKind: 'host_session' })
    session.claim('held-by-session', 'pool')
    const files = listFiles()
    const originals = files.map((file) => readFileSync(file))

    const flip = fc.record({
      file: fc.nat(),
      offset: fc.nat(),
      mask: fc.integer({ min: 1, max: 255 }),
    })
    fc.assert(
      fc.property(fc.array(flip, { minLength: 1, maxLength: 20 }), (flips) => {
        for (const { file, offset, mask } of flips)
          flipByte(files[file % files.length] ?? '', offset, mask)
        try {
          for (const id of [...held, ...done, 'held-by-session']) {
            expect(rival.claim(id, 'pool').acquired).toBe(false)
          }
          expect(rival.reclaimStale()).toEqual([])
        } finally {
          files.forEach((file, index) => writeFileSync(file, originals[index] ?? ''))
        }
      }),
      { numRuns },
    )
  },
)

function listFiles(): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function flipByte(file: string, offset: number, mask: number): void {
  const bytes = readFileSync(file)
  const at = offset % bytes.byteLength
  bytes[at] = (bytes[at] ?? 0) ^ mask
  writeFileSync(file, bytes)
}

test(
  '2. Fence monotone: the fences of successive grants of a key strictly increase, across restart and corruption recovery',
  { timeout },
  () => {
    const event = fc.oneof(
      { weight: 4, arbitrary: fc.constant('claim and release' as const) },
      fc.constant('claim' as const),
      fc.constant('restart' as const),
      fc.constant('corrupt and repair' as const),
      fc.record({ lostSlots: fc.integer({ min: 1, max: 4 }) }),
    )
    let runs = 0
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        runs += 1
        const id = `packet-${runs}`
        const epochs = new Set<number>()
        restart()
        for (const happening of [...events, 'restart' as const, 'claim' as const]) {
          if (happening === 'restart') restart()
          else if (happening === 'corrupt and repair') corruptAndRepair(id)
          else if (typeof happening === 'object') losePower(id, happening.lostSlots, epochs)
          else {
            const { epoch, ownerToken } = claim(id)
            expect(epoch).toBeGreaterThanOrEqual(Math.max(0, ...epochs))
            expect(epochs.has(epoch) && epoch !== currentEpoch).toBe(false)
            epochs.add(epoch)
            currentEpoch = epoch
            if (happening === 'claim and release') {
              registry.release(id, ownerToken)
              currentEpoch = undefined
            }
          }
        }
      }),
      { numRuns },
    )
  },
)

/** The grant that the present process holds; claiming again gives it again. */
let currentEpoch: number | undefined
const dead = new Set<string>()

/** The process of `registry` dies and another goes on. */
function restart(): void {
  currentEpoch = undefined
  const ownerId = `process-${dead.size}`
  dead.add(`process-${dead.size - 1}`)
  registry = new ClaimRegistry(path, {
    ownerId,
    store: {
      ...createFileClaimStore(path),
      probeOwner: ({ instance }) => (dead.has(instance) ? 'dead' : 'alive'),
    },
  })
}

function findHighestFile(id: string): number {
  let slot = 0
  while (statSync(locate(id, slot + 1), { throwIfNoEntry: false })) slot += 1
  return slot
}

function corruptAndRepair(id: string): void {
  const slot = findHighestFile(id)
  if (slot === 0) return
  flipByte(locate(id, slot), slot * 31, 0xff)
  expect(rival.claim(id, 'pool').acquired).toBe(false)
  expect(registry.repair(id)).toBe('repaired')
  currentEpoch = undefined
}

/** The last records never reached the disk; the results of their grants did. */
function losePower(id: string, lostSlots: number, epochs: ReadonlySet<number>): void {
  const highest = findHighestFile(id)
  const lowestKept = Math.max(0, highest - lostSlots)
  for (let slot = highest; slot > lowestKept; slot -= 1) rmSync(locate(id, slot))
  restart()
  for (const epoch of epochs) registry.raiseFloor(id, epoch)
  // An earlier repair may be among what was lost.
  registry.repair(id)
}

test('a damaged record is copied aside, stays in place and can be repaired to free', () => {
  const { epoch } = claim('packet')
  truncateSync(locate('packet', 1), 20)
  expect(rival.claim('packet', 'pool')).toEqual({
    acquired: false,
    heldBy: expect.stringContaining('damaged'),
  })
  rival.claim('packet', 'pool')
  const copies = readdirSync(join(path, 'damaged'))
  expect(copies).toHaveLength(1)
  expect(readFileSync(join(path, 'damaged', copies[0] ?? ''))).toHaveLength(20)
  expect(statSync(locate('packet', 1)).size).toBe(20)

  expect(registry.repair('packet')).toBe('repaired')
  expect(rival.claim('packet', 'pool')).toMatchObject({ acquired: true, epoch: 3 })
  expect(registry.complete('packet', epoch, 'late')).toBe('stale')
})

test('a damaged record ends when a result proves the work done', () => {
  const granted = claim('granted')
  const done = claim('done')
  registry.complete('done', done.epoch, 'result')
  truncateSync(locate('granted', 1), 0)
  truncateSync(locate('done', 2), 0)

  expect(registry.complete('granted', granted.epoch, 'result')).toBe('accepted')
  // The damaged record may be the acceptance of this very result, so a second one cannot be given.
  expect(registry.complete('done', done.epoch, 'result')).toBe('stale')
  expect(registry.repair('done', 'result')).toBe('repaired')
  expect(rival.claim('done', 'pool')).toEqual({ acquired: false, done: 'result' })
})

test('a damaged record is named by its id where an older record of the id is whole', () => {
  registry.release('packet', claim('packet').ownerToken)
  claim('lonely')
  writeFileSync(locate('packet', 2), 'noise')
  writeFileSync(locate('lonely', 1), 'noise')
  const damaged = registry.listDamaged()
  expect(damaged).toHaveLength(2)
  expect(damaged).toContainEqual({ id: 'packet', key: keyClaim('packet'), slot: 2 })
  expect(damaged).toContainEqual({ id: undefined, key: keyClaim('lonely'), slot: 1 })
})

test('a whole record in the place of another counts as damaged', () => {
  claim('packet')
  claim('other')
  copyFileSync(locate('other', 1), locate('packet', 1))
  copyFileSync(locate('other', 1), locate('other', 2))
  expect(rival.listDamaged()).toHaveLength(2)
})

test('a record or a folder that cannot be read is an error and grants nothing', () => {
  mkdirSync(locate('packet', 1), { recursive: true })
  const unreadable = expect.objectContaining({ code: 'store-unreadable' })
  expect(() => registry.claim('packet', 'pool')).toThrow(unreadable)
  expect(() => registry.complete('packet', 1, 'result')).toThrow(unreadable)
  expect(() => registry.listClaims()).toThrow(unreadable)
})

test('a record of a newer format is refused, not taken for damage', () => {
  claim('packet')
  const record = unsealLine(readFileSync(locate('packet', 1)))
  writeFileSync(locate('packet', 1), sealLine({ ...(record as object), format: 2, news: true }))
  expect(() => rival.claim('packet', 'pool')).toThrow(
    expect.objectContaining({
      code: 'store-unreadable',
      message: expect.stringContaining('format 2'),
    }),
  )
})

test('a damaged lease keeps its owner until the owner writes it anew', () => {
  const session = new ClaimRegistry(path, {
    ownerId: 'session',
    ownerKind: 'host_session',
    leaseMs: -1,
  })
  session.claim('packet', 'pool')
  expect(rival.isClaimed('packet')).toBe(false)
  const [lease] = listFiles().filter((file) => file.includes('leases'))
  flipByte(lease ?? '', 70, 1)
  expect(rival.claim('packet', 'pool').acquired).toBe(false)
  session.heartbeat()
  expect(rival.claim('packet', 'pool').acquired).toBe(true)
})

test('an owner whose lease file is gone holds until the end that the grant names', () => {
  const clock = createFakeClock()
  const session = new ClaimRegistry(path, { ownerId: 's', ownerKind: 'host_session', clock })
  const other = new ClaimRegistry(path, { ownerId: 'other', clock })
  session.claim('packet', 'pool')
  const until = clock.now() + 15 * 60_000
  rmSync(join(path, 'leases'), { recursive: true })
  expect(other.claim('packet', 'pool')).toMatchObject({ acquired: false, until })
  clock.setWallTime(until)
  expect(other.claim('packet', 'pool').acquired).toBe(true)
})

test('temporary files that a dead process left are nobody’s claim', () => {
  claim('packet')
  const key = keyClaim('packet')
  writeFileSync(join(path, key.slice(0, 2), `.${key}-1.tmp`), 'half a rec')
  expect(registry.listClaims()).toHaveLength(1)
  expect(registry.listDamaged()).toEqual([])
})
