import { systemClock } from '@audit-tools/shared/core'
import {
  type ProviderReply,
  type ProviderServer,
  startProviderServer,
} from '@audit-tools/shared/testing'
import { afterEach, describe, expect, test } from 'vitest'

import { type Client, clients } from './client.ts'
import { installClients } from './install-clients.ts'
import { findProcesses } from './find-processes.ts'
import { collectRecordings } from './recordings.ts'
import {
  AGENT_FILE,
  describeRepository,
  type Launched,
  launchOnce,
  makeWorkplace,
  type Workplace,
} from './run-scenario.ts'
import { expectations, FINDINGS, MARKER, type Scenario, scenarios } from './scenario.ts'

const installation = await installClients()
const isMissing = installation.kind === 'missing'
if (isMissing)
  console.log(`The real clients are not installed, their tests are skipped: ${installation.reason}`)

test.runIf(process.env['REAL_CLIENTS'] === '1')('the real clients can be installed', () => {
  expect(installation).toMatchObject({ kind: 'installed' })
})

/** How long a silence is waited for, where the scenario ends in one. */
const idleMs: Partial<Record<Scenario, number>> = { hang: 8000, cut: 20_000 }

let server: ProviderServer | undefined
afterEach(async () => {
  await server?.close()
})

interface Run extends Launched {
  readonly workplace: Workplace
}

interface RunSettings {
  readonly scenario: Scenario
  readonly decide?: (index: number) => ProviderReply
  readonly signal?: AbortSignal
}

async function run(client: Client, { scenario, decide, signal }: RunSettings): Promise<Run> {
  if (installation.kind === 'missing') throw new Error(installation.reason)
  server = await startProviderServer(({ index }) => decide?.(index) ?? client.replies[scenario])
  const workplace = makeWorkplace()
  const own = client.prepareHome(workplace.home, server.url, scenario)
  const launched = await launchOnce({
    source: {
      id: 'pool',
      provider: client.provider,
      model: client.model,
      parameters: { idle_timeout_ms: idleMs[scenario] ?? 60_000 },
    },
    environment: {
      PATH: `${installation.binDirectory}:${process.env['PATH'] ?? ''}`,
      HOME: workplace.home,
      TZ: 'UTC',
      ...own,
    },
    workplace,
    clock: systemClock,
    ...(signal === undefined ? {} : { signal }),
  })
  return { ...launched, workplace }
}

describe.skipIf(isMissing).each(clients)('the real $provider', (client) => {
  const record = collectRecordings(client.provider)

  test.each(scenarios)('%s is the outcome that it is', async (scenario) => {
    const startedAt = Date.now()
    const result = await run(client, { scenario })
    record(scenario, result, startedAt)
    const { commands, class: expected } = expectations[scenario]
    expect(result.outcome, result.stdout + result.stderr).toMatchObject({ class: expected })
    expect(result.commands).toEqual(commands)
    expectUntouched(result.workplace)
    expect(findProcesses(result.workplace.home)).toEqual([])
    if (scenario === 'plan_limit') expectPlanEnd(client, result)
  })

  test('findings and usage come back as the service counted them, and nothing else was asked', async () => {
    const { outcome } = await run(client, { scenario: 'answer' })
    expect(JSON.parse(outcome.text ?? '')).toEqual(JSON.parse(FINDINGS))
    expect(outcome.usage).toMatchObject({
      inputTokens: 1200,
      cachedInputTokens: 200,
      outputTokens: 30,
    })
    expect(outcome.answeredModel).toBe(client.namesModel ? 'm-1' : null)
    expect(server?.calls).toHaveLength(1)
    expect(server?.calls[0]?.prompt).toContain(MARKER)
    expect(server?.calls[0]?.prompt).not.toContain(AGENT_FILE.trim())
  })

  test('a review that tries to write changes nothing and goes on', async () => {
    const result = await run(client, {
      scenario: 'answer',
      decide: (index) =>
        index === 0
          ? { kind: 'answer', text: '', toolCalls: [client.writeCall] }
          : client.replies.answer,
    })
    expect(result.outcome.class).toBe('ok')
    expectUntouched(result.workplace)
  })

  test('a cancel leaves no process, and the prompt was in no argument', async () => {
    const cancel = new AbortController()
    let seen: readonly string[] = []
    const result = await run(client, {
      scenario: 'hang',
      signal: cancel.signal,
      decide: () => {
        seen = findProcesses('/client-')
        cancel.abort()
        return { kind: 'hang' }
      },
    })
    expect(result.outcome.class).toBe('cancelled')
    expect(result.commands).toEqual(['release'])
    expect(seen.join('\n')).toContain(client.program)
    expect(seen.join('\n')).not.toContain(MARKER)
    expect(findProcesses(result.workplace.home)).toEqual([])
  })
})

/** Nothing in the repository has changed, and nothing of it was started. */
function expectUntouched({ repository, pristine, listStarted }: Workplace): void {
  expect(describeRepository(repository)).toBe(pristine)
  expect(listStarted()).toEqual([])
}

/** The end of a closed window is the one that was stated, to the minute that texts have. */
function expectPlanEnd({ provider }: Client, { outcome }: Launched): void {
  // OpenCode tells no times while it waits.
  if (provider === 'opencode') return
  const inSeconds = ((outcome.until ?? 0) - Date.now()) / 1000
  expect(inSeconds).toBeGreaterThan(7200 - 180)
  expect(inSeconds).toBeLessThan(7200 + 60)
}
