import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ClaimRegistry } from './claim-registry.ts'
import type { ClaimResult } from './decide-transition.ts'
import { type Agent, startAgent } from './fixtures/start-agent.ts'

const isFull = process.env['FULL'] === '1'
const timeout = 300_000

let folder: string
let claimsPath: string
let agents: Agent[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'claims-'))
  claimsPath = join(folder, 'claims')
  agents = []
})

afterEach(async () => {
  await Promise.all(agents.map((agent) => agent.end()))
  rmSync(folder, { recursive: true, force: true })
})

async function start(environment: Readonly<Record<string, string>> = {}): Promise<Agent> {
  const agent = await startAgent(claimsPath, environment)
  agents.push(agent)
  return agent
}

async function startMany(count: number): Promise<Agent[]> {
  return Promise.all(Array.from({ length: count }, () => start()))
}

test(
  'eight processes that race for 4,000 ids have one winner for each',
  async () => {
    const racers = await startMany(8)
    for (let race = 0; race < (isFull ? 3 : 1); race += 1) {
      rmSync(claimsPath, { recursive: true, force: true })
      const won = await Promise.all(
        racers.map((agent) => agent.ask<number[]>({ do: 'claim all', count: 4_000 })),
      )
      const all = won.flat()
      expect(all).toHaveLength(4_000)
      expect(new Set(all).size).toBe(4_000)
    }
  },
  timeout,
)

test(
  'twenty races of three processes for the same few ids each have one winner',
  async () => {
    const racers = await startMany(3)
    for (let race = 0; race < 20; race += 1) {
      rmSync(claimsPath, { recursive: true, force: true })
      const won = await Promise.all(
        racers.map((agent) => agent.ask<number[]>({ do: 'claim all', count: 10 })),
      )
      expect(won.flat().toSorted((left, right) => left - right)).toEqual(
        Array.from({ length: 10 }, (_, number) => number),
      )
    }
  },
  timeout,
)

test(
  'of eight processes on disjoint ids none does less than half of the mean',
  async () => {
    const racers = await startMany(8)
    const counts = await Promise.all(
      racers.map((agent, index) =>
        agent.ask<number>({ do: 'claim own', prefix: `agent-${index}`, durationMs: 2_000 }),
      ),
    )
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(mean / 2)
  },
  timeout,
)

test(
  'the claims of a process that was killed are free within two seconds',
  async () => {
    const holder = await start()
    await holder.ask({ do: 'claim all', count: 100 })
    const registry = new ClaimRegistry(claimsPath)
    expect(registry.isClaimed('packet-7')).toBe(true)

    const killedAt = performance.now()
    holder.signal('SIGKILL')
    while (registry.isClaimed('packet-7')) await delay(5)
    const ids = Array.from({ length: 100 }, (_, number) => `packet-${number}`)
    expect(registry.claimMany(ids, 'pool').every(({ acquired }) => acquired)).toBe(true)
    expect(performance.now() - killedAt).toBeLessThan(2_000)
  },
  timeout,
)

test(
  'the claims of a stopped process stay its own beyond every lease, and it goes on with them',
  async () => {
    const holder = await start()
    const grant = await holder.ask<ClaimResult>({ do: 'claim', id: 'packet' })
    if (!grant.acquired) throw new Error('not acquired')
    holder.signal('SIGSTOP')
    while (!readFileSync(`/proc/${holder.pid}/stat`, 'latin1').includes(') T ')) await delay(5)

    const tenHoursAhead = Date.now() + 10 * 3_600_000
    const rival = new ClaimRegistry(claimsPath, {
      clock: { now: () => tenHoursAhead, monotonic: () => 0, sleep: () => Promise.resolve() },
    })
    expect(rival.claim('packet', 'pool').acquired).toBe(false)
    expect(rival.reclaimStale()).toEqual([])

    holder.signal('SIGCONT')
    const { epoch } = grant
    expect(await holder.ask({ do: 'complete', id: 'packet', epoch, resultRef: 'r' })).toBe(
      'accepted',
    )
  },
  timeout,
)

test(
  'a full disk is an error that grants nothing, whichever write it stops',
  async () => {
    for (const write of [1, 2]) {
      rmSync(claimsPath, { recursive: true, force: true })
      const agent = await start({ AUDIT_TOOLS_FAIL_WRITES: `ENOSPC:${write}` })
      expect(await agent.ask({ do: 'claim', id: 'packet' })).toEqual({ failed: 'store-unwritable' })
      expect(new ClaimRegistry(claimsPath).claim('packet', 'pool').acquired).toBe(true)
    }
  },
  timeout,
)

test(
  'a process killed at any effect of a packet’s life leaves a store on which the next one ends with the same results',
  async () => {
    const packets = 3
    const effectsPath = join(folder, 'effects.log')
    const resultsFolder = join(folder, 'results')
    const command = { do: 'work off', count: packets, resultsFolder } as const
    const restart = (): void => {
      rmSync(claimsPath, { recursive: true, force: true })
      rmSync(resultsFolder, { recursive: true, force: true })
      mkdirSync(resultsFolder)
    }

    restart()
    const whole = await start({ AUDIT_TOOLS_EFFECT_LOG: effectsPath })
    expect(await whole.ask(command)).toBe(packets)
    const effects = readFileSync(effectsPath, 'utf8').trim().split('\n')
    expect(effects.length).toBeGreaterThan(packets * 6)

    const crashes = effects.flatMap((_, index) => [`before:${index + 1}`, `after:${index + 1}`])
    const played = isFull ? crashes : crashes.filter((_, index) => index % 7 === 3)
    for (const crash of played) {
      restart()
      const victim = await start({ AUDIT_TOOLS_CRASH_AT: crash })
      await expect(victim.ask(command)).rejects.toThrow('SIGKILL')

      const registry = new ClaimRegistry(claimsPath)
      for (const result of readdirSync(resultsFolder)) {
        const [number, epoch] = result.split('-').map(Number)
        registry.complete(`packet-${number}`, epoch ?? 0, `reviewed packet-${number}`)
      }
      registry.reclaimStale()
      expect(registry.listDamaged()).toEqual([])
      const paidFor = registry.listCompleted().map(({ id }) => id)
      for (let number = 0; number < packets; number += 1) {
        const claim = registry.claim(`packet-${number}`, 'pool')
        expect(claim.acquired).toBe(!paidFor.includes(`packet-${number}`))
        if (claim.acquired) {
          registry.complete(`packet-${number}`, claim.epoch, `reviewed packet-${number}`)
        }
      }
      expect(registry.listCompleted().map(({ id, resultRef }) => `${id}: ${resultRef}`)).toEqual(
        Array.from({ length: packets }, (_, n) => `packet-${n}: reviewed packet-${n}`),
      )
    }
  },
  timeout,
)
