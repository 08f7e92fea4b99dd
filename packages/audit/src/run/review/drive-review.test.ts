import { readdirSync } from 'node:fs'

import { SessionConfigSchema } from '@audit-tools/shared/config'
import { systemClock } from '@audit-tools/shared/core'
import {
  type ProviderReply,
  replyCreditExhausted,
  replyRateLimited,
  type ProviderServer,
  startProviderServer,
} from '@audit-tools/shared/testing'
import { afterEach, expect, test } from 'vitest'

import { type DriveEnd, driveReview } from './drive-review.ts'
import { makeReply, makeReview } from './fixtures/make-review.ts'
import { readReviewState, type Review } from './open-review.ts'
import { openReviewPools } from './review-pools.ts'
import { summarizeReview } from './summarize-review.ts'

const servers: ProviderServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const paths = ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts', 'f.ts']

function plan() {
  const files = Object.fromEntries(paths.map((path) => [path, `export const x = '${path}'\n`]))
  return makeReview(files, { P1: paths.slice(0, 2), P2: paths.slice(2, 4), P3: paths.slice(4) })
}

function listShown(prompt: string): string[] {
  return [...prompt.matchAll(/^File (\S+)/gm)].map(([, path = '']) => path)
}

async function serve(decide: (prompt: string, index: number) => ProviderReply) {
  const server = await startProviderServer(({ prompt, index }) => decide(prompt, index))
  servers.push(server)
  return server
}

async function drive(review: Review, ...urls: string[]): Promise<DriveEnd> {
  const config = SessionConfigSchema.parse({
    sources: urls.map((endpoint, index) => ({
      id: `pool-${index}`,
      provider: 'openai-compatible',
      endpoint,
      model: 'm',
    })),
  })
  const home = review.files.directory
  const context = { clock: systemClock, environment: { AUDIT_TOOLS_HOME: home } }
  const signal = new AbortController().signal
  const pools = openReviewPools(config, context)
  return driveReview(review, { config, pools, context, signal, onProgress: () => undefined })
}

function answer(prompt: string): ProviderReply {
  return { kind: 'answer', text: makeReply(listShown(prompt)) }
}

test('every packet is reviewed once, over whatever pools there are', async () => {
  const review = plan().open()
  const [one, two] = [await serve(answer), await serve(answer)]
  expect(await drive(review, one.url, two.url)).toEqual({ kind: 'done' })
  expect(summarizeReview(readReviewState(review)).packets.reviewed).toBe(3)
  expect(one.calls.length + two.calls.length).toBe(3)
})

test('a rate limit is waited out and charges nobody', async () => {
  const review = plan().open()
  const server = await serve((prompt, index) =>
    index === 0 ? replyRateLimited(1) : answer(prompt),
  )
  expect(await drive(review, server.url)).toEqual({ kind: 'done' })
  const { packets, usage } = summarizeReview(readReviewState(review))
  expect(packets.reviewed).toBe(3)
  expect(usage).toMatchObject([{ poolId: 'pool-0', calls: 3 }])
})

test('a pool without credit is closed for the run and its work goes to the other', async () => {
  const review = plan().open()
  const poor = await serve(() => replyCreditExhausted())
  const rich = await serve(answer)
  expect(await drive(review, poor.url, rich.url)).toEqual({ kind: 'done' })
  expect(summarizeReview(readReviewState(review)).packets.reviewed).toBe(3)
  expect(rich.calls).toHaveLength(3)
})

test('with every pool closed the drive ends exhausted and names what is left', async () => {
  const review = plan().open()
  const poor = await serve(() => replyCreditExhausted())
  expect(await drive(review, poor.url)).toMatchObject({
    kind: 'exhausted',
    terminal: { stranded_ids: ['P1', 'P2', 'P3'] },
  })
})

test('what an answer left out is asked for again, alone', async () => {
  const review = plan().open()
  const server = await serve((prompt) => ({
    kind: 'answer',
    text: makeReply(listShown(prompt).slice(0, 1)),
  }))
  expect(await drive(review, server.url)).toEqual({ kind: 'done' })
  const { items, packets } = summarizeReview(readReviewState(review))
  expect(items).toMatchObject({ packets: 3, remainders: 3, reviewed: 6 })
  expect(packets.reviewed).toBe(3)
})

test('three bad answers fail a packet by name and the others go on', async () => {
  const review = plan().open()
  const server = await serve((prompt) =>
    prompt.includes('File a.ts') ? { kind: 'answer', text: 'nothing' } : answer(prompt),
  )
  expect(await drive(review, server.url)).toEqual({ kind: 'done' })
  const { packets, gaps, usage } = summarizeReview(readReviewState(review))
  expect(packets).toMatchObject({ reviewed: 2, failed: 1 })
  expect(gaps[0]?.subject).toBe('P1')
  expect(readdirSync(review.files.attempts)).toHaveLength(3)
  expect(usage[0]?.calls).toBe(5)
})

test('two drivers on one run pay for every packet once', async () => {
  const made = plan()
  const server = await serve(answer)
  await Promise.all([drive(made.open(), server.url), drive(made.open(), server.url)])
  expect(summarizeReview(readReviewState(made.open())).packets.reviewed).toBe(3)
  expect(server.calls).toHaveLength(3)
})
