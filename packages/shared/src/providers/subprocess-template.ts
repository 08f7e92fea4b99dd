import type { ProviderName, SourceConfig } from '../config/index.ts'
import {
  baseEnvironmentNames,
  pickEnvironment,
  type ProcessOutcome,
  superviseProcess,
} from '../process/index.ts'
import { readFileText } from '../store/index.ts'
import { judgeText } from './judge-text.ts'
import { classifyOutcome, makeOutcome, type OutcomeFacts } from './outcome.ts'
import type { LaunchContext, LaunchOutcome, LaunchRequest, Provider } from './provider.ts'
import { renderSnippet } from './redact.ts'

/** Values that a command template may name in braces. The prompt itself is not one: it never goes into argv. */
const PLACEHOLDERS = ['prompt_path', 'result_path', 'repo_root', 'model'] as const

/** What sets one provider that runs a command of the user's own apart from the others. */
export interface TemplateProvider {
  readonly name: ProviderName
  readonly title: string
  readonly inProcess: Provider['inProcess']
}

/** Any program: the prompt on its standard input or by path, the answer on standard output or in the result file. */
export const subprocessTemplate = createTemplateProvider({
  name: 'subprocess-template',
  title: 'Command of your own',
  inProcess: 'when_configured',
})

/** Makes a provider that runs whatever command its source names. */
export function createTemplateProvider(template: TemplateProvider): Provider {
  return {
    ...template,
    kind: 'template',
    abilities: { readsFiles: true, structuredOutput: false },
    overheadTokens: 0,
    checkSource: checkTemplateSource,
    launch: launchTemplate,
  }
}

function checkTemplateSource(source: SourceConfig): string | null {
  const [program] = source.command ?? []
  if (program === undefined || program === '') return 'it needs a command'
  const unknown = (source.command ?? [])
    .join(' ')
    .match(/\{(\w+)\}/g)
    ?.find((name) => !isPlaceholder(name))
  return unknown === undefined
    ? null
    : `its command names ${unknown}; there are: ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}`
}

async function launchTemplate(
  source: SourceConfig,
  request: LaunchRequest,
  context: LaunchContext,
): Promise<LaunchOutcome> {
  const problem = checkTemplateSource(source)
  if (problem !== null) return makeOutcome('spawn_failed', { message: problem })
  const [command = '', ...args] = (source.command ?? []).map((word) =>
    fillTemplate(word, source, request),
  )
  const takesPath = (source.command ?? []).some((word) => word.includes('{prompt_path}'))
  const { idle_timeout_ms: idleMs } = source.parameters ?? {}
  const outcome = await superviseProcess({
    command,
    args,
    cwd: request.repoRoot,
    env: makeEnvironment(source, context),
    ...(takesPath ? {} : { stdin: request.prompt }),
    ...(typeof idleMs === 'number' && idleMs > 0 ? { idleTimeoutMs: idleMs } : {}),
    totalTimeoutMs: request.timeoutMs,
    stdoutPath: request.stdoutPath,
    stderrPath: request.stderrPath,
    signal: request.signal,
  })
  return readOutcome(outcome, { source, request, context })
}

function isPlaceholder(name: string): boolean {
  return PLACEHOLDERS.some((placeholder) => name === `{${placeholder}}`)
}

function fillTemplate(word: string, source: SourceConfig, request: LaunchRequest): string {
  const values: Readonly<Record<(typeof PLACEHOLDERS)[number], string>> = {
    prompt_path: request.promptPath,
    result_path: request.resultPath,
    repo_root: request.repoRoot,
    model: source.model ?? '',
  }
  return word.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in values ? values[name as keyof typeof values] : whole,
  )
}

function makeEnvironment(
  source: SourceConfig,
  { environment }: LaunchContext,
): Record<string, string> {
  const { api_key_env: apiKeyEnv } = source
  return pickEnvironment(
    environment,
    apiKeyEnv === undefined ? baseEnvironmentNames : [...baseEnvironmentNames, apiKeyEnv],
  )
}

interface Launch {
  readonly source: SourceConfig
  readonly request: LaunchRequest
  readonly context: LaunchContext
}

function readOutcome(outcome: ProcessOutcome, launch: Launch): LaunchOutcome {
  if (outcome.kind === 'spawn_failed') {
    return makeOutcome('spawn_failed', { message: `cannot start: ${outcome.message}` })
  }
  const facts = readAnswer(launch, outcome.stdout)
  switch (outcome.kind) {
    case 'cancelled':
      return makeOutcome('cancelled', { ...facts, message: 'cancelled' })
    case 'timeout':
      return makeOutcome('timeout', {
        ...facts,
        message: `stopped: its ${outcome.clock} clock ran out after ${outcome.durationMs} ms`,
      })
    case 'exited':
      if (outcome.exitCode !== 0) return readFailedExit(outcome, facts, launch)
      return judgeText(facts.text, facts, launch)
  }
}

/** The result file where the program wrote one, else what it printed: a result and an exit are two facts. */
function readAnswer(
  { source, request: { resultPath } }: Launch,
  stdout: string,
): { readonly text: string | null; readonly recoveredFrom?: 'stdout' } {
  const reading = readFileText(resultPath)
  if (reading.kind === 'ok' && reading.text.trim() !== '') return { text: reading.text }
  const wasAskedForFile = source.command?.some((word) => word.includes('{result_path}')) ?? false
  if (stdout.trim() === '') return { text: null }
  return wasAskedForFile ? { text: stdout, recoveredFrom: 'stdout' } : { text: stdout }
}

function readFailedExit(
  outcome: Extract<ProcessOutcome, { kind: 'exited' }>,
  facts: OutcomeFacts,
  { source, context }: Launch,
): LaunchOutcome {
  const { exitCode, signal, stderr, stdout } = outcome
  // Programs that print nothing on standard error state their failure on standard output.
  const text = stderr.trim() === '' ? stdout : stderr
  const end = exitCode === null ? `signal ${signal ?? 'unknown'}` : `exit code ${exitCode}`
  const snippet = renderSnippet(text)
  return classifyOutcome(
    { text, provider: source.provider, channel: 'error', now: context.clock.now() },
    'crash',
    {
      ...facts,
      message: `${end}: ${snippet.slice(0, 300)}`,
      evidence: { channel: stderr.trim() === '' ? 'stdout' : 'stderr', exitCode, snippet },
    },
  )
}
