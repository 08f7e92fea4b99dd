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
const lockCount = Math.ceil(count / 10)
/** Ratios are taken within a round and their median counts: the disk's own work comes and goes. */
const rounds = 5

const root = mkdtempSync(join(tmpdir(), 'claims-bench-'))
let folderCount = 0

function createFolder(): string {
  folderCount += 1
  const folder = join(root, String(folderCount))
  mkdirSync(folder)
  return folder
}

function measurePerSecond(times: number, act: (index: number) => void): number {
  const startedAt = performance.now()
  for (let index = 0; index < times; index += 1) act(index)
  return (times / (performance.now() - startedAt)) * 1000
}

function measureBareFiles(): number {
  const folder = createFolder()
  const content = 'x'.repeat(400)
  return measurePerSecond(count, (index) => {
    const descriptor = openSync(join(folder, String(index)), 'wx')
    writeSync(descriptor, content)
    closeSync(descriptor)
  })
}

function measureClaims(registry: ClaimRegistry, prefix: string): number {
  return measurePerSecond(count, (index) => {
    if (!registry.claim(`${prefix}${index}`, 'pool').acquired) throw new Error('a claim was lost')
  })
}

interface LockLibrary {
  lockSync(path: string, options: { realpath: boolean }): () => void
}

function measureLocks(): number {
  const require = createRequire(new URL('../packages/shared/package.json', import.meta.url))
  const library = require('proper-lockfile') as LockLibrary
  const folder = createFolder()
  return measurePerSecond(lockCount, (index) => {
    const unlock = library.lockSync(join(folder, String(index)), { realpath: false })
    unlock()
  })
}

/** How long 50 claims take that are all asked for at once in one process. */
async function measureBurstMs(): Promise<number> {
  const registry = new ClaimRegistry(createFolder())
  const ids = Array.from({ length: 50 }, (_, index) => `burst-${index}`)
  const startedAt = performance.now()
  await Promise.all(ids.map(async (id) => registry.claim(id, 'pool')))
  return performance.now() - startedAt
}

function findMedian(figures: readonly number[]): number {
  return figures.toSorted((left, right) => left - right)[Math.floor(figures.length / 2)] ?? 0
}

function createCrowdedRegistry(): ClaimRegistry {
  const registry = new ClaimRegistry(createFolder())
  const ids = Array.from({ length: liveCount }, (_, index) => `live-${index}`)
  registry.claimMany(ids, 'pool')
  return registry
}

async function measureRounds(): Promise<Record<string, number>> {
  const crowded = createCrowdedRegistry()
  const measured = []
  for (let round = 0; round < rounds; round += 1) {
    measured.push({
      bare: measureBareFiles(),
      claim: measureClaims(new ClaimRegistry(createFolder()), 'new-'),
      crowded: measureClaims(crowded, `round-${round}-`),
      lock: measureLocks(),
      burstMs: await measureBurstMs(),
    })
  }
  type Round = (typeof measured)[number]
  const summarize = (read: (round: Round) => number, digits = 0): number =>
    Number(findMedian(measured.map(read)).toFixed(digits))
  return {
    claims_per_second: summarize(({ claim }) => claim),
    bare_files_per_second: summarize(({ bare }) => bare),
    proper_lockfile_pairs_per_second: summarize(({ lock }) => lock),
    claim_rate_to_bare_files: summarize(({ claim, bare }) => claim / bare, 2),
    claim_rate_to_proper_lockfile: summarize(({ claim, lock }) => claim / lock, 2),
    live_claims: liveCount,
    cost_with_live_claims_to_without: summarize((round) => round.claim / round.crowded, 2),
    burst_of_50_ms: summarize(({ burstMs }) => burstMs, 1),
  }
}

try {
  const result = await measureRounds()
  if (flags.json) console.log(JSON.stringify(result))
  else for (const [name, value] of Object.entries(result)) console.log(`${name}: ${value}`)
} finally {
  rmSync(root, { recursive: true, force: true })
}
