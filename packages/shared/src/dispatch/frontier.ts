import { compareText } from '../core/index.ts'
import type { FrontierNode } from './frontier-node.ts'
import { readSize } from './pool-entry.ts'

/** A work item waits longer than its turn when this many times the work that was ahead of it has started since. */
const OVERTAKING_FACTOR = 2

/** How soon a work item that somebody else holds is tried again: a release over there is not announced. */
export const HELD_RETRY_MS = 5_000

/** Shared by all entries that never failed: a frontier may be large. */
const none: readonly string[] = []
const nobody: ReadonlySet<string> = new Set()

/** A work item that is not done yet, with what this run knows of it. */
export interface FrontierEntry {
  readonly node: FrontierNode
  /** Order of arrival. */
  readonly sequence: number
  readonly size: number
  /** Started work, in tokens since the frontier began, from which the item counts as overtaken too often. */
  readonly overdueFrom: number
  state: 'pending' | 'in_flight' | 'held'
  attempts: number
  refusals: number
  /** What failed attempts said, oldest first. */
  notes: readonly string[]
  /** Pools that must not get it. */
  skipped: ReadonlySet<string>
  /** Pools that get it only when no other one can. */
  avoided: ReadonlySet<string>
  /** The pool whose last answer was bad. */
  lastBadPool: string | undefined
  /** The claim, kept while the item waits for another start. */
  claim: { readonly ownerToken: string; readonly epoch: number } | undefined
  /** Epoch milliseconds at which an item that somebody else holds is tried again. */
  heldUntil: number
  place: { readonly pendingClass: PendingClass; readonly group: PendingGroup } | undefined
}

/** Pending items of about the same cost, so that one look at a group stands for all of it. */
export interface PendingGroup {
  readonly key: string
  readonly outputOctave: string
  readonly prefix: string | undefined
  /** The least answer length in the group; undefined when answers are of unknown length. */
  leastOutput: number | undefined
  /** Smallest first, within a size the latest first: the end is the next one to take. */
  readonly entries: FrontierEntry[]
  isSorted: boolean
}

/** Pending items that the same pools may take. */
export interface PendingClass {
  readonly key: string
  /** Indexes of pools, in order of preference. */
  readonly eligible: readonly number[]
  /** Those of them that are only a last resort. */
  readonly avoided: ReadonlySet<number>
  /** Largest sizes first. */
  readonly groups: PendingGroup[]
  count: number
}

/** The pools that an entry may go to, by index. */
export interface Placement {
  readonly eligible: readonly number[]
  readonly avoided: readonly number[]
}

/** The work items of a run that are not done, indexed so that matching looks at groups and not at every item. */
export class Frontier {
  readonly #place: (entry: FrontierEntry) => Placement
  readonly #entries = new Map<string, FrontierEntry>()
  readonly #classes = new Map<string, PendingClass>()
  readonly #held = new Set<FrontierEntry>()
  /** Ids that are over for this run. */
  readonly #ended = new Set<string>()
  /** In order of arrival; what is gone is skipped and dropped when enough of it is at the front. */
  #arrivals: FrontierEntry[] = []
  #arrivalsHead = 0
  #sequence = 0
  #pendingCount = 0
  #pendingTokens = 0
  #startedTokens = 0

  constructor(place: (entry: FrontierEntry) => Placement) {
    this.#place = place
  }

  get pendingCount(): number {
    return this.#pendingCount
  }

  /** Mean size of what is pending; 0 when nothing is. */
  get meanSize(): number {
    return this.#pendingCount === 0 ? 0 : this.#pendingTokens / this.#pendingCount
  }

  get(nodeId: string): FrontierEntry | undefined {
    return this.#entries.get(nodeId)
  }

  /** All entries in order of arrival. */
  list(): IterableIterator<FrontierEntry> {
    return this.#entries.values()
  }

  listClasses(): IterableIterator<PendingClass> {
    return this.#classes.values()
  }

