import type { AnswerFault, TokenUsage } from './provider.ts'

/** A failed call to the service behind a CLI, as far as the CLI tells. */
export interface AgentFailure {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Events, error bodies or words. */
  readonly body: unknown
}

/** What the events of an agent CLI have said so far. */
export interface AgentReport {
  /** The last whole message of the agent; null: none yet. */
  readonly text: string | null
  /** Which message the text belongs to, where parts of one message come one by one. */
  readonly messageId: string | null
  readonly usage: TokenUsage | null
  readonly answeredModel: string | null
  /** A plan pays, so that a price which the CLI tells is nobody's bill. */
  readonly isPlan: boolean
  /** Whether the CLI said that its turn ended well. */
  readonly isDone: boolean
  readonly failure: AgentFailure | null
  /** Why the model declined; null: it did not. */
  readonly refusal: string | null
  readonly fault: AnswerFault | null
  /** What the CLI told of its plan's windows, in the words of the service's headers. */
  readonly headers: Readonly<Record<string, string>>
  /** Failed calls that the CLI repeats by itself, since it last got on. */
  readonly retries: number
  /** Epoch ms of the next repetition; null: unknown. */
  readonly retryAt: number | null
}

export const emptyReport: AgentReport = {
  text: null,
  messageId: null,
  usage: null,
  answeredModel: null,
  isPlan: false,
  isDone: false,
  failure: null,
  refusal: null,
  fault: null,
  headers: {},
  retries: 0,
  retryAt: null,
}

/** The report after the CLI got on: what failed and was repeated is over. */
export function noteProgress(report: AgentReport): AgentReport {
  return { ...report, failure: null, retries: 0, retryAt: null }
}

/** The report after a failed call that the CLI repeats by itself. */
export function noteRetry(
  report: AgentReport,
  failure: AgentFailure,
  retryAt: number | null = null,
): AgentReport {
  return { ...report, failure, retryAt, retries: report.retries + 1 }
}

/** Longest wait inside a CLI; the coordinator waits better, because it can do other work meanwhile. */
export const MAX_INNER_WAIT_MS = 60_000

/** Failed calls in a row after which a CLI that repeats them for ever, or for long, is ended. */
const MAX_RETRIES = 4

/** Whether a CLI only waits for a limit or repeats what fails: its place is better used by other work. */
export function isStuck({ retries, retryAt }: AgentReport, now: number): boolean {
  return retries >= MAX_RETRIES || (retryAt !== null && retryAt - now > MAX_INNER_WAIT_MS)
}

/** Adds up what several steps used. A count that any of them does not tell is unknown. */
export function addUsage(total: TokenUsage | null, step: TokenUsage): TokenUsage {
  if (total === null) return step
  return {
    inputTokens: add(total.inputTokens, step.inputTokens),
    outputTokens: add(total.outputTokens, step.outputTokens),
    cachedInputTokens: add(total.cachedInputTokens, step.cachedInputTokens),
    costUsd: add(total.costUsd, step.costUsd),
  }
}

function add(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left + right
}
