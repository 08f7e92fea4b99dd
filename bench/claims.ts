/*
 * Claims per second beside two plainer ways to own something, all measured in one run: creating a file with `wx`, which
 * is the least that any file store can do, and taking and giving back a lock of proper-lockfile.
 * Flags: --json, --count=N (default 4000), --live=N (default 10000).
 */
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ClaimRegistry } from '../packages/shared/src/claims/index.ts'

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    count: { type: 'string', default: '4000' },
    live: { type: 'string', default: '10000' },
  },
})
const count = Number(flags.count)
const liveCount = Number(flags.live)
/** The ways take turns in short batches, so that what else the disk does falls on all of them alike. */
const batchSize = 50

const root = mkdtempSync(join(tmpdir(), 'claims-bench-'))
let folderCount = 0

function createFolder(): string {
  folderCount += 1
  const folder = join(root, String(folderCount))
  mkdirSync(folder)
  return folder
}

type Way = (index: number) => void

interface ClaimFigures {
  readonly claimMs: number
  readonly bareMs: number
}

/**
 * Claims among `live` others, in turn with bare files of the same size in the same folders: ext4 makes a file many times
 * slower where many were deleted in the last minutes, so that only neighbours can be compared.
 */
function measureClaims(live: number): ClaimFigures {
  const folder = createFolder()
  const shards = Array.from({ length: 256 }, (_, shard) => {
    const path = join(folder, shard.toString(16).padStart(2, '0'))
    mkdirSync(path)
    return path
  })
  const registry = new ClaimRegistry(folder)
  registry.claimMany(
    Array.from({ length: live }, (_, index) => `live-${index}`),
    'pool',
  )
  const content = 'x'.repeat(400)
  const [claimMs, bareMs] = measureInTurn([
    (index) => {
      if (!registry.claim(`new-${index}`, 'pool').acquired) throw new Error('a claim was lost')
    },
    (index) => {
      const descriptor = openSync(join(shards[index % 256] ?? '', `bare-${index}`), 'wx')
      writeSync(descriptor, content)
      closeSync(descriptor)
    },
  ])
  return { claimMs: claimMs ?? 0, bareMs: bareMs ?? 0 }
}

interface LockLibrary {
  lockSync(path: string, options: { realpath: boolean }): () => void
}

function measureLocksMs(): number {
  const loadFromShared = createRequire(new URL('../packages/shared/package.json', import.meta.url))
  const library = loadFromShared('proper-lockfile') as LockLibrary
  const folder = createFolder()
  const [lockMs] = measureInTurn([
    (index) => library.lockSync(join(folder, String(index)), { realpath: false })(),
  ])
  return lockMs ?? 0
}

function measureBatch(way: Way, start: number): number {
  const startedAt = performance.now()
  for (let index = start; index < start + batchSize; index += 1) way(index)
  return (performance.now() - startedAt) / batchSize
}

/** The lower quartile: what a way costs while other programs and the disk's own work are not in it. */
function findQuartile(figures: readonly number[]): number {
  return figures.toSorted((left, right) => left - right)[Math.floor(figures.length / 4)] ?? 0
}

/** How long 50 claims take that are all asked for at once in one process. */
async function measureBurstMs(): Promise<number> {
  const registry = new ClaimRegistry(createFolder())
  const ids = Array.from({ length: 50 }, (_, index) => `burst-${index}`)
  const startedAt = performance.now()
  await Promise.all(ids.map(async (id) => registry.claim(id, 'pool')))
  return performance.now() - startedAt
}

function round(figure: number, digits: number): number {
  return Number(figure.toFixed(digits))
}

/** Milliseconds per call of each way, as the lower quartile of its batches. */
function measureInTurn(ways: readonly Way[]): number[] {
  const batchesMs = ways.map((): number[] => [])
  for (let start = 0; start < count; start += batchSize) {
    for (const [index, way] of ways.entries()) batchesMs[index]?.push(measureBatch(way, start))
  }
  return batchesMs.map(findQuartile)
}

async function measure(): Promise<Record<string, number>> {
  const burstMs = await measureBurstMs()
  const alone = measureClaims(0)
  const crowded = measureClaims(liveCount)
  // Last: locks delete what they make, and ext4 makes files slowly where many were deleted just before.
  const lockMs = measureLocksMs()
  const costAlone = alone.claimMs / alone.bareMs
  return {
    claims_per_second: round(1000 / alone.claimMs, 0),
    bare_files_per_second: round(1000 / alone.bareMs, 0),
    proper_lockfile_pairs_per_second: round(1000 / lockMs, 0),
    claim_rate_to_bare_files: round(1 / costAlone, 2),
    claim_rate_to_proper_lockfile: round(lockMs / alone.claimMs, 2),
    live_claims: liveCount,
    // Each beside its own bare files.
    cost_with_live_claims_to_without: round(crowded.claimMs / crowded.bareMs / costAlone, 2),
    burst_of_50_ms: round(burstMs, 1),
  }
}

try {
  const result = await measure()
  if (flags.json) console.log(JSON.stringify(result))
  else for (const [name, value] of Object.entries(result)) console.log(`${name}: ${value}`)
} finally {
  rmSync(root, { recursive: true, force: true })
}
