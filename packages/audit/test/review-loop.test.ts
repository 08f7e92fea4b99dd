import {
  type ProviderCall,
  type ProviderReply,
  replyCreditExhausted,
  replyRateLimited,
  startCliWorker,
} from '@audit-tools/shared/testing'
import { expect, onTestFinished, test } from 'vitest'

import { makeDirectory } from './harness.ts'
import { startAuditCode } from './support/start-audit-code.ts'
import {
  configurePools,
  expectEveryFaultOnce,
  expectNothingPaidTwice,
  findRun,
  makeReviewLoop,
  readSums,
  type ReviewLoop,
} from './support/review-loop.ts'
import { listShownFiles } from './support/planted-faults.ts'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

async function run({ root, env }: ReviewLoop, config: string, ...flags: string[]) {
  return startAuditCode(['run', '--root', root, '--config', config, ...flags], { env }).result
}

test('two pools of different kinds review everything once and the report holds every fault once', async () => {
  const loop = makeReviewLoop()
  const api = await loop.startPool()
  const worker = await startCliWorker(makeDirectory('worker'), ({ prompt }) => {
    loop.paid.push({ prompt, at: Date.now() })
    return { stdout: `Here you are:\n\`\`\`json\n${loop.answer(prompt)}\n\`\`\`\n` }
  })
  onTestFinished(() => worker.close())
  const command = {
    id: 'cli',
    provider: 'subprocess-template',
    in_process: true,
    command: worker.command,
    quota: { concurrency: 2, context_tokens: 200_000 },
  }
  const config = configurePools([api], [command])
  const result = await run(loop, config)
  expect(result).toMatchObject({ code: 0 })
  expectEveryFaultOnce(loop)
  const { packets, reviewed } = readSums(result.stdout)
  expect(reviewed).toBe(packets)
  expect(loop.paid).toHaveLength(packets ?? 0)
  expect(api.calls.length).toBeGreaterThan(0)
  expect(worker.calls.length).toBeGreaterThan(0)

  // The same command again finds everything and pays nothing.
  expect(await run(loop, config)).toMatchObject({ code: 0 })
  expect(loop.paid).toHaveLength(packets ?? 0)
  expectEveryFaultOnce(loop)
})

test('429 with Retry-After to a third of the calls costs time and nothing else', async () => {
  const loop = makeReviewLoop()
  const pools = await Promise.all([
    loop.startPool(({ index }) => (index % 3 === 1 ? replyRateLimited(1) : undefined)),
    loop.startPool(),
  ])
  const result = await run(loop, configurePools(pools))
  expect(result).toMatchObject({ code: 0 })
  expectEveryFaultOnce(loop)
  expectNothingPaidTwice(loop)
  const { packets, failed } = readSums(result.stdout)
  expect(failed).toBe(0)
  expect(loop.paid).toHaveLength(packets ?? 0)
})

test('a pool that runs out of credit gets no further launch and its work goes to the other', async () => {
  const loop = makeReviewLoop()
  const dying = await loop.startPool(({ index }) =>
    index >= 5 ? replyCreditExhausted() : undefined,
  )
  const living = await loop.startPool()
  const result = await run(loop, configurePools([dying, living]))
  expect(result).toMatchObject({ code: 0 })
  expectEveryFaultOnce(loop)
  expectNothingPaidTwice(loop)
  readSums(result.stdout)
  // Five answers, and at most the launches that were under way when the first refusal came.
  expect(dying.calls.length).toBeLessThanOrEqual(5 + 3)
})

test('with no pool left the run stops for a person, and goes on after they mended it', async () => {
  const loop = makeReviewLoop()
  const credit = { left: 5 }
  const pool = await loop.startPool(() => {
    if (credit.left === 0) return replyCreditExhausted()
    credit.left -= 1
    return undefined
  })
  const config = configurePools([pool])
  const stopped = await run(loop, config)
  expect(stopped.code).toBe(30)
  expect(stopped.stdout).toMatch(/credit/)
  credit.left = 10_000
  expect(await run(loop, config)).toMatchObject({ code: 0 })
  expectEveryFaultOnce(loop)
  expectNothingPaidTwice(loop)
})

