import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { makeWorkItem } from '../../review/index.ts'
import { acceptSubmission, type Receipt } from './accept-submission.ts'
import { makeFinding, makeReply, makeReview } from './fixtures/make-review.ts'
import { readReviewState, type Review } from './open-review.ts'
import { recoverReview } from './recover-review.ts'
import { summarizeReview } from './summarize-review.ts'

const sources = {
  'a.ts': 'export const first = 1\n',
  'b.ts': 'export const second = 2\n',
  'c.ts': 'export const third = 3\n',
}

function start(packets: Readonly<Record<string, readonly string[]>> = { P1: ['a.ts', 'b.ts'] }) {
  const made = makeReview(sources, packets)
  return { ...made, review: made.open() }
}

function submit(review: Review, itemId: string, reply: string | Uint8Array): Receipt {
  const claim = review.claims.claim(itemId, 'pool')
  if (!claim.acquired) throw new Error(`no claim on ${itemId}`)
  return submitUnder(review, { itemId, reply, ...claim })
}

function submitUnder(
  review: Review,
  grant: { itemId: string; reply: string | Uint8Array; epoch: number; ownerToken: string },
): Receipt {
  const item = readReviewState(review).get(grant.itemId)?.item
  if (item === undefined) throw new Error(`no item ${grant.itemId}`)
  const { epoch, ownerToken } = grant
  const bytes = Buffer.from(grant.reply)
  return acceptSubmission(review, { item, epoch, ownerToken, poolId: 'pool', bytes })
}

test('an answer that covers everything completes its packet; the same one again changes nothing', () => {
  const { review } = start()
  const reply = makeReply(['a.ts', 'b.ts'], [makeFinding()])
  const claim = review.claims.claim('P1', 'pool')
  if (!claim.acquired) throw new Error('not claimed')
  const grant = { itemId: 'P1', reply, ...claim }
  expect(submitUnder(review, grant)).toMatchObject({ kind: 'accepted', uncovered: [] })
  expect(submitUnder(review, grant)).toMatchObject({ kind: 'duplicate' })
  expect(readdirSync(review.files.replies)).toHaveLength(1)
  const summary = summarizeReview(readReviewState(review))
  expect(summary.packets).toEqual({ planned: 1, reviewed: 1, failed: 0, deferred: 0 })
  expect(summary.drafts[0]?.drafts).toHaveLength(1)
})

test('the raw bytes are kept before they are judged, whatever they are', () => {
  const { review } = start()
  const bytes = Uint8Array.from([0xff, 0x00, 0x1b, 0x5b])
  expect(submit(review, 'P1', bytes)).toMatchObject({ kind: 'bad_output' })
  const [name = ''] = readdirSync(review.files.replies)
  expect(new Uint8Array(readFileSync(join(review.files.replies, name)))).toEqual(bytes)
})

test('a partly covering answer leaves a remainder with its own claim, and the sums name both', () => {
  const { review } = start({ P1: ['a.ts', 'b.ts', 'c.ts'] })
  submit(review, 'P1', makeReply(['b.ts'], [makeFinding({ severity: 'blocker', path: 'a.ts' })]))
  const state = readReviewState(review)
  const [, remainder] = [...state.values()]
  expect(remainder).toMatchObject({ status: 'open', item: { paths: ['a.ts', 'c.ts'] } })
  expect(remainder?.item.repairs.join('\n')).toMatch(/severity.*critical/)
  const { items, packets } = summarizeReview(state)
  expect(items).toEqual({ packets: 1, remainders: 1, reviewed: 1, failed: 0, split: 0, open: 1 })
  expect(packets).toEqual({ planned: 1, reviewed: 0, failed: 0, deferred: 1 })
  submit(review, remainder?.item.id ?? '', makeReply(['a.ts', 'c.ts']))
  expect(summarizeReview(readReviewState(review)).packets.reviewed).toBe(1)
})

