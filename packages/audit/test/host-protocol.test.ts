import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { fingerprintTree, makeDirectory, writeFiles } from './harness.ts'
import {
  configurePools,
  expectEveryFaultOnce,
  expectNothingPaidTwice,
  findRun,
  makeReviewLoop,
} from './support/review-loop.ts'
import { writeConfig } from './support/planted-faults.ts'
import { askNextStep, followSteps, reviewGranted, runPrinted } from './support/scripted-host.ts'
import { startAuditCode } from './support/start-audit-code.ts'

const small = () => writeConfig({ dispatch: { max_packet_tokens: 30_000 } })

test('a host with subagents completes an audit by following only the printed steps', async () => {
  const loop = makeReviewLoop()
  const steps = await followSteps(loop, { hasSubagents: true, config: small() })
  expect(steps.map(({ step_kind: kind }) => kind)).toEqual([
    'capability_check',
    ...Array.from({ length: steps.length - 2 }, () => 'dispatch_review'),
    'present_report',
  ])
  const last = steps.at(-1)
  expect(last).toMatchObject({ status: 'complete', run_id: null, allowed_commands: [] })
  expect(readFileSync(last?.artifact_paths.final_report ?? '', 'utf8')).toContain(
    'Reads past the end',
  )
  expectEveryFaultOnce(loop)
  expectNothingPaidTwice(loop)
  for (const { progress } of steps) {
    if (progress === undefined) continue
    const { packets, reviewed, failed, running, open } = progress
    expect(reviewed + failed + running + open).toBe(packets)
  }
})

test('a host without subagents completes an audit one packet after another', async () => {
  const loop = makeReviewLoop()
  const config = writeConfig({ dispatch: { max_packet_tokens: 40_000 } })
  const steps = await followSteps(loop, { hasSubagents: false, config })
  expect(steps.at(1)).toMatchObject({ step_kind: 'single_task_fallback' })
  expect(steps.at(-1)).toMatchObject({ step_kind: 'present_report' })
  expectEveryFaultOnce(loop)
  expectNothingPaidTwice(loop)
})

test('host and in-process pools work on one frontier at the same time', async () => {
  const loop = makeReviewLoop()
  const pool = await loop.startPool((call) => ({
    kind: 'answer',
    text: (loop.paid.push({ prompt: call.prompt, at: Date.now() }), loop.answer(call.prompt)),
    delayMs: 150,
  }))
  const config = configurePools([pool])
  const steps = await followSteps(loop, { hasSubagents: true, config })
  expect(steps.at(-1)).toMatchObject({ step_kind: 'present_report' })
  expectEveryFaultOnce(loop)
  expectNothingPaidTwice(loop)
  const grants = steps.flatMap(({ granted }) => granted ?? [])
  expect(grants.length).toBeGreaterThan(0)
  expect(pool.calls.length).toBeGreaterThan(0)
})

test('repeating a step or a submission changes nothing', async () => {
  const loop = makeReviewLoop()
  const config = small()
  const flags = ['--config', config, '--host-can-dispatch-subagents']
  const first = await askNextStep(loop, ...flags)
  const again = (await runPrinted(loop, first.allowed_commands.at(-1))) as typeof first
  expect(again.granted).toEqual(first.granted)
  const [packet] = first.granted ?? []
  if (packet === undefined) throw new Error('nothing was granted')
  expect(await reviewGranted(loop, packet, {})).toMatchObject({ receipt: 'accepted' })
  expect(await runPrinted(loop, packet.submit_command)).toMatchObject({ receipt: 'duplicate' })
})

test('a submission for somebody else’s claim is kept as evidence and never applied', async () => {
  const loop = makeReviewLoop()
  const step = await askNextStep(loop, '--config', small(), '--host-can-dispatch-subagents')
  const [own, other] = step.granted ?? []
  if (own === undefined || other === undefined) throw new Error('two packets are needed')
  const forged = own.submit_command.replace(own.claim.token, other.claim.token)
  writeFileSync(own.result_path, loop.answer(readFileSync(own.prompt_path, 'utf8')))
  expect(await runPrinted(loop, forged)).toMatchObject({ receipt: 'stale' })
  const crossed = own.submit_command.replace(
    `--packet ${own.packet_id}`,
    `--packet ${other.packet_id}`,
  )
  expect(await runPrinted(loop, crossed)).not.toMatchObject({ receipt: 'accepted' })
  expect(await reviewGranted(loop, own, {})).toMatchObject({ receipt: 'accepted' })
})

