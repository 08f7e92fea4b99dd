import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { ClaimRegistry } from '@audit-tools/shared/claims'
import { SessionConfigSchema, type SourceConfig } from '@audit-tools/shared/config'
import { readEnvironment, systemClock } from '@audit-tools/shared/core'
import { buildSourcePools, HybridSpillCoordinator } from '@audit-tools/shared/dispatch'
import {
  findProvider,
  type LaunchOutcome,
  refuseDowngrade,
  runCanary,
} from '@audit-tools/shared/providers'
import {
  type ProviderReply,
  replyModelGone,
  startCliWorker,
  startProviderServer,
  type WorkerReply,
} from '@audit-tools/shared/testing'
import { expect, test } from 'vitest'

const environment = { ...readEnvironment(), CLAUDECODE: undefined }
const context = { clock: systemClock, environment }

interface CorpusRow {
  readonly id: string
  readonly input: string
  readonly right: string
}

const rows = readFileSync(
  join(dirname(fileURLToPath(import.meta.url)), 'fixtures/corpus/exits-and-streams.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as CorpusRow)

/** The parts of a row's input that are quoted as code. */
function readQuotes(id: string): string[] {
  const input = rows.find((row) => row.id === id)?.input ?? ''
  return [...input.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
}

interface WorkerCase {
  readonly source: Omit<SourceConfig, 'command'>
  readonly reply: WorkerReply
  /** Arguments after the scripted worker's own. */
  readonly args?: readonly string[]
  /** What the worker writes into its result file. */
  readonly result?: string
}

async function launchWorker({
  source,
  reply,
  args = [],
  result,
}: WorkerCase): Promise<LaunchOutcome> {
  const directory = mkdtempSync(join(tmpdir(), 'corpus-'))
  const resultPath = join(directory, 'result.json')
  const worker = await startCliWorker(directory, () => {
    if (result !== undefined) writeFileSync(resultPath, result)
    return reply
  })
  try {
    return await launch({ ...source, command: [...worker.command, ...args] }, directory)
  } finally {
    await worker.close()
  }
}

function launch(source: SourceConfig, directory: string): Promise<LaunchOutcome> {
  const provider = findProvider(source.provider)
  if (provider === undefined) throw new Error(`no provider ${source.provider}`)
  return provider.launch(
    source,
    {
      prompt: 'Review.',
      promptPath: join(directory, 'prompt.md'),
      resultPath: join(directory, 'result.json'),
      stdoutPath: join(directory, 'out.log'),
      stderrPath: join(directory, 'err.log'),
      repoRoot: directory,
      maxOutputTokens: 4096,
      timeoutMs: 30_000,
      signal: new AbortController().signal,
    },
    context,
  )
}

async function askServer(body: unknown): Promise<LaunchOutcome> {
  const server = await startProviderServer((): ProviderReply => ({
    kind: 'status',
    status: 200,
    body,
  }))
  try {
    return await launch(
      { provider: 'openai-compatible', endpoint: server.url, model: 'm' },
      mkdtempSync(join(tmpdir(), 'corpus-')),
    )
  } finally {
    await server.close()
  }
}

const template = { provider: 'subprocess-template', in_process: true } as const
const VALID = '{"findings": [{"title": "Division by zero"}]}'

/** A coordinator with these sources and one packet. */
function coordinate(sources: readonly SourceConfig[]): HybridSpillCoordinator {
  const config = SessionConfigSchema.parse({ sources })
  const coordinator = new HybridSpillCoordinator({
    pools: buildSourcePools(config, { environment, secret: 'secret-of-a-test' }),
    sessionConfig: config,
    claimRegistry: new ClaimRegistry(mkdtempSync(join(tmpdir(), 'claims-'))),
    readSettled: () => new Set(),
    onSettle: () => undefined,
  })
  coordinator.add([{ id: 'packet', estimatedTokens: 100 }])
  return coordinator
}

const checks: Readonly<Record<string, () => Promise<void>>> = {
  async E02() {
    const lines = readQuotes('E02').filter((quote) => quote.startsWith('{'))
    expect(lines).toHaveLength(2)
    const outcome = await launchWorker({
      source: { provider: 'claude-code' },
      reply: { stdout: `${lines.join('\n')}\n` },
    })
    expect(outcome).toMatchObject({ class: 'bad_output', fault: 'empty_reply', text: null })
  },
  async E03() {
    const [notice = ''] = readQuotes('E03')
    const outcome = await launchWorker({ source: template, reply: { stdout: notice } })
    expect(outcome).toMatchObject({ class: 'window', text: null })
    const end = new Date(outcome.until ?? 0)
    expect([end.getHours(), end.getMinutes()]).toEqual([22, 30])
  },
  async E04() {
    const [notice = ''] = readQuotes('E04')
    const result = JSON.stringify({ findings: [{ title: 'Text', description: notice }] })
    const outcome = await launchWorker({ source: template, reply: {}, result })
    expect(outcome).toMatchObject({ class: 'ok', text: result, until: null })
  },
  async E05() {
    const outcome = await askServer(JSON.parse(readQuotes('E05')[0] ?? ''))
    expect(outcome).toMatchObject({
      class: 'bad_output',
      fault: 'output_budget',
      text: null,
      usage: { outputTokens: 4096 },
    })
  },
  async E06() {
    const outcome = await askServer(JSON.parse(readQuotes('E06')[0] ?? ''))
    expect(outcome).toMatchObject({ class: 'bad_output', fault: 'empty_reply' })
    const coordinator = coordinate([
      { id: 'first', provider: 'openai-compatible', endpoint: 'http://127.0.0.1:9/v1', model: 'a' },
      {
        id: 'second',
        provider: 'openai-compatible',
        endpoint: 'http://127.0.0.1:9/v2',
        model: 'b',
      },
    ])
    const used: string[] = []
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const [assignment] = coordinator.planAssignments()
      if (assignment === undefined) throw new Error('nothing was assigned')
      used.push(assignment.poolId)
      coordinator.observe(assignment, outcome)
    }
    expect(used[1]).toBe(used[0])
    expect(used[2]).not.toBe(used[0])
  },
  async E07() {
    const outcome = await askServer({
      choices: [{ finish_reason: 'tool_calls', message: { content: null } }],
      usage: { prompt_tokens: 900, completion_tokens: 10 },
    })
    expect(outcome).toMatchObject({ class: 'bad_output', fault: 'unfinished', text: null })
  },
  async E09() {
    const [log = ''] = readQuotes('E09')
    const outcome = await launchWorker({
      source: { provider: 'opencode', parameters: { idle_timeout_ms: 1500 } },
      reply: { stderr: `${log}\n`, hang: true },
    })
    expect(outcome).toMatchObject({ class: 'window', until: null, text: null })
  },
  async E10() {
    // The scripted worker reads its standard input to the end before it does anything.
    const outcome = await launchWorker({ source: template, reply: { stdout: VALID } })
    expect(outcome).toMatchObject({ class: 'ok', text: VALID })
  },
  async E11() {
    const outcome = await launchWorker({
      source: template,
      args: ['{result_path}'],
      reply: { stdout: `I have reviewed the files.\n${VALID}\n` },
    })
    expect(outcome).toMatchObject({ class: 'ok', recoveredFrom: 'stdout' })
    expect(outcome.text).toContain(VALID)
  },
  async E12() {
    const stderr = "You've hit your session limit · resets 10:30pm"
    const outcome = await launchWorker({
      source: template,
      reply: { stderr, exitCode: 1 },
      result: VALID,
    })
    expect(outcome).toMatchObject({ class: 'window', text: VALID })
  },
  async E13() {
    // At this level a claim of success is a text like any other: it has no finding in it and moves nothing.
    const [text = 'Implemented and verified, all tests pass'] = readQuotes('E13')
    const outcome = await launchWorker({ source: template, reply: { stdout: text } })
    expect(outcome).toEqual(expect.objectContaining({ class: 'ok', text, usage: null }))
  },
  async E14() {
    const paths: string[] = []
    const server = createServer((request, response) => {
      paths.push(`${request.method} ${request.url}`)
      const isKnown = request.url === '/health'
      response.writeHead(isKnown ? 200 : 404, { 'content-type': 'text/html' })
      response.end('<!doctype html><title>App</title>')
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const { port } = server.address() as AddressInfo
    const result = await canary({ endpoint: `http://127.0.0.1:${port}/v1` })
    server.close()
    expect(result.isUsable).toBe(false)
    expect(result.problem).toContain('HTTP 404')
    expect(paths).toEqual(['POST /v1/chat/completions'])
  },
  async E15() {
    const server = await startProviderServer(() => replyModelGone('retired'))
    const sources: SourceConfig[] = [
      { id: 'old', provider: 'openai-compatible', endpoint: server.url, model: 'retired' },
      { id: 'new', provider: 'openai-compatible', endpoint: server.url, model: 'current' },
    ]
    const result = await canary(sources[0] ?? {})
    const coordinator = coordinate(sources)
    coordinator.observePool('old', result.outcome)
    const assignments = coordinator.planAssignments()
    await server.close()
    expect(result).toMatchObject({ isUsable: false, outcome: { class: 'model_gone' } })
    expect(server.calls).toHaveLength(1)
    expect(assignments.map(({ poolId }) => poolId)).toEqual(['new'])
  },
  async E16() {
    const server = await startProviderServer(({ index }) => ({
      kind: 'answer',
      text: VALID,
      model: index % 2 === 0 ? 'small' : 'big',
    }))
    const source = { provider: 'openai-compatible', endpoint: server.url, model: 'big' } as const
    const directory = mkdtempSync(join(tmpdir(), 'corpus-'))
    const outcomes = [await launch(source, directory), await launch(source, directory)]
    await server.close()
    expect(outcomes.map(({ answeredModel }) => answeredModel)).toEqual(['small', 'big'])
    expect(outcomes.map((outcome) => refuseDowngrade(outcome, 'big').class)).toEqual([
      'bad_output',
      'ok',
    ])
  },
}

function canary(source: Partial<SourceConfig>): ReturnType<typeof runCanary> {
  return runCanary(
    { provider: 'openai-compatible', model: 'm', ...source },
    {
      directory: mkdtempSync(join(tmpdir(), 'canary-')),
      context,
      signal: new AbortController().signal,
    },
  )
}

test.each(rows)('$id: $right', async ({ id }) => {
  const check = checks[id]
  if (check === undefined) throw new Error(`no test for ${id}`)
  await check()
})
