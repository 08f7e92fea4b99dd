import type { Environment, Clock } from '@audit-tools/shared/core'
import { spawnDetached } from '@audit-tools/shared/process'

import { isDriven, readRunnerEnd, type Review } from '../run/index.ts'

export interface RunnerOptions {
  readonly tool: readonly string[]
  readonly place: readonly string[]
  readonly environment: Environment
  readonly clock: Clock
}

export type RunnerState =
  | { readonly kind: 'running' }
  /** It ended and may go on at `until`. */
  | { readonly kind: 'waiting'; readonly until: number; readonly reasons: readonly string[] }
  /** It ended and a person has to do something first. */
  | { readonly kind: 'ended'; readonly reasons: readonly string[] }

const START_WAIT_MS = 3000
const START_POLL_MS = 50

/** Finds the one process that drives the run's in-process pools, or starts it. */
export async function ensureRunner(review: Review, options: RunnerOptions): Promise<RunnerState> {
  const { clock } = options
  if (isDriven(review)) return { kind: 'running' }
  const end = readRunnerEnd(review.files)
  if (end?.kind === 'waiting' && end.until !== null && end.until > clock.now()) {
    return { kind: 'waiting', until: end.until, reasons: end.reasons }
  }
  if (end?.kind === 'exhausted' || end?.kind === 'stuck') {
    return { kind: 'ended', reasons: end.reasons }
  }
  return startRunner(review, options)
}

async function startRunner(
  review: Review,
  { tool, place, environment, clock }: RunnerOptions,
): Promise<RunnerState> {
  const [command = '', ...words] = tool
  const spawned = await spawnDetached({
    command,
    args: [...words, 'drive-run', '--run-id', review.runId, ...place],
    cwd: review.root,
    env: Object.fromEntries(
      Object.entries(environment).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    ),
    logPath: review.files.runnerLog,
  })
  if (spawned.kind === 'spawn_failed') return { kind: 'ended', reasons: [spawned.message] }
  // So that the next call finds it instead of starting another.
  const deadline = clock.monotonic() + START_WAIT_MS
  while (!isDriven(review) && clock.monotonic() < deadline) await clock.sleep(START_POLL_MS)
  return { kind: 'running' }
}
