import {
  inspectPath,
  readOptionalJsonFile,
  removeFile,
  writeJsonFile,
} from '@audit-tools/shared/store'
import { z } from 'zod'

import type { DriveEnd } from './drive-review.ts'
import type { ReviewFiles } from './review-files.ts'

const RunnerEndSchema = z.strictObject({
  kind: z
    .enum(['done', 'waiting', 'exhausted', 'stuck', 'cancelled', 'stopped'])
    .describe('Why the last driver of in-process pools ended'),
  until: z.number().nullable().describe('Epoch milliseconds at which it may go on'),
  reasons: z.array(z.string()).describe('What kept it from going on'),
})

export type RunnerEnd = z.infer<typeof RunnerEndSchema>

/** How the last driver of in-process pools ended; undefined when none did, or it was killed. */
export function readRunnerEnd({ runnerEnd }: ReviewFiles): RunnerEnd | undefined {
  return readOptionalJsonFile(runnerEnd, RunnerEndSchema)
}

export function writeRunnerEnd({ runnerEnd }: ReviewFiles, end: DriveEnd): void {
  writeJsonFile(runnerEnd, describeRunnerEnd(end) satisfies RunnerEnd)
}

/** The end of a drive in words. */
export function describeRunnerEnd(end: DriveEnd): RunnerEnd {
  switch (end.kind) {
    case 'waiting':
      return { kind: end.kind, until: end.until, reasons: describeWaiting(end.waiting) }
    case 'stuck':
      return { kind: end.kind, until: null, reasons: describeWaiting(end.waiting) }
    case 'exhausted':
      return { kind: end.kind, until: null, reasons: [end.terminal.reason] }
    case 'done':
    case 'cancelled':
    case 'stopped':
      return { kind: end.kind, until: null, reasons: [] }
  }
}

type Waiting = Extract<DriveEnd, { kind: 'stuck' }>['waiting']

function describeWaiting(waiting: Waiting): string[] {
  const reasons = waiting.map((one) => {
    switch (one.kind) {
      case 'waiting':
        return one.message
      case 'held':
        return 'somebody else works on it'
      case 'exhausted':
        return one.pools.map(({ poolId, cause }) => `${poolId} is closed (${cause})`).join(', ')
      case 'unplaceable':
        return one.pools.map(({ poolId, reason }) => `${poolId}: ${reason}`).join('; ')
    }
  })
  return [...new Set(reasons)].slice(0, 5)
}

/** After everything was closed a person who says `run` again has mended something: the pools get another chance. */
export function reopenSettledPools(files: ReviewFiles): void {
  if (readRunnerEnd(files)?.kind !== 'exhausted') return
  for (const path of [files.settledPools, `${files.settledPools}.causes.json`, files.runnerEnd]) {
    if (inspectPath(path).kind !== 'missing') removeFile(path)
  }
}
