/** Pauses without one accepted result between them after which going on is pointless. */
export const LIVELOCK_PAUSE_LIMIT = 5

/** The record of a run that waits; kept on disk by the tool. */
export interface PausedState {
  readonly reason: string
  /** RFC 3339. */
  readonly paused_at: string
  /** RFC 3339; null when a person must act first. */
  readonly resume_at: string | null
  /** Real waits in a row that ended without an accepted result since. */
  readonly fruitless_pauses: number
  /** Accepted results of the run when it paused. */
  readonly accepted: number
}

export interface PauseInput {
  readonly reason: string
  readonly now: number
  readonly resumeAt: number | null
  /** Accepted results of the run by now. */
  readonly accepted: number
}

/**
 * The record of the next pause. A pause counts as fruitless when the wait before it was over and brought no accepted
 * result; asking again during a wait, or pausing later, changes nothing of that.
 */
export function advancePausedState(previous: PausedState | null, input: PauseInput): PausedState {
  const { reason, now, resumeAt, accepted } = input
  return {
    reason,
    paused_at: new Date(now).toISOString(),
    resume_at: resumeAt === null ? null : new Date(resumeAt).toISOString(),
    fruitless_pauses: countFruitless(previous, input),
    accepted,
  }
}

function countFruitless(previous: PausedState | null, { now, accepted }: PauseInput): number {
  if (previous === null || accepted > previous.accepted) return 0
  const wasWaitedFor = previous.resume_at !== null && now >= Date.parse(previous.resume_at)
  return previous.fruitless_pauses + (wasWaitedFor ? 1 : 0)
}

/** Whether the run only pauses and resumes, and gets nowhere. */
export function detectLivelock(state: PausedState | null): boolean {
  return state !== null && state.fruitless_pauses >= LIVELOCK_PAUSE_LIMIT
}

export type LivelockVerdict =
  | { readonly kind: 'go_on' }
  | { readonly kind: 'livelock'; readonly pauses: number; readonly message: string }

/** Judges before another pause whether waiting still makes sense, and says why when it does not. */
export function checkLivelockGuard(state: PausedState | null): LivelockVerdict {
  if (state === null || !detectLivelock(state)) return { kind: 'go_on' }
  const pauses = state.fruitless_pauses
  return {
    kind: 'livelock',
    pauses,
    message: `${pauses} waits ended without one accepted result (last: ${state.reason}); look at the pools before going on`,
  }
}