  /** Adds a node; one with a known id is left as it is, one that is over stays over. */
  add(node: FrontierNode): void {
    if (this.#entries.has(node.id) || this.#ended.has(node.id)) return
    const size = readSize(node)
    const entry: FrontierEntry = {
      node,
      sequence: this.#sequence,
      size,
      overdueFrom: this.#startedTokens + OVERTAKING_FACTOR * (this.#pendingTokens + size),
      state: 'held',
      attempts: 0,
      refusals: 0,
      notes: none,
      skipped: node.skipPools === undefined ? nobody : new Set(node.skipPools),
      avoided: nobody,
      lastBadPool: undefined,
      claim: undefined,
      heldUntil: 0,
      place: undefined,
    }
    this.#sequence += 1
    this.#entries.set(node.id, entry)
    this.#arrivals.push(entry)
    this.enqueue(entry)
  }

  /** Makes an entry pending, under the pools that may take it by now. */
  enqueue(entry: FrontierEntry): void {
    this.#held.delete(entry)
    const pendingClass = this.#openClass(this.#place(entry))
    const group = openGroup(pendingClass, entry)
    const last = group.entries.at(-1)
    if (last !== undefined && compareEntries(last, entry) > 0) group.isSorted = false
    group.entries.push(entry)
    pendingClass.count += 1
    this.#pendingCount += 1
    this.#pendingTokens += entry.size
    entry.state = 'pending'
    entry.place = { pendingClass, group }
  }

  /** Takes a pending entry out of the index because it starts. */
  start(entry: FrontierEntry): void {
    this.#dequeue(entry)
    this.#startedTokens += entry.size
    entry.state = 'in_flight'
  }

  /** Sets an entry aside until an instant, because somebody else holds it. */
  hold(entry: FrontierEntry, until: number): void {
    this.#dequeue(entry)
    entry.state = 'held'
    entry.heldUntil = until
    this.#held.add(entry)
  }

  /** Makes entries pending again whose time has come. */
  wakeHeld(now: number): void {
    for (const entry of this.#held) if (entry.heldUntil <= now) this.enqueue(entry)
  }

  /** The earliest instant at which a held entry is tried again; null when none is held. */
  findHeldUntil(): number | null {
    let earliest: number | null = null
    for (const { heldUntil } of this.#held) earliest = Math.min(earliest ?? heldUntil, heldUntil)
    return earliest
  }

  /** Takes an entry out for good: it is done, or nothing more is tried. */
  end(nodeId: string): void {
    this.remove(nodeId)
    this.#ended.add(nodeId)
  }

  /** Takes an entry out; it may be added again as if it were new. */
  remove(nodeId: string): void {
    const entry = this.#entries.get(nodeId)
    if (entry === undefined) return
    this.#dequeue(entry)
    this.#held.delete(entry)
    this.#entries.delete(nodeId)
  }

  /** The pending entry that came first, when later work has overtaken it too often. */
  findOverdue(): FrontierEntry | undefined {
    this.#dropGone()
    for (let index = this.#arrivalsHead; index < this.#arrivals.length; index += 1) {
      const entry = this.#arrivals[index]
      if (entry?.state !== 'pending' || !this.#isKept(entry)) continue
      return this.#startedTokens > entry.overdueFrom ? entry : undefined
    }
    return undefined
  }

  #isKept(entry: FrontierEntry): boolean {
    return this.#entries.get(entry.node.id) === entry
  }

  #dropGone(): void {
    let head = this.#arrivals[this.#arrivalsHead]
    while (head !== undefined && !this.#isKept(head)) {
      this.#arrivalsHead += 1
      head = this.#arrivals[this.#arrivalsHead]
    }
    if (this.#arrivalsHead * 2 < this.#arrivals.length) return
    this.#arrivals = this.#arrivals.slice(this.#arrivalsHead)
    this.#arrivalsHead = 0
  }

  #openClass({ eligible, avoided }: Placement): PendingClass {
    const key = `${eligible.join(',')}|${avoided.join(',')}`
    const known = this.#classes.get(key)
    if (known !== undefined) return known
    const opened = { key, eligible, avoided: new Set(avoided), groups: [], count: 0 }
    this.#classes.set(key, opened)
    return opened
  }

  #dequeue(entry: FrontierEntry): void {
    if (entry.place === undefined) return
    const { pendingClass, group } = entry.place
    entry.place = undefined
    group.entries.splice(findIndex(group, entry), 1)
    if (group.entries.length === 0) {
      pendingClass.groups.splice(pendingClass.groups.indexOf(group), 1)
    }
    pendingClass.count -= 1
    if (pendingClass.count === 0) this.#classes.delete(pendingClass.key)
    this.#pendingCount -= 1
    this.#pendingTokens -= entry.size
  }
}

function openGroup(pendingClass: PendingClass, { node, size }: FrontierEntry): PendingGroup {
  const output = node.outputTokens
  const outputOctave = output === undefined ? '' : String(measureOctave(output))
  const key = `${String(measureOctave(size)).padStart(3, '0')}/${outputOctave}/${node.prefix ?? ''}`
  const place = pendingClass.groups.findIndex((group) => compareText(group.key, key) <= 0)
  const known = place === -1 ? undefined : pendingClass.groups[place]
  if (known?.key === key) {
    if (output !== undefined) known.leastOutput = Math.min(known.leastOutput ?? output, output)
    return known
  }
  const { prefix } = node
  const opened = { key, outputOctave, prefix, leastOutput: output, entries: [], isSorted: true }
  pendingClass.groups.splice(place === -1 ? pendingClass.groups.length : place, 0, opened)
  return opened
}

/** Sizes of one octave differ by less than a factor of two. */
function measureOctave(tokens: number): number {
  return tokens < 1 ? 0 : Math.floor(Math.log2(tokens)) + 1
}

function compareEntries(left: FrontierEntry, right: FrontierEntry): number {
  return left.size - right.size || right.sequence - left.sequence
}

/** The entries of a group, smallest first. */
export function readSorted(group: PendingGroup): readonly FrontierEntry[] {
  if (!group.isSorted) group.entries.sort(compareEntries)
  group.isSorted = true
  return group.entries
}

function findIndex(group: PendingGroup, entry: FrontierEntry): number {
  const entries = readSorted(group)
  let low = 0
  let high = entries.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    const other = entries[middle]
    if (other === undefined || compareEntries(other, entry) < 0) low = middle + 1
    else high = middle
  }
  return low
}