test('a broken answer can be repaired and submitted again under the same claim', async () => {
  const loop = makeReviewLoop()
  const step = await askNextStep(loop, '--config', small(), '--host-can-dispatch-subagents')
  const [packet] = step.granted ?? []
  if (packet === undefined) throw new Error('nothing was granted')
  const broken = await reviewGranted(loop, packet, { review: () => '{"findings": [oops]}' })
  expect(broken).toMatchObject({ receipt: 'bad_output', byte_offset: 14, attempts_left: 2 })
  expect(await reviewGranted(loop, packet, {})).toMatchObject({ receipt: 'accepted' })
})

test('a worker without the driver token is refused and the run’s state is unchanged', async () => {
  const loop = makeReviewLoop()
  await askNextStep(loop, '--config', small(), '--host-can-dispatch-subagents')
  const before = fingerprintTree(loop.root)
  const step = await askNextStep(loop)
  expect(step).toMatchObject({ step_kind: 'blocked', status: 'blocked', run_id: null })
  expect(step.reason).toMatch(/driver token/)
  expect(fingerprintTree(loop.root)).toEqual(before)
  for (const name of ['merge-and-ingest', 'cancel', 'prepare-dispatch', 'advance-audit']) {
    const args = [name, '--root', loop.root]
    const result = await startAuditCode(args, { env: loop.env }).result
    expect(result.code, name).toBe(2)
    expect(result.stderr, name).toMatch(/driver-refused/)
  }
})

test('a host that walked away is taken over, and what it hands in later counts for nothing', async () => {
  const loop = makeReviewLoop()
  const config = small()
  const left = await followSteps(loop, { hasSubagents: true, config, maxSteps: 3 })
  const [stale] = left.at(-1)?.granted ?? []
  const taken = await askNextStep(loop, '--take-over', '--config', config)
  expect(taken.step_kind).toBe('dispatch_review')
  if (stale === undefined) throw new Error('nothing was granted')
  writeFileSync(stale.result_path, loop.answer(readFileSync(stale.prompt_path, 'utf8')))
  expect(await runPrinted(loop, stale.submit_command)).toMatchObject({ receipt: 'stale' })
})

test('answers in files that no grant names are set aside, whatever they say of themselves', async () => {
  const loop = makeReviewLoop()
  const step = await askNextStep(loop, '--config', small(), '--host-can-dispatch-subagents')
  const [first, second] = step.granted ?? []
  if (first === undefined || second === undefined) throw new Error('two packets are needed')
  const text = loop.answer(readFileSync(second.prompt_path, 'utf8'))
  writeFileSync(join(second.result_path, '..', 'a.json'), text)
  writeFileSync(second.result_path, text)
  const merged = await runPrinted(loop, step.allowed_commands.at(-2))
  expect(merged).toMatchObject({
    files: 2,
    taken: [{ packet_id: second.packet_id, receipt: 'accepted' }],
    set_aside: [{ file: 'a.json' }],
  })
})

test('a file that changes while the host reviews is reviewed as it is then', async () => {
  const loop = makeReviewLoop(3)
  const config = small()
  const step = await askNextStep(loop, '--config', config, '--host-can-dispatch-subagents')
  const next = step.allowed_commands.at(-1)
  const [fault] = loop.faults
  appendFileSync(join(loop.root, fault?.path ?? ''), '\n// one more line\n')
  const steps = [(await runPrinted(loop, next)) as typeof step]
  while (steps.at(-1)?.step_kind === 'dispatch_review' && steps.length < 60) {
    const current = steps.at(-1)
    for (const packet of current?.granted ?? []) await reviewGranted(loop, packet, {})
    steps.push((await runPrinted(loop, current?.allowed_commands.at(-1))) as typeof step)
  }
  expect(steps.at(-1)).toMatchObject({ step_kind: 'present_report' })
  expectEveryFaultOnce(loop)
})

