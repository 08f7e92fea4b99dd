import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { makeDirectory } from './harness.ts'
import {
  configurePools,
  expectEveryFaultOnce,
  expectNothingPaidTwice,
  makeReviewLoop,
  readSums,
} from './support/review-loop.ts'
import { startAuditCode } from './support/start-audit-code.ts'

/** Effects of one packet's life that a crash may come before or after, as a share of all when not everything is run. */
const STEP = process.env['FULL'] === '1' ? 1 : 12

test(
  'kill -9 before and after the store effects of a packet’s life loses nothing and pays nothing twice',
  { timeout: 3_600_000 },
  async () => {
    const { effects, first } = await listEffects()
    expect(effects).toBeGreaterThan(first)
    for (let effect = first; effect <= effects; effect += STEP) {
      for (const when of ['before', 'after'] as const) await crashAt(`${when}:${effect}`)
    }
  },
)

test('L15: a crash between the report and the state that says complete ends, after a restart, in that report once', async () => {
  const { effects } = await listEffects()
  for (let effect = effects - 8; effect <= effects; effect += 2) await crashAt(`before:${effect}`)
})

/** Counts the effects of a whole run and finds the first that belongs to its review. */
async function listEffects(): Promise<{ effects: number; first: number }> {
  const loop = makeReviewLoop(1)
  const pool = await loop.startPool()
  const log = join(makeDirectory('effects'), 'effects.log')
  const config = configureOne(pool)
  const env = { ...loop.env, AUDIT_TOOLS_EFFECT_LOG: log }
  const result = await startAuditCode(['run', '--root', loop.root, '--config', config], { env })
    .result
  expect(result).toMatchObject({ code: 0 })
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  const first = lines.findIndex((line) => line.includes('dispatch-plan'))
  return { effects: lines.length, first: first + 1 }
}

async function crashAt(point: string): Promise<void> {
  const loop = makeReviewLoop(1)
  const pool = await loop.startPool()
  const config = configureOne(pool)
  const run = (env: Readonly<Record<string, string>>) =>
    startAuditCode(['run', '--root', loop.root, '--config', config], { env }).result
  await run({ ...loop.env, AUDIT_TOOLS_CRASH_AT: point })
  const result = await run(loop.env)
  expect(result, point).toMatchObject({ code: 0 })
  expectEveryFaultOnce(loop)
  expectNothingPaidTwice(loop)
  readSums(result.stdout)
}

type Pool = Parameters<typeof configurePools>[0][number]

/** As few packets as there can be, so that every effect is near a packet's life. */
function configureOne(pool: Pool): string {
  return configurePools([pool], [], 1_000_000)
}