test('malformed, cut, fenced, partial and duplicated answers lose nothing', async () => {
  const loop = makeReviewLoop()
  const seen = new Map<string, number>()
  const spoil = (call: ProviderCall): ProviderReply | undefined => {
    const key = listShownFiles(call.prompt).join(' ')
    const times = seen.get(key) ?? 0
    seen.set(key, times + 1)
    if (times > 0) return undefined
    const text = loop.answer(call.prompt)
    const shapes: readonly ProviderReply[] = [
      { kind: 'answer', text: text.replace('"findings"', 'findings') },
      { kind: 'answer', text: text.slice(0, Math.floor(text.length / 2)) },
      { kind: 'answer', text: `Sure!\n\n\`\`\`json\n${text}\n\`\`\`\nAnything else?` },
      { kind: 'answer', text: `${text}\n${text}` },
      { kind: 'answer', text: halveCoverage(text) },
      { kind: 'answer', text: '' },
      { kind: 'cut', text },
    ]
    return shapes[seen.size % shapes.length]
  }
  const pools = await Promise.all([loop.startPool(spoil), loop.startPool(spoil)])
  const result = await run(loop, configurePools(pools))
  expect(result).toMatchObject({ code: 0 })
  expectEveryFaultOnce(loop)
  expect(readSums(result.stdout)['remainders']).toBeGreaterThan(0)
})

function halveCoverage(text: string): string {
  const answer = JSON.parse(text) as { files_reviewed: unknown[] }
  const half = Math.max(1, Math.floor(answer.files_reviewed.length / 2))
  return JSON.stringify({ ...answer, files_reviewed: answer.files_reviewed.slice(0, half) })
}

test('a packet that nobody answers well is named, and the exit code says that the review is not whole', async () => {
  const loop = makeReviewLoop()
  const [victim] = loop.faults
  const pool = await loop.startPool(({ prompt }) =>
    listShownFiles(prompt).includes(victim?.path ?? '')
      ? { kind: 'answer', text: 'I see no problem here.' }
      : undefined,
  )
  const result = await run(loop, configurePools([pool]))
  expect(result.code).toBe(4)
  const { failed } = readSums(result.stdout)
  expect(failed).toBeGreaterThan(0)
  expect(result.stdout).toMatch(/\d+ of \d+ packets reviewed, [1-9]\d* failed/)
})

test('two drivers on one run pay for every packet once and both report the same', async () => {
  const loop = makeReviewLoop()
  const pools = await Promise.all([loop.startPool(), loop.startPool()])
  const config = configurePools(pools)
  const [first, second] = await Promise.all([run(loop, config), run(loop, config)])
  expect([first.code, second.code]).toEqual([0, 0])
  expectEveryFaultOnce(loop)
  expectNothingPaidTwice(loop)
  const { packets } = readSums(first.stdout)
  expect(loop.paid).toHaveLength(packets ?? 0)
})

test('Ctrl-C leaves a run that goes on where it stopped', async () => {
  const loop = makeReviewLoop()
  const pool = await loop.startPool()
  const config = configurePools([pool])
  const started = startAuditCode(['run', '--root', loop.root, '--config', config], {
    env: loop.env,
  })
  while (loop.paid.length < 3) await new Promise((resolve) => setTimeout(resolve, 5))
  started.child.kill('SIGINT')
  const stopped = await started.result
  expect(stopped.code).toBe(10)
  expect(`${stopped.stdout}${stopped.stderr}`).toMatch(/go on with|resume/i)
  expect(await run(loop, config)).toMatchObject({ code: 0 })
  expectEveryFaultOnce(loop)
  expectNothingPaidTwice(loop)
})

test('kill -9 at random moments, over and over, loses nothing and pays nothing twice', async () => {
  const loop = makeReviewLoop()
  const pools = await Promise.all([loop.startPool(), loop.startPool()])
  const config = configurePools(pools)
  const kills = process.env['FULL'] === '1' ? 20 : 6
  for (let kill = 0; kill < kills; kill += 1) {
    const before = loop.paid.length
    const started = startAuditCode(['run', '--root', loop.root, '--config', config], {
      env: loop.env,
    })
    const isOver = { value: false }
    started.child.once('close', () => {
      isOver.value = true
    })
    const goal = before + 1 + (kill % 3)
    while (loop.paid.length < goal && !isOver.value) {
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 40))
    started.child.kill('SIGKILL')
    await started.result
  }
  const result = await run(loop, config)
  expect(result).toMatchObject({ code: 0 })
  expectEveryFaultOnce(loop)
  expectNothingPaidTwice(loop)
  readSums(result.stdout)
  expect(readdirSync(join(findRun(loop.root), 'results')).length).toBeGreaterThan(0)
})
