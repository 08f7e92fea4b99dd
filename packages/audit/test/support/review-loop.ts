import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { AuditFindingsReportSchema, type Finding } from '@audit-tools/shared/findings'
import {
  type ProviderCall,
  type ProviderReply,
  type ProviderServer,
  startProviderServer,
} from '@audit-tools/shared/testing'
import { expect, onTestFinished } from 'vitest'

import { makeDirectory, readJson } from '../harness.ts'
import {
  makePlantedRepository,
  type PlantedFault,
  reviewPrompt,
  writeConfig,
} from './planted-faults.ts'

/** Faults of the loop; more than one packet's worth by far. */
const FAULTS = 44

export interface ReviewLoop {
  readonly root: string
  readonly faults: readonly PlantedFault[]
  /** The same user for every command of the test. */
  readonly env: Readonly<Record<string, string>>
  /** Prompts with the time at which each was paid for, over all pools. */
  readonly paid: { readonly prompt: string; readonly at: number }[]
  answer(prompt: string): string
  /** A pool of the loop: a provider that reports what it is shown, unless `decide` answers. */
  startPool(decide?: (call: ProviderCall) => ProviderReply | undefined): Promise<ProviderServer>
}

export function makeReviewLoop(count = FAULTS): ReviewLoop {
  const { root, faults } = makePlantedRepository(count)
  const paid: { prompt: string; at: number }[] = []
  const answer = (prompt: string): string => reviewPrompt(prompt, faults)
  return {
    root,
    faults,
    env: { HOME: makeDirectory('home') },
    paid,
    answer,
    async startPool(decide) {
      const server = await startProviderServer((call) => {
        const other = decide?.(call)
        if (other !== undefined) return other
        paid.push({ prompt: call.prompt, at: Date.now() })
        return { kind: 'answer', text: answer(call.prompt) }
      })
      onTestFinished(() => server.close())
      return server
    },
  }
}

/** A configuration with one API pool for each server, in small packets, and what else is given. */
export function configurePools(
  servers: readonly ProviderServer[],
  more: readonly object[] = [],
  maxPacketTokens = 14_000,
): string {
  const pools = servers.map(({ url }, index) => ({
    id: `api-${index}`,
    provider: 'openai-compatible',
    endpoint: url,
    model: `model-${index}`,
    quota: { context_tokens: 2_000_000, concurrency: 3 },
  }))
  return writeConfig({
    sources: [...pools, ...more],
    dispatch: { max_packet_tokens: maxPacketTokens },
  })
}

/** The report holds every planted fault exactly once, and nothing else that a reviewer said. */
export function expectEveryFaultOnce({ root, faults }: ReviewLoop): void {
  const report = AuditFindingsReportSchema.parse(
    readJson(root, '.audit-tools/audit/audit-findings.json'),
  )
  const reviewed = report.findings.filter(({ source }) => source === 'reviewer').map(describe)
  expect(reviewed.toSorted()).toEqual(
    faults.map(({ path, quote }) => `${path}: ${quote}`).toSorted(),
  )
  expect(report.quarantined_findings).toEqual([])
  const { planned, reviewed: done, failed, deferred } = report.summary.packets
  expect({ done, failed, deferred }).toEqual({ done: planned, failed: 0, deferred: 0 })
}

function describe({ affected_files: [place] }: Finding): string {
  return `${place?.path}: ${place?.quoted_text}`
}

/** No packet was paid for once its accepted answer stood on disk. */
export function expectNothingPaidTwice({ root, paid }: ReviewLoop): void {
  const run = findRun(root)
  const answeredAt = new Map<string, number>()
  for (const name of readdirSync(join(run, 'results'))) {
    const id = name.replace(/\.\d+\.json$/, '')
    const prompt = join(run, 'prompts', `${id}.md`)
    if (!existsSync(prompt)) continue
    answeredAt.set(readFileSync(prompt, 'utf8'), statSync(join(run, 'results', name)).mtimeMs)
  }
  expect(answeredAt.size).toBeGreaterThan(0)
  const late = paid.filter(({ prompt, at }) => at > (answeredAt.get(prompt) ?? Infinity) + 5)
  expect(late).toEqual([])
}

export function findRun(root: string): string {
  const { run_id: runId } = readJson<{ run_id: string }>(root, '.audit-tools/audit/active-run.json')
  return join(root, '.audit-tools/audit/runs', runId)
}

/** The printed sums: packets + remainders = reviewed + failed + split + open. */
export function readSums(stdout: string): Record<string, number> {
  const match =
    /Review: ([\d,]+) packets? \+ ([\d,]+) remainders? = (\d+) reviewed \+ (\d+) failed \+ (\d+) split \+ (\d+) open/.exec(
      stdout,
    )
  expect(match).not.toBeNull()
  const [packets, remainders, reviewed, failed, split, open] = (match ?? [])
    .slice(1)
    .map((text) => Number(text.replaceAll(',', '')))
  const sums = { packets, remainders, reviewed, failed, split, open } as Record<string, number>
  expect((packets ?? 0) + (remainders ?? 0)).toBe(
    (reviewed ?? 0) + (failed ?? 0) + (split ?? 0) + (open ?? 0),
  )
  return sums
}
