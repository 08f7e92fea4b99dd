/** Which clock ran out. */
export type ClockName = 'start' | 'idle' | 'total'

/** What is known of a process that ran. */
export interface ProcessRecord {
  /** Null when a signal ended it. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** The last part of the output, decoded as UTF-8. */
  readonly stdout: string
  readonly stderr: string
  /** All that was printed, kept or not. */
  readonly stdoutBytes: number
  readonly stderrBytes: number
  /** Whether either output was longer than what is kept. */
  readonly truncated: boolean
  readonly durationMs: number
  /** Why a log file is not complete; absent when it is. */
  readonly logProblem?: string
}

export interface SpawnFailure {
  readonly kind: 'spawn_failed'
  /** System error code, such as `ENOENT` or `EACCES`. */
  readonly code: string
  readonly message: string
}

export type ProcessOutcome =
  | ({ readonly kind: 'exited' } & ProcessRecord)
  | ({ readonly kind: 'timeout'; readonly clock: ClockName } & ProcessRecord)
  | ({ readonly kind: 'cancelled' } & ProcessRecord)
  | SpawnFailure

/** Why a process is stopped before it ends by itself. */
export type StopCause =
  | { readonly kind: 'timeout'; readonly clock: ClockName }
  | { readonly kind: 'cancelled' }