test('cancelling is durable, and undoing it lets the run go on', async () => {
  const loop = makeReviewLoop()
  const step = await askNextStep(loop, '--config', small(), '--host-can-dispatch-subagents')
  const next = step.allowed_commands.at(-1) ?? ''
  const [, token = ''] = /--driver-token (\w+)/.exec(next) ?? []
  const args = ['--root', loop.root, '--driver-token', token]
  const cancel = await startAuditCode(['cancel', ...args], { env: loop.env }).result
  expect(cancel.code).toBe(0)
  expect(await runPrinted(loop, next)).toMatchObject({ step_kind: 'blocked' })
  await startAuditCode(['cancel', '--undo', ...args], { env: loop.env }).result
  expect(await runPrinted(loop, next)).toMatchObject({ step_kind: 'dispatch_review' })
})

test('whatever goes wrong is a blocked step on standard output', async () => {
  const loop = makeReviewLoop()
  const config = makeDirectory('broken')
  writeFiles(config, { 'config.json': '{ "sourcez": [] }' })
  const step = await askNextStepAnyway(loop, '--config', join(config, 'config.json'))
  expect(step).toMatchObject({ step_kind: 'blocked', allowed_commands: [] })
  expect(step.reason).toMatch(/sourcez/)
  const flag = await askNextStepAnyway(loop, '--host-max-active-subagents=none')
  expect(flag).toMatchObject({ step_kind: 'blocked' })
})

async function askNextStepAnyway(loop: ReturnType<typeof makeReviewLoop>, ...flags: string[]) {
  const args = ['next-step', '--root', loop.root, ...flags]
  const result = await startAuditCode(args, { env: loop.env }).result
  expect(result.code).toBe(0)
  return JSON.parse(result.stdout) as Awaited<ReturnType<typeof askNextStep>>
}

test('the step prompts say what a weak agent needs to know', async () => {
  const loop = makeReviewLoop()
  const check = await askNextStep(loop, '--config', small())
  expect(readFileSync(check.prompt_path, 'utf8')).toMatch(/list of tools/)
  expect(readFileSync(check.prompt_path, 'utf8')).toMatch(/Do not run any command/)
  const dispatch = (await runPrinted(loop, check.allowed_commands[0])) as typeof check
  const prompt = readFileSync(dispatch.prompt_path, 'utf8')
  expect(prompt).toMatch(/Do not open the prompt files/)
  expect(prompt).toMatch(/word for word/)
  for (const { prompt_path: path, submit_command: submit } of dispatch.granted ?? []) {
    expect(prompt).toContain(path)
    expect(prompt).toContain(submit)
  }
  expect(findRun(loop.root)).toContain(dispatch.run_id)
})

test('L13: a command run inside .audit-tools works on the repository above it', async () => {
  const loop = makeReviewLoop(2)
  await askNextStep(loop, '--config', small())
  const cwd = join(loop.root, '.audit-tools', 'audit')
  const { stdout } = await startAuditCode(['status', '--json'], { env: loop.env, cwd }).result
  expect(JSON.parse(stdout)).toHaveProperty('status')
  const step = await startAuditCode(['next-step', '--config', small()], { env: loop.env, cwd })
    .result
  expect(JSON.parse(step.stdout)).toMatchObject({ repo_root: loop.root })
  expect(existsSync(join(loop.root, '.audit-tools', '.audit-tools'))).toBe(false)
  expect(existsSync(join(cwd, '.audit-tools'))).toBe(false)
})

test('L14: what is given after a finished run is in the next answer; the old report is not handed back', async () => {
  const loop = makeReviewLoop(2)
  const config = writeConfig({ dispatch: { max_packet_tokens: 1_000_000 } })
  const steps = await followSteps(loop, { hasSubagents: true, config })
  expect(steps.at(-1)).toMatchObject({ step_kind: 'present_report' })
  const input = makeDirectory('import')
  const [fault] = loop.faults
  writeFiles(input, { 'eslint.json': renderEslint(loop.root, fault?.path ?? '') })
  const args = ['import-external-analyzer', join(input, 'eslint.json'), '--root', loop.root]
  expect((await startAuditCode(args, { env: loop.env }).result).code).toBe(0)
  const next = steps.findLast(({ granted }) => granted !== undefined)?.allowed_commands.at(-1)
  const again = (await runPrinted(loop, next)) as (typeof steps)[number]
  expect(again).toMatchObject({ step_kind: 'present_report' })
  expect(readFileSync(again.artifact_paths.final_report ?? '', 'utf8')).toContain('brand new')
})

function renderEslint(root: string, path: string): string {
  const message = { ruleId: 'no-brand-new', severity: 2, message: 'brand new', line: 1, column: 1 }
  return JSON.stringify([{ filePath: join(root, path), messages: [message] }])
}
