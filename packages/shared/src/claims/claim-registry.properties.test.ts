import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ClaimRegistry } from './claim-registry.ts'
import type { ClaimStore } from './claim-store.ts'
import { createFileClaimStore } from './file-claim-store.ts'
import { ReferenceRegistry } from './fixtures/reference-registry.ts'
import { type Actor, SimulatedWorld } from './fixtures/simulated-world.ts'
import { createMemoryClaimStore } from './memory-claim-store.ts'

const numRuns = process.env['FULL'] === '1' ? 1_000 : 100
const timeout = 300_000

const ids = ['packet-x', 'packet-y'] as const

type Move = { readonly actor: number; readonly id: string; readonly what: MoveKind }
type MoveKind =
  | 'claim'
  | 'complete'
  | 'release'
  | 'heartbeat'
  | 'reclaim'
  | 'step'
  | 'kill'
  | 'tick'

const move: fc.Arbitrary<Move> = fc.record({
  actor: fc.nat(3),
  id: fc.constantFrom(...ids),
  what: fc.oneof(
    { weight: 12, arbitrary: fc.constant<MoveKind>('step') },
    { weight: 6, arbitrary: fc.constant<MoveKind>('claim') },
    { weight: 2, arbitrary: fc.constantFrom<MoveKind>('complete', 'release', 'reclaim') },
    { weight: 2, arbitrary: fc.constantFrom<MoveKind>('heartbeat', 'kill', 'tick') },
  ),
})
const moves = fc.array(move, { minLength: 50, maxLength: 250, size: 'max' })

function makeMove(world: SimulatedWorld, { actor: index, id, what }: Move): void {
  const actor = world.actors[index]
  if (actor === undefined) throw new Error(`no actor ${index}`)
  if (what === 'tick') world.tick()
  else if (what === 'kill') world.kill(actor)
  else if (actor.step === undefined) beginCall(world, actor, id, what)
  else world.step(actor)
}

function beginCall(world: SimulatedWorld, actor: Actor, id: string, what: MoveKind): void {
  if (what === 'claim') world.beginClaim(actor, id)
  if (what === 'complete') world.beginCompletion(actor, id)
  if (what === 'release') world.beginRelease(actor, id)
  if (what === 'heartbeat') world.begin(actor, (registry) => registry.heartbeat())
  if (what === 'reclaim') world.begin(actor, (registry) => registry.reclaimStale())
}

/** Plays generated interleavings; the world's witness checks every transition and every answer. */
function playInterleavings(check: (world: SimulatedWorld) => void): SimulatedWorld['counts'][] {
  const counts: SimulatedWorld['counts'][] = []
  fc.assert(
    fc.property(moves, (made) => {
      const world = new SimulatedWorld()
      for (const each of made) makeMove(world, each)
      for (const actor of world.actors) world.finish(actor)
      check(world)
      counts.push(world.counts)
    }),
    { numRuns },
  )
  return counts
}

function countRuns(
  counts: readonly SimulatedWorld['counts'][],
  name: keyof SimulatedWorld['counts'],
): number {
  return counts.filter((each) => each[name] > 0).length
}

test(
  '1. Single winner: for any interleaving of claim/renew/release/expire/kill over P processes, at most one unexpired grant per key at any store time',
  () => {
    const counts = playInterleavings((world) => {
      for (const id of ids) {
        const states = world.readHistory(id).map(({ state }) => state)
        expect(states.filter((state) => state === 'done').length).toBeLessThanOrEqual(1)
      }
    })
    expect(countRuns(counts, 'collisions')).toBeGreaterThan(0)
    expect(countRuns(counts, 'takeovers')).toBeGreaterThan(0)
  },
  timeout,
)

test(
  '2. Fence monotone: the fences of successive grants of a key strictly increase',
  () => {
    playInterleavings((world) => {
      for (const id of ids) {
        const fences = world
          .readHistory(id)
          .flatMap((record) => (record.state === 'granted' ? [record.epoch] : []))
        expect(fences).toEqual([...new Set(fences)].toSorted((left, right) => left - right))
      }
    })
  },
  timeout,
)

