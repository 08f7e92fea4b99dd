import { readdirSync } from 'node:fs'

import { createSeededRandom, isAuditToolsError } from '@audit-tools/shared/core'
import { createFakeClock } from '@audit-tools/shared/testing'
import { expect, test } from 'vitest'

import { acceptSubmission } from './accept-submission.ts'
import { guardDriver, openDriverSession, ownAsHost } from './driver-session.ts'
import { makeReply, makeReview } from './fixtures/make-review.ts'
import { readReviewState } from './open-review.ts'

const files = { 'a.ts': 'export const first = 1\n' }

function start() {
  const made = makeReview(files, { P1: ['a.ts'] })
  return { ...made, review: made.open() }
}

function readCode(act: () => unknown): string | undefined {
  try {
    act()
  } catch (error) {
    return isAuditToolsError(error) ? error.code : String(error)
  }
  return undefined
}

test('P13: who lacks the token of the live driver is refused and leaves no trace', () => {
  const { review } = start()
  const random = createSeededRandom(1)
  const token = openDriverSession(review, { takeOver: false, random })
  const list = (): string[] =>
    readdirSync(review.files.directory, { recursive: true, encoding: 'utf8' }).toSorted()
  const before = list()
  expect(readCode(() => guardDriver(review.files, undefined))).toBe('driver-refused')
  expect(readCode(() => guardDriver(review.files, 'guess'))).toBe('driver-refused')
  const intruder = { token: undefined, takeOver: false, random }
  expect(readCode(() => openDriverSession(review, intruder))).toBe('driver-refused')
  expect(list()).toEqual(before)
  expect(readCode(() => guardDriver(review.files, token))).toBeUndefined()
})

test('no file of a run holds the token of its driver', () => {
  const { review } = start()
  const token = openDriverSession(review, { takeOver: false, random: createSeededRandom(2) })
  const names = readdirSync(review.files.directory, { recursive: true, encoding: 'utf8' })
  expect(names.join('\n')).not.toContain(token)
})

test('C10: a claim lives as long as its worker, however short the lease and however long the work', async () => {
  const { open } = start()
  const clock = createFakeClock()
  const worker = open({ clock, leaseMs: 30_000 })
  expect(worker.claims.claim('P1', 'pool')).toMatchObject({ acquired: true, epoch: 1 })
  await clock.advance(6 * 60_000)
  const other = open({ clock, leaseMs: 30_000 })
  expect(other.claims.claim('P1', 'pool')).toMatchObject({ acquired: false })
})

test('L06: after a takeover the old holder’s answer is refused by its epoch and taken in nowhere', () => {
  const { open, review } = start()
  const random = createSeededRandom(3)
  const token = openDriverSession(review, { takeOver: false, random })
  const sleeper = open(ownAsHost(token))
  const grant = sleeper.claims.claim('P1', 'host')
  if (!grant.acquired) throw new Error('not granted')
  openDriverSession(review, { takeOver: true, random })
  const item = readReviewState(review).get('P1')?.item
  if (item === undefined) throw new Error('no item')
  const { epoch, ownerToken } = grant
  const bytes = Buffer.from(makeReply(['a.ts']))
  const submission = { item, epoch, ownerToken, poolId: 'host', bytes }
  expect(acceptSubmission(sleeper, submission)).toMatchObject({ kind: 'stale' })
  expect(readReviewState(review).get('P1')?.status).toBe('open')
})
