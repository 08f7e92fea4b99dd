import type { SourceConfig } from '../config/index.ts'
import type { Clock, Environment } from '../core/index.ts'
import type { ConstraintUnit } from '../quota/index.ts'

/** Every way a launch can end; what each does to pools and work items is the coordinator's to say. */
export const outcomeClasses = [
  'ok',
  'throttle',
  'window',
  'day',
  'credit',
  'auth',
  'model_gone',
  'overload',
  'too_large',
  'refused',
  'bad_output',
  'timeout',
  'crash',
  'spawn_failed',
  'transient',
  'cancelled',
] as const

export type OutcomeClass = (typeof outcomeClasses)[number]

/** What a launch used, as the provider says. Null: it does not say. */
export interface TokenUsage {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly cachedInputTokens: number | null
  readonly costUsd: number | null
}

/** What exactly was wrong with an answer, for the next attempt. */
export type AnswerFault =
  /** It ended well and said nothing. */
  | 'empty_reply'
  /** The limit on output cut it off: a larger one, or less work, is needed. */
  | 'output_budget'
  /** It wants tools that nobody runs, or stopped before its end. */
  | 'unfinished'
  /** It is no answer of this API at all. */
  | 'not_an_answer'
  /** Another model answered than the one asked for, and that is not accepted. */
  | 'downgraded'

/** What a failure was read from; kept with the attempt. The snippet has no secrets and is bounded. */
export interface Evidence {
  readonly channel: 'http' | 'stderr' | 'stdout' | 'process' | 'network'
  readonly status?: number
  readonly exitCode?: number | null
  readonly snippet: string
}

export interface LaunchOutcome {
  readonly class: OutcomeClass
  /** What was produced, also when it ended badly: a result and an end are two facts. Null: nothing. */
  readonly text: string | null
  readonly usage: TokenUsage | null
  /** The model that answered, which may not be the one that was asked for. */
  readonly answeredModel: string | null
  /** What exactly is wrong with the answer; absent when nothing is, or when it is not about the answer. */
  readonly fault?: AnswerFault
  /** Where the text was found, when not where the worker was asked to leave it. */
  readonly recoveredFrom?: 'stdout'
  /** Epoch ms until which the provider wants no more requests; null: it did not say. */
  readonly until: number | null
  /** Whose limit it was; null where no limit spoke. */
  readonly scope: string | null
  /** What the limit counts, where the provider named it; the context window is none of them. */
  readonly unit?: ConstraintUnit
  /** One sentence for people; empty when all went well. */
  readonly message: string
  readonly evidence: Evidence | null
  /** Response headers in lower case, for the limits that they state. */
  readonly headers: Readonly<Record<string, string>>
}

export interface LaunchRequest {
  readonly prompt: string
  /** How many characters at its start are the same in many prompts, for providers that cache what they have read. */
  readonly sharedPrefixLength?: number
  /** What a worker with tools may do in `repoRoot`: only read, or change files below it. Default `review`. */
  readonly mode?: 'review' | 'edit'
  /** A file with the prompt, for programs that want a path. */
  readonly promptPath: string
  /** Where a program that writes files puts its answer; its standard output is read when there is none. */
  readonly resultPath: string
  readonly stdoutPath: string
  readonly stderrPath: string
  /** Where a program runs. */
  readonly repoRoot: string
  readonly maxOutputTokens: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface LaunchContext {
  readonly clock: Clock
  readonly environment: Environment
}

/** One provider: what it is, and how one prompt is given to it. */
export interface Provider {
  readonly name: string
  readonly title: string
  readonly kind: 'api' | 'cli' | 'template' | 'host'
  /** Whether the tool can launch it itself without the user saying so for the source. */
  readonly inProcess: 'always' | 'when_configured' | 'never'
  readonly abilities: { readonly readsFiles: boolean; readonly structuredOutput: boolean }
  /** Tokens that the provider's own wrapper adds to each prompt. */
  readonly overheadTokens: number
  /** What is wrong with a source before anything is spent; null: nothing. */
  checkSource(source: SourceConfig, context: LaunchContext): string | null
  /** Never rejects for what a provider does: every end is an outcome. */
  launch(
    source: SourceConfig,
    request: LaunchRequest,
    context: LaunchContext,
  ): Promise<LaunchOutcome>
}
