import { join } from 'node:path'

import { z } from 'zod'

import type { SourceConfig } from '../config/index.ts'
import { makeDirectory, writeFileAtomic } from '../store/index.ts'
import { matchModel, type ModelMatch } from './model-match.ts'
import type { LaunchContext, LaunchOutcome } from './provider.ts'
import { findProvider } from './registry.ts'

/** A question with one answer: what comes back shows access, model and form at once. */
const PROMPT = `What is 17 + 25? Do not use any tool. Answer with this JSON object and nothing else, with the right number in place of 0:
{"sum": 0}
`
const ANSWER = 42
const MAX_OUTPUT_TOKENS = 2000
const DEFAULT_TIMEOUT_MS = 120_000

const AnswerSchema = z.looseObject({ sum: z.number() })

/** What a canary found out about a source. */
export interface CanaryResult {
  /** The source answers as it should. */
  readonly isUsable: boolean
  /** One sentence for people; empty when usable. */
  readonly problem: string
  readonly outcome: LaunchOutcome
  readonly modelMatch: ModelMatch
}

export interface CanaryOptions {
  /** An empty directory for its files; programs run in it, so that they see no repository. */
  readonly directory: string
  readonly context: LaunchContext
  readonly signal: AbortSignal
  readonly timeoutMs?: number
}

/** Sends one tiny packet with a known answer to a source, before any real work goes there. One call at most. */
export async function runCanary(
  source: SourceConfig,
  { directory, context, signal, timeoutMs = DEFAULT_TIMEOUT_MS }: CanaryOptions,
): Promise<CanaryResult> {
  const provider = findProvider(source.provider)
  if (provider === undefined) throw new TypeError(`there is no provider ${source.provider}`)
  makeDirectory(directory)
  const promptPath = join(directory, 'canary.md')
  writeFileAtomic(promptPath, PROMPT)
  const outcome = await provider.launch(
    source,
    {
      prompt: PROMPT,
      promptPath,
      resultPath: join(directory, 'canary.result.json'),
      stdoutPath: join(directory, 'canary.stdout.log'),
      stderrPath: join(directory, 'canary.stderr.log'),
      repoRoot: directory,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      timeoutMs,
      signal,
    },
    context,
  )
  const problem = findProblem(outcome)
  const modelMatch = matchModel(source.model, outcome.answeredModel)
  return { isUsable: problem === '', problem, outcome, modelMatch }
}

function findProblem(outcome: LaunchOutcome): string {
  if (outcome.class !== 'ok') return `${outcome.class}: ${outcome.message}`
  const answer = findAnswer(outcome.text ?? '')
  if (answer === undefined)
    return 'bad_output: it did not answer with the JSON that it was asked for'
  return answer === ANSWER ? '' : `bad_output: it answered ${answer} where ${ANSWER} is right`
}

/** Models put words and fences around what they are asked for. */
function findAnswer(text: string): number | undefined {
  for (const [object] of text.matchAll(/\{[^{}]*\}/g)) {
    const answer = AnswerSchema.safeParse(parseJson(object))
    if (answer.success) return answer.data.sum
  }
  return undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // Braces that hold no JSON.
    return undefined
  }
}