test(
  '3. Stale completion refused: if grant f2 > f1 exists, complete(f1) returns stale and the state is unchanged; exactly one accepted completion per key, ever',
  () => {
    const counts = playInterleavings((world) => {
      const [process] = world.actors
      if (process === undefined) throw new Error('no actor')
      for (const id of ids) {
        const history = world.readHistory(id)
        const fences = history.flatMap(({ state, epoch }) => (state === 'granted' ? [epoch] : []))
        for (const stale of fences.slice(0, -1)) {
          const answer = world.call(process, (registry) => registry.complete(id, stale, 'late'))
          expect(answer).toBe('stale')
        }
        expect(world.readHistory(id)).toEqual(history)
      }
    })
    expect(countRuns(counts, 'superseded')).toBeGreaterThan(0)
    expect(countRuns(counts, 'accepted')).toBeGreaterThan(0)
  },
  timeout,
)

test(
  '4. No lost claim: a granted, unexpired claim survives kill -9 of any other process',
  () => {
    const survivals: number[] = []
    playInterleavings((world) => {
      const [holder, ...others] = world.actors
      if (holder === undefined) throw new Error('no actor')
      const held = ids.filter((id) =>
        world.call(holder, (registry) => registry.claim(id, 'p').acquired),
      )
      for (const other of others) {
        world.beginClaim(other, ids[0])
        world.step(other)
        world.kill(other)
        world.call(other, (registry) => registry.reclaimStale())
        for (const id of held) {
          expect(world.call(other, (registry) => registry.claim(id, 'p').acquired)).toBe(false)
        }
      }
      survivals.push(held.length)
    })
    expect(Math.max(...survivals)).toBe(2)
  },
  timeout,
)

test(
  '6. Idempotence: repeating a claim by the same owner or a completion with the same (id, epoch, result) gives the same answer and the same state',
  () => {
    playInterleavings((world) => {
      for (const actor of world.actors) {
        for (const id of ids) {
          const first = world.call(actor, (registry) => registry.claim(id, 'pool'))
          const history = world.readHistory(id)
          expect(world.call(actor, (registry) => registry.claim(id, 'pool'))).toEqual(first)
          expect(world.readHistory(id)).toEqual(history)
        }
      }
      for (const id of ids) checkRepeatedCompletion(world, id)
    })
  },
  timeout,
)

function checkRepeatedCompletion(world: SimulatedWorld, id: string): void {
  const [first, second] = world.actors
  const epoch = world.readHistory(id).at(-1)?.epoch ?? 1
  if (first === undefined || second === undefined) throw new Error('no actors')
  world.call(first, (registry) => registry.complete(id, epoch, 'again'))
  const history = world.readHistory(id)
  const isMine = history.some((record) => record.state === 'done' && record.resultRef === 'again')
  for (const actor of [first, second]) {
    const answer = world.call(actor, (registry) => registry.complete(id, epoch, 'again'))
    expect(answer).toBe(isMine ? 'duplicate' : 'stale')
  }
  expect(world.readHistory(id)).toEqual(history)
}

class Killed extends Error {}

/** A store whose process dies before or after its nth change. */
function createMortalStore(
  store: ClaimStore,
  deathAt: number,
  when: 'before' | 'after',
): ClaimStore {
  let changes = 0
  const change = <Answer>(act: () => Answer): Answer => {
    changes += 1
    if (changes === deathAt && when === 'before') throw new Killed()
    const answer = act()
    if (changes === deathAt) throw new Killed()
    return answer
  }
  return {
    ...store,
    appendExclusive: (...args) => change(() => store.appendExclusive(...args)),
    writeLease: (...args) => change(() => store.writeLease(...args)),
  }
}

/** Takes in the results that are there, frees what the dead left, and works off the rest. */
function workOff(
  registry: ClaimRegistry,
  packets: readonly string[],
  results: Map<string, { epoch: number; text: string }>,
): number {
  for (const [id, { epoch, text }] of results) registry.complete(id, epoch, text)
  registry.reclaimStale()
  let workDone = 0
  for (const id of packets) {
    const claim = registry.claim(id, 'pool')
    if (!claim.acquired) continue
    const text = `reviewed ${id}`
    results.set(id, { epoch: claim.epoch, text })
    workDone += 1
    registry.complete(id, claim.epoch, text)
  }
  return workDone
}

