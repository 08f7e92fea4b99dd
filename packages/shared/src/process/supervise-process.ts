import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { type Clock, systemClock, systemRandom } from '../core/index.ts'
import { type ClockLimits, type RunningClocks, startClocks } from './clocks.ts'
import { guardTree } from './exit-guard.ts'
import { describeTree, killTree, type ProcessTree, TREE_MARK } from './kill-tree.ts'
import type { ProcessOutcome, ProcessRecord, StopCause } from './outcome.ts'
import {
  closeOutputs,
  collectOutputs,
  openOutputs,
  type OutputOptions,
  type Outputs,
  renderOutputs,
} from './output.ts'
import { spawnChild, type SpawnOptions } from './spawn-child.ts'
import {
  destroyStreams,
  type ExitStatus,
  feedStdin,
  waitAtMost,
  waitForClose,
  waitForExit,
} from './streams.ts'

export interface SuperviseOptions extends SpawnOptions, ClockLimits, OutputOptions {
  /** Written to the child's input, which is then closed. Default: closed at once. */
  readonly stdin?: string | Uint8Array | undefined
  /** How long a stopped tree may take to end by itself before it is killed. Default 2 s. */
  readonly killGraceMs?: number | undefined
  /** Stops the tree; the outcome is then `cancelled`. */
  readonly signal?: AbortSignal | undefined
  readonly clock?: Clock | undefined
}

const defaultKillGraceMs = 2000
/** How long output may go on after the child's end before whoever still holds it is ended. */
const drainMs = 300
/** How long a killed process may take to be reported gone; one in an uninterruptible call outlasts any wait. */
const reapMs = 2000

/**
 * Runs a program in its own process group and returns once it and all it started are gone. Every way it can end is an
 * outcome; throws only `store-unwritable`, when a log file cannot be created.
 */
export async function superviseProcess(options: SuperviseOptions): Promise<ProcessOutcome> {
  const { clock = systemClock, signal } = options
  const outputs = openOutputs(options)
  try {
    const startedAt = clock.monotonic()
    const record = (status: ExitStatus): ProcessRecord => ({
      ...status,
      ...renderOutputs(outputs),
      durationMs: Math.round(clock.monotonic() - startedAt),
    })
    if (signal?.aborted) return { kind: 'cancelled', ...record({ exitCode: null, signal: null }) }
    const mark = systemRandom.hex(16)
    const env = { ...options.env, [TREE_MARK]: mark }
    const spawned = await spawnChild({ ...options, env })
    if (spawned.kind === 'spawn_failed') return spawned
    const { cause, status } = await runToEnd(spawned.child, {
      ...options,
      clock,
      outputs,
      tree: describeTree(spawned.pid, mark),
    })
    return { ...(cause ?? { kind: 'exited' }), ...record(status) }
  } finally {
    closeOutputs(outputs)
  }
}

interface Run extends SuperviseOptions {
  readonly clock: Clock
  readonly outputs: Outputs
  readonly tree: ProcessTree
}

async function runToEnd(
  child: ChildProcessWithoutNullStreams,
  run: Run,
): Promise<{ cause: StopCause | undefined; status: ExitStatus }> {
  const { clock, tree, killGraceMs = defaultKillGraceMs } = run
  const exit = waitForExit(child)
  const close = waitForClose(child)
  const unguard = guardTree(tree)
  const ended = new AbortController()
  try {
    const clocks = startClocks(run, clock, ended.signal)
    collectOutputs(child, run.outputs, () => clocks.noteOutput())
    feedStdin(child, run.stdin)
    const cause = await waitForEnd(exit, clocks, run.signal)
    if (cause === undefined) await waitAtMost(close, drainMs, clock)
    // On Windows the pid of a program that ended may belong to another one by now.
    if (cause !== undefined || process.platform !== 'win32') {
      await killTree(tree, killGraceMs, clock)
    }
    const status = await waitAtMost(exit, reapMs, clock)
    await waitAtMost(close, drainMs, clock)
    return { cause, status: status ?? { exitCode: null, signal: 'SIGKILL' } }
  } finally {
    ended.abort()
    destroyStreams(child)
    child.unref()
    unguard()
  }
}

/** Resolves with why the process must be stopped, or with undefined once it ended by itself. */
async function waitForEnd(
  exit: Promise<ExitStatus>,
  clocks: RunningClocks,
  signal: AbortSignal | undefined,
): Promise<StopCause | undefined> {
  const finished = new AbortController()
  const cancelled = new Promise<StopCause>((resolve) => {
    const cancel = (): void => resolve({ kind: 'cancelled' })
    if (signal?.aborted) cancel()
    signal?.addEventListener('abort', cancel, { once: true, signal: finished.signal })
  })
  const expired = clocks.expired.then((clock): StopCause | undefined =>
    clock === undefined ? undefined : { kind: 'timeout', clock },
  )
  try {
    return await Promise.race([exit.then(() => undefined), cancelled, expired])
  } finally {
    finished.abort()
  }
}
