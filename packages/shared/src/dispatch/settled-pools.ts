import { z } from 'zod'
import { compareText } from '../core/index.ts'
import { readOptionalJsonFile, withFileLock, writeJsonFile } from '../store/index.ts'

const SettledIdsSchema = z.array(z.string()).describe('Ids of settled pools, sorted')

const SettledPoolSchema = z.object({
  pool_id: z.string().describe('The pool that is closed for this run'),
  cause: z.string().optional().describe('Why, such as credit or auth'),
  detail: z.string().optional().describe('What the provider said, redacted'),
  settled_at: z.number().optional().describe('Epoch milliseconds'),
})

/** A settled pool with its cause, as it stands in the sidecar. */
export type SettledPool = z.infer<typeof SettledPoolSchema>

/** What is known about why a pool was settled. */
export interface SettledPoolInfo {
  readonly cause?: string
  readonly detail?: string
  /** Epoch milliseconds. */
  readonly settledAt?: number
}

/**
 * The ids of the pools that are settled for this run; empty when nothing was settled yet. Rejects with
 * `store-unreadable` or `store-corrupt` when that cannot be told: an unreadable list is never an empty one.
 */
export async function readSettledPools(path: string): Promise<Set<string>> {
  return readSettledPoolsSync(path)
}

/** `readSettledPools` for callers that decide synchronously. */
export function readSettledPoolsSync(path: string): Set<string> {
  return new Set(readOptionalJsonFile(path, SettledIdsSchema))
}

/** Each settled pool once, sorted by id, with its cause where one was given. Throws as `readSettledPools` rejects. */
export function readSettledPoolCauses(path: string): SettledPool[] {
  const causes = new Map(readCauses(path).map((entry) => [entry.pool_id, entry]))
  const ids = [...readSettledPoolsSync(path)].toSorted(compareText)
  return ids.map((id) => causes.get(id) ?? { pool_id: id })
}

/**
 * Settles a pool for this run. Any number of processes may do so at once and again; the first cause stays. Guarded by
 * `path + ".lock"`; rejects with `lock-timeout`, `store-unwritable`, or as `readSettledPools`, and then changes nothing.
 */
export async function addSettledPool(
  path: string,
  poolId: string,
  info: SettledPoolInfo = {},
): Promise<void> {
  await withFileLock(`${path}.lock`, () => {
    const settled = readSettledPoolsSync(path)
    // The cause first: whoever sees a pool as settled then also finds out why.
    recordCause(path, poolId, info)
    if (settled.has(poolId)) return
    writeJsonFile(path, [...settled, poolId].toSorted(compareText), { durable: true })
  })
}

function recordCause(path: string, poolId: string, info: SettledPoolInfo): void {
  const causes = readCauses(path)
  if (causes.some((entry) => entry.pool_id === poolId)) return
  const entry: SettledPool = {
    pool_id: poolId,
    ...(info.cause === undefined ? {} : { cause: info.cause }),
    ...(info.detail === undefined ? {} : { detail: info.detail }),
    ...(info.settledAt === undefined ? {} : { settled_at: info.settledAt }),
  }
  const sorted = [...causes, entry].toSorted((a, b) => compareText(a.pool_id, b.pool_id))
  writeJsonFile(locateCauses(path), sorted, { durable: true })
}

function readCauses(path: string): SettledPool[] {
  return readOptionalJsonFile(locateCauses(path), z.array(SettledPoolSchema)) ?? []
}

function locateCauses(path: string): string {
  return `${path}.causes.json`
}