test(
  '21. crash equivalence: crash at any store operation + resume = same results as without crash',
  () => {
    const crash = fc.record({
      deathAt: fc.integer({ min: 1, max: 25 }),
      when: fc.constantFrom('before' as const, 'after' as const),
    })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.array(crash, { maxLength: 4 }),
        (count, crashes) => {
          const packets = Array.from({ length: count }, (_, index) => `packet-${index}`)
          const results = new Map<string, { epoch: number; text: string }>()
          let living = 0
          const store = createMemoryClaimStore({
            probeOwner: ({ instance }) => (instance === `life-${living}` ? 'alive' : 'dead'),
          })
          for (const { deathAt, when } of crashes) {
            const mortal = createMortalStore(store, deathAt, when)
            try {
              workOff(
                new ClaimRegistry('', { ownerId: `life-${living}`, store: mortal }),
                packets,
                results,
              )
            } catch (error) {
              if (!(error instanceof Killed)) throw error
            }
            living += 1
          }
          const paidBefore = results.size
          const last = new ClaimRegistry('', { ownerId: `life-${living}`, store })
          expect(workOff(last, packets, results)).toBe(count - paidBefore)
          expect(last.listCompleted().map(({ id, resultRef }) => [id, resultRef])).toEqual(
            packets.map((id) => [id, `reviewed ${id}`]),
          )
          expect(last.listClaims()).toEqual([])
        },
      ),
      { numRuns },
    )
  },
  timeout,
)

interface Call {
  readonly owner: string
  readonly id: string
  readonly epoch: number
  readonly what: 'claim' | 'complete' | 'release' | 'reclaim' | 'die'
  readonly resultRef: string
}

const call: fc.Arbitrary<Call> = fc.record({
  owner: fc.constantFrom('a', 'b', 'c'),
  id: fc.constantFrom(...ids),
  epoch: fc.integer({ min: 1, max: 8 }),
  what: fc.constantFrom('claim', 'claim', 'complete', 'release', 'reclaim', 'die'),
  resultRef: fc.constantFrom('result-1', 'result-2'),
})

type Backend = Pick<ReferenceRegistry, 'claim' | 'complete' | 'release' | 'reclaim' | 'describe'>

/** Registries on one store, answering in the words of the reference. */
function describeAnswers(store: ClaimStore): Backend {
  const tokens = new Map<string, string>()
  const open = (ownerId: string): ClaimRegistry => new ClaimRegistry('', { ownerId, store })
  const reader = open('reader')
  return {
    claim(owner, id) {
      const result = open(owner).claim(id, 'pool')
      if (!result.acquired) {
        return 'done' in result ? `done ${result.done}` : `held by ${result.heldBy}`
      }
      tokens.set(`${id} ${result.epoch}`, result.ownerToken)
      return `granted ${result.epoch}`
    },
    complete: (id, epoch, resultRef) => reader.complete(id, epoch, resultRef),
    release: (id, epoch) => reader.release(id, tokens.get(`${id} ${epoch}`) ?? 'none'),
    reclaim: () => reader.reclaimStale().join(),
    describe() {
      const held = reader.listClaims().map((each) => `${each.id} held ${each.epoch} ${each.owner}`)
      const done = reader
        .listCompleted()
        .map((each) => `${each.id} done ${each.epoch} ${each.resultRef}`)
      return [...held, ...done].toSorted()
    },
  }
}

function play(backend: Backend, { what, owner, id, epoch, resultRef }: Call): string {
  if (what === 'claim') return backend.claim(owner, id)
  if (what === 'complete') return backend.complete(id, epoch, resultRef)
  if (what === 'release') return backend.release(id, epoch)
  return backend.reclaim()
}

test(
  '23. backend equivalence: file and memory stores give the same trace against the reference model',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'claims-'))
    let runs = 0
    const checkTrace = (calls: readonly Call[]): void => {
      runs += 1
      const reference = new ReferenceRegistry()
      const probeOwner: ClaimStore['probeOwner'] = ({ instance }) =>
        reference.gone.has(instance) ? 'dead' : 'alive'
      const backends = [
        describeAnswers({ ...createFileClaimStore(join(folder, String(runs))), probeOwner }),
        describeAnswers(createMemoryClaimStore({ probeOwner })),
      ]
      for (const each of calls) {
        // The dead cannot call.
        const made = reference.gone.has(each.owner) ? { ...each, owner: 'survivor' } : each
        if (made.what === 'die') reference.gone.add(each.owner)
        else {
          const right = play(reference, made)
          for (const backend of backends) expect(play(backend, made)).toBe(right)
        }
      }
      for (const backend of backends) expect(backend.describe()).toEqual(reference.describe())
    }
    try {
      fc.assert(fc.property(fc.array(call, { maxLength: 60, size: 'max' }), checkTrace), {
        numRuns,
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  timeout,
)
