import { expect, test } from 'vitest'
import {
  advancePausedState,
  checkLivelockGuard,
  detectLivelock,
  LIVELOCK_PAUSE_LIMIT,
  type PausedState,
} from './pause.ts'

const start = Date.UTC(2026, 0, 1)
const hour = 3_600_000

const pause = (previous: PausedState | null, now: number, accepted: number): PausedState =>
  advancePausedState(previous, { reason: 'account rests', now, resumeAt: now + hour, accepted })

test('a run that gets nothing done over real waits is a livelock', () => {
  let state: PausedState | null = null
  for (let round = 0; round <= LIVELOCK_PAUSE_LIMIT; round += 1) {
    expect(checkLivelockGuard(state)).toEqual({ kind: 'go_on' })
    state = pause(state, start + round * hour, 7)
  }
  expect(detectLivelock(state)).toBe(true)
  expect(checkLivelockGuard(state)).toMatchObject({
    kind: 'livelock',
    pauses: LIVELOCK_PAUSE_LIMIT,
  })
})

test('one accepted result between two pauses is progress', () => {
  let state: PausedState | null = null
  for (let round = 0; round < 20; round += 1) state = pause(state, start + round * hour, round)
  expect(detectLivelock(state)).toBe(false)
})

test('asking again before the wait is over gives nothing up', () => {
  let state: PausedState | null = null
  for (let round = 0; round < 20; round += 1) state = pause(state, start + round, 0)
  expect(state?.fruitless_pauses).toBe(0)
})

test('the record says since when, until when and why', () => {
  expect(pause(null, start, 3)).toEqual({
    reason: 'account rests',
    paused_at: '2026-01-01T00:00:00.000Z',
    resume_at: '2026-01-01T01:00:00.000Z',
    fruitless_pauses: 0,
    accepted: 3,
  })
})
