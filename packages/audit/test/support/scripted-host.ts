import { readFileSync, writeFileSync } from 'node:fs'

import type { Step } from '@audit-tools/shared/steps'
import { expect } from 'vitest'

import { readJson } from '../harness.ts'
import type { ReviewLoop } from './review-loop.ts'
import { startAuditCode, startShell } from './start-audit-code.ts'

export interface HostOptions {
  readonly hasSubagents: boolean
  readonly config?: string
  /** Steps after which it walks away. */
  readonly maxSteps?: number
  /** What its reviewers write; default: what stands in the prompt. */
  readonly review?: (prompt: string, packetId: string) => string
}

/** Runs `next-step` as the first command of a conversation does, with nothing but the root. */
export async function askNextStep(loop: ReviewLoop, ...flags: string[]): Promise<Step> {
  const { root, env } = loop
  const result = await startAuditCode(['next-step', '--root', root, ...flags], { env }).result
  expect(result).toMatchObject({ code: 0, stderr: '' })
  return JSON.parse(result.stdout) as Step
}

/** Runs a printed command in a shell, from another directory, and reads the step that it prints. */
export async function runPrinted(loop: ReviewLoop, line: string | undefined): Promise<unknown> {
  if (line === undefined) throw new Error('the step allows no command')
  const result = await startShell(line, { env: loop.env }).result
  expect([0, 10], `${line}\n${result.stderr}`).toContain(result.code)
  return JSON.parse(result.stdout)
}

/** An agent that does what steps say and knows nothing else. Returns every step that it saw. */
export async function followSteps(loop: ReviewLoop, options: HostOptions): Promise<Step[]> {
  const flags = options.config === undefined ? [] : ['--config', options.config]
  const steps = [await askNextStep(loop, ...flags)]
  for (let count = 1; count < (options.maxSteps ?? 500); count += 1) {
    const step = steps.at(-1)
    if (step === undefined || step.step_kind === 'present_report') break
    expect(readJson(loop.root, '.audit-tools/audit/steps/current-step.json')).toEqual(step)
    steps.push(await followStep(loop, step, options))
  }
  return steps
}

async function followStep(loop: ReviewLoop, step: Step, options: HostOptions): Promise<Step> {
  if (step.step_kind === 'capability_check') {
    const [yes, no] = step.allowed_commands
    return (await runPrinted(loop, options.hasSubagents ? yes : no)) as Step
  }
  if (step.step_kind === 'dispatch_review') {
    await Promise.all((step.granted ?? []).map((packet) => reviewGranted(loop, packet, options)))
    const [merge, next] = step.allowed_commands.slice(-2)
    await runPrinted(loop, merge)
    return (await runPrinted(loop, next)) as Step
  }
  if (step.step_kind === 'single_task_fallback') {
    const path = step.artifact_paths.audit_results ?? ''
    const prompt = readFileSync(step.prompt_path, 'utf8')
    expect(prompt).toContain(path)
    writeFileSync(path, `[${write(loop, prompt, 'single', options)}]`)
    const done = (await runPrinted(loop, step.allowed_commands[0])) as { next_likely_step: string }
    return (await runPrinted(loop, done.next_likely_step)) as Step
  }
  if (step.step_kind !== 'wait') {
    throw new Error(`the host cannot follow ${step.step_kind}: ${step.reason}`)
  }
  await new Promise((resolve) => setTimeout(resolve, 200))
  const [, command] = /run `([^`]+)`/.exec(readFileSync(step.prompt_path, 'utf8')) ?? []
  return (await runPrinted(loop, command)) as Step
}

type Granted = NonNullable<Step['granted']>[number]

export async function reviewGranted(
  loop: ReviewLoop,
  packet: Granted,
  options: Pick<HostOptions, 'review'>,
): Promise<{ receipt: string }> {
  const prompt = readFileSync(packet.prompt_path, 'utf8')
  writeFileSync(packet.result_path, write(loop, prompt, packet.packet_id, options))
  return (await runPrinted(loop, packet.submit_command)) as { receipt: string }
}

function write(
  loop: ReviewLoop,
  prompt: string,
  packetId: string,
  { review }: Pick<HostOptions, 'review'>,
): string {
  loop.paid.push({ prompt, at: Date.now() })
  return review?.(prompt, packetId) ?? loop.answer(prompt)
}
