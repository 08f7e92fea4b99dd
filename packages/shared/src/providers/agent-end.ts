import type { SourceConfig } from '../config/index.ts'
import type { ProcessOutcome } from '../process/index.ts'
import { readFileText } from '../store/index.ts'
import { type AgentFailure, type AgentReport, MAX_INNER_WAIT_MS } from './agent-report.ts'
import { judgeText } from './judge-text.ts'
import { classifyOutcome, makeOutcome, type OutcomeFacts } from './outcome.ts'
import type {
  Evidence,
  LaunchContext,
  LaunchOutcome,
  LaunchRequest,
  OutcomeClass,
} from './provider.ts'
import { renderSnippet } from './redact.ts'

/** Everything known when an agent CLI is gone. */
export interface AgentEnd {
  readonly source: SourceConfig
  readonly request: LaunchRequest
  readonly context: LaunchContext
  readonly report: AgentReport
  /** We ended it, because it only waited or repeated what fails. */
  readonly wasStuck: boolean
  readonly title: string
}

/** How much of a log's end is read for the reason of a silence. */
const LOG_TAIL_CHARACTERS = 20_000

/** The outcome of a launch: what its process did and what its events said are two facts. */
export function readAgentEnd(outcome: ProcessOutcome, end: AgentEnd): LaunchOutcome {
  if (outcome.kind === 'spawn_failed') {
    return makeOutcome('spawn_failed', { message: `cannot start: ${outcome.message}` })
  }
  const { report, wasStuck, title } = end
  const facts: OutcomeFacts = {
    text: readAnswer(end),
    usage: report.usage,
    answeredModel: report.answeredModel,
    headers: report.headers,
  }
  switch (outcome.kind) {
    case 'cancelled':
      return wasStuck
        ? readFailure(outcome, end, { ...facts, message: `${title} only repeated a failed call` })
        : makeOutcome('cancelled', { ...facts, message: 'cancelled' })
    case 'timeout':
      return report.retries > 0
        ? readFailure(outcome, end, facts)
        : readSilence(outcome, end, facts)
    case 'exited':
      return readExit(outcome, end, facts)
  }
}

/** Ends of a call that no repetition within a launch changes. */
const LASTING: ReadonlySet<OutcomeClass> = new Set([
  'window',
  'day',
  'credit',
  'auth',
  'model_gone',
])

/** Whether what the CLI repeats cannot succeed, by what the failure says. */
export function isHopeless(
  report: AgentReport,
  end: Pick<AgentEnd, 'source' | 'context'>,
): boolean {
  const { failure, retries } = report
  return (
    failure !== null && retries > 0 && LASTING.has(explainFailure(failure, report, end, {}).class)
  )
}

type Ended = Exclude<ProcessOutcome, { kind: 'spawn_failed' }>

/** The file that a worker was asked to write, where it did, else its last message. */
function readAnswer({ request, report }: AgentEnd): string | null {
  const reading = readFileText(request.resultPath)
  return reading.kind === 'ok' && reading.text.trim() !== '' ? reading.text : report.text
}

function readExit(outcome: Ended, end: AgentEnd, facts: OutcomeFacts): LaunchOutcome {
  const { report } = end
  if (report.refusal !== null) {
    return makeOutcome('refused', { ...facts, text: null, message: report.refusal.slice(0, 300) })
  }
  if (report.fault !== null) {
    const message = 'the answer is longer than the limit on output and was cut off there'
    return makeOutcome('bad_output', { ...facts, fault: report.fault, message })
  }
  if (report.failure !== null) return readFailure(outcome, end, facts)
  if (report.isDone && outcome.exitCode === 0) return judgeText(facts.text ?? null, facts, end)
  if (outcome.exitCode !== 0) return readCrash(outcome, end, facts)
  return facts.text === null || facts.text === undefined
    ? judgeText(null, facts, end)
    : makeOutcome('bad_output', {
        ...facts,
        fault: 'unfinished',
        message: 'it ended before its turn did',
      })
}

/** A failed call to the service, in the service's own words as far as the CLI passes them on. */
function readFailure(outcome: Ended, end: AgentEnd, facts: OutcomeFacts): LaunchOutcome {
  const { report } = end
  const { failure } = report
  if (failure === null) return readCrash(outcome, end, facts)
  const words = typeof failure.body === 'string' ? failure.body : JSON.stringify(failure.body)
  const evidence: Evidence = {
    channel: 'stdout',
    exitCode: outcome.exitCode,
    snippet: renderSnippet(words),
    ...(failure.status === undefined ? {} : { status: failure.status }),
  }
  const message = evidence.snippet.slice(0, 300)
  return explainFailure(failure, report, end, {
    message,
    ...facts,
    evidence,
    // The windows that the CLI told of are in the failure already.
    headers: failure.headers ?? {},
  })
}

function explainFailure(
  { status, headers, body }: AgentFailure,
  { retryAt }: AgentReport,
  { source, context }: Pick<AgentEnd, 'source' | 'context'>,
  facts: OutcomeFacts,
): LaunchOutcome {
  const now = context.clock.now()
  // A wait this long is not the CLI's own backoff: the service has stated it.
  const isStated = retryAt !== null && retryAt - now > MAX_INNER_WAIT_MS
  const stated = isStated ? { 'retry-after': String(Math.ceil((retryAt - now) / 1000)) } : {}
  return classifyOutcome(
    {
      body,
      ...(status === undefined ? {} : { status }),
      headers: { ...headers, ...stated },
      provider: source.provider,
      channel: 'error',
      now,
    },
    'transient',
    facts,
  )
}

function readCrash(
  { exitCode, signal, stderr }: Ended,
  { source, context }: AgentEnd,
  facts: OutcomeFacts,
): LaunchOutcome {
  const end = exitCode === null ? `signal ${signal ?? 'unknown'}` : `exit code ${exitCode}`
  const snippet = renderSnippet(stderr)
  return classifyOutcome(
    { text: stderr, provider: source.provider, channel: 'error', now: context.clock.now() },
    'crash',
    {
      ...facts,
      message: `${end}: ${snippet.slice(0, 300)}`,
      evidence: { channel: 'stderr', exitCode, snippet },
    },
  )
}

/** Nothing came for too long. Its log may say what it waited for. */
function readSilence(
  outcome: Extract<Ended, { kind: 'timeout' }>,
  { source, context }: AgentEnd,
  facts: OutcomeFacts,
): LaunchOutcome {
  const tail = outcome.stderr.slice(-LOG_TAIL_CHARACTERS)
  const clock = `stopped: its ${outcome.clock} clock ran out after ${outcome.durationMs} ms`
  return classifyOutcome(
    { text: tail, provider: source.provider, channel: 'log', now: context.clock.now() },
    'timeout',
    {
      ...facts,
      message: clock,
      evidence: { channel: 'stderr', exitCode: outcome.exitCode, snippet: renderSnippet(tail) },
    },
  )
}
