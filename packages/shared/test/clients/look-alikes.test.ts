import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { systemClock } from '@audit-tools/shared/core'
import { describe, expect, test } from 'vitest'

import { clients } from './client.ts'
import { findProcesses } from './find-processes.ts'
import { locateRecordings, readRecordings } from './recordings.ts'
import {
  describeRepository,
  type Launched,
  launchOnce,
  makeWorkplace,
  type Workplace,
} from './run-scenario.ts'
import { expectations, FINDINGS, MARKER, PROMPT, type Scenario, scenarios } from './scenario.ts'

const program = join(dirname(fileURLToPath(import.meta.url)), 'fixtures', 'look-alike.mjs')

interface Call {
  readonly argv: readonly string[]
  readonly prompt: string
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
}

interface Run extends Launched {
  readonly call: Call
  readonly workplace: Workplace
}

/** Runs a program that prints what the real client printed, at the time at which it did. */
async function run(client: (typeof clients)[number], scenario: Scenario): Promise<Run> {
  const { provider, model } = client
  const recordedAt = readRecordings(provider)[scenario]?.recorded_at ?? 0
  const workplace = makeWorkplace()
  const callLog = join(workplace.directory, 'call.json')
  const launched = await launchOnce({
    source: {
      id: 'pool',
      provider,
      model,
      command: [process.execPath, program, locateRecordings(provider), scenario, callLog],
      parameters: { idle_timeout_ms: 1500 },
    },
    environment: {
      PATH: process.env['PATH'] ?? '',
      HOME: workplace.home,
      TZ: 'UTC',
      DATABASE_PASSWORD: 'not for workers',
    },
    workplace,
    clock: { ...systemClock, now: () => recordedAt },
  })
  const call = JSON.parse(readFileSync(callLog, 'utf8')) as Call
  return { ...launched, call, workplace }
}

describe.each(clients)('a look-alike of $provider', (client) => {
  test.each(scenarios)('%s is the outcome that it is', async (scenario) => {
    const { outcome, commands, workplace } = await run(client, scenario)
    expect({ class: outcome.class, commands }).toEqual(expectations[scenario])
    expect(describeRepository(workplace.repository)).toBe(workplace.pristine)
    expect(findProcesses(workplace.home)).toEqual([])
  })

  test('findings, usage and model come back', async () => {
    const { outcome } = await run(client, 'answer')
    expect(JSON.parse(outcome.text ?? '')).toEqual(JSON.parse(FINDINGS))
    expect(outcome.usage).toMatchObject({
      inputTokens: 1200,
      cachedInputTokens: 200,
      outputTokens: 30,
    })
    expect(outcome.answeredModel).toBe(client.namesModel ? 'm-1' : null)
  })

  test('the prompt goes in by standard input, and only what it needs by environment', async () => {
    const { call, workplace } = await run(client, 'answer')
    expect(call.prompt).toBe(PROMPT)
    expect(call.argv.join(' ')).not.toContain(MARKER)
    const empty = join(workplace.home, '.local/state/audit-tools/empty')
    const place = client.runsIn === 'empty' ? empty : workplace.repository
    expect(call.cwd).toBe(realpathSync(place))
    expect(Object.keys(call.environment)).not.toContain('DATABASE_PASSWORD')
  })
})

test.each(clients.filter(({ provider }) => provider !== 'opencode'))(
  'the end of a closed window is what $provider states',
  async (client) => {
    const { outcome } = await run(client, 'plan_limit')
    const recordedAt = readRecordings(client.provider).plan_limit?.recorded_at ?? 0
    const inSeconds = ((outcome.until ?? 0) - recordedAt) / 1000
    expect(inSeconds).toBeGreaterThan(7200 - 180)
    expect(inSeconds).toBeLessThan(7200 + 60)
  },
)