test('an answer that covers nothing is charged, keeps its whole elements, and the third one fails the packet by name', () => {
  const { review } = start()
  const reply = (number: number): string =>
    makeReply([], [makeFinding({ title: `finding ${number}` })])
  expect(submit(review, 'P1', reply(1))).toMatchObject({ kind: 'bad_output', attemptsLeft: 2 })
  expect(submit(review, 'P1', reply(1))).toMatchObject({ kind: 'bad_output', attemptsLeft: 2 })
  expect(submit(review, 'P1', reply(2))).toMatchObject({ attemptsLeft: 1 })
  expect(submit(review, 'P1', reply(3))).toMatchObject({ attemptsLeft: 0 })
  const summary = summarizeReview(readReviewState(review))
  expect(summary.packets).toMatchObject({ reviewed: 0, failed: 1 })
  expect(summary.gaps).toMatchObject([{ scope: 'packet', subject: 'P1' }])
  expect(summary.drafts[0]?.drafts).toHaveLength(3)
})

test('a broken answer is refused with the byte at which it breaks and how to repair it', () => {
  const { review } = start()
  expect(submit(review, 'P1', '{"findings": nope}')).toMatchObject({
    kind: 'bad_output',
    byteOffset: 13,
    repair: expect.stringContaining('byte 13') as string,
  })
})

test('an answer under a claim that somebody else holds is evidence and is never applied', () => {
  const { review, open } = start()
  const other = open()
  const claim = other.claims.claim('P1', 'other')
  if (!claim.acquired) throw new Error('not claimed')
  const reply = makeReply(['a.ts', 'b.ts'], [makeFinding()])
  const forged = { itemId: 'P1', reply, epoch: claim.epoch, ownerToken: 'guess' }
  expect(submitUnder(review, forged)).toMatchObject({ kind: 'stale' })
  expect(readReviewState(review).get('P1')?.status).toBe('open')
  expect(readdirSync(review.files.rejected)).toHaveLength(1)
  expect(submitUnder(other, { itemId: 'P1', reply, ...claim })).toMatchObject({ kind: 'accepted' })
})

test('a second, different answer under one claim is set aside', () => {
  const { review } = start()
  const claim = review.claims.claim('P1', 'pool')
  if (!claim.acquired) throw new Error('not claimed')
  const first = makeReply(['a.ts', 'b.ts'])
  submitUnder(review, { itemId: 'P1', reply: first, ...claim })
  const second = makeReply(['a.ts', 'b.ts'], [makeFinding()])
  expect(submitUnder(review, { itemId: 'P1', reply: second, ...claim }).kind).toBe('stale')
  expect(summarizeReview(readReviewState(review)).drafts[0]?.drafts).toEqual([])
})

test('an answer on disk that was never completed is taken in by the next driver', () => {
  const { review, open } = start()
  const claim = review.claims.claim('P1', 'pool')
  if (!claim.acquired) throw new Error('not claimed')
  submitUnder(review, { itemId: 'P1', reply: makeReply(['a.ts', 'b.ts']), ...claim })
  const [name = ''] = readdirSync(review.files.results)
  const lost = makeReview(sources, { P1: ['a.ts', 'b.ts'] })
  const target = lost.open()
  // As after a power loss: the synced result is there and its claim is not.
  writeFileSync(
    join(ensure(target.files.results), name),
    readFileSync(join(review.files.results, name)),
  )
  expect(recoverReview(target)).toEqual(['P1'])
  expect(readReviewState(target).get('P1')?.status).toBe('done')
  expect(open().claims.claim('P1', 'other')).toMatchObject({ acquired: false })
})

test('equal facts fold to equal states, and a work item keeps its id', () => {
  const { review } = start()
  const [packet] = review.plan.packets
  if (packet === undefined) throw new Error('no packet')
  expect(makeWorkItem(packet).id).toBe('P1')
  submit(review, 'P1', makeReply(['a.ts']))
  expect([...readReviewState(review).keys()]).toEqual([...readReviewState(review).keys()])
})

function ensure(directory: string): string {
  mkdirSync(directory, { recursive: true })
  return directory
}
