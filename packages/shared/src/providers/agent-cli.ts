import type { ProviderName, SourceConfig } from '../config/index.ts'
import {
  baseEnvironmentNames,
  findExecutable,
  pickEnvironment,
  type ProcessOutcome,
  superviseProcess,
} from '../process/index.ts'
import { chooseDirectory } from './agent-directory.ts'
import { type AgentReport, emptyReport, isStuck } from './agent-report.ts'
import { isHopeless, readAgentEnd } from './agent-end.ts'
import { readIdleMs } from './api-source.ts'
import { type JsonObject, LineReader, parseJsonLine } from './json-lines.ts'
import { makeOutcome } from './outcome.ts'
import type { LaunchContext, LaunchOutcome, LaunchRequest, Provider } from './provider.ts'

/** What a launch of a CLI depends on. */
export interface AgentLaunch {
  readonly model: string | undefined
  readonly mode: 'review' | 'edit'
  /** The user's own configuration lets it act without asking. Never holds for reviews. */
  readonly bypass: boolean
}

/** One agent CLI: how it is started and what its events mean. All of it is data and pure functions. */
export interface AgentCli {
  readonly name: ProviderName
  readonly title: string
  /** Name of the program on `PATH`. */
  readonly program: string
  readonly versionArgs: readonly string[]
  /** Prints whether it is logged in, without showing a credential. */
  readonly loginArgs: readonly string[]
  readLogin(answer: {
    readonly exitCode: number | null
    readonly text: string
  }): 'logged_in' | 'logged_out' | 'unknown'
  readonly overheadTokens: number
  /** Longest time without output. */
  readonly idleTimeoutMs: number
  /** Where it takes an API key from; null: from its own configuration only. */
  readonly keyVariable: string | null
  /** Variables that its login, its endpoint and its own settings are found by. */
  readonly environmentNames: readonly string[]
  /** Variables that it sets for what it starts. */
  readonly selfMarks: readonly string[]
  /** Paths of a repository that it starts code from, and nothing keeps it from doing so. Absent: none. */
  readonly codePaths?: readonly string[]
  /** Arguments after the program's own, and variables that are set whatever the user has. */
  planCommand(launch: AgentLaunch): {
    readonly args: readonly string[]
    readonly env: Readonly<Record<string, string>>
  }
  readEvent(report: AgentReport, event: JsonObject, now: number): AgentReport
  /** Takes in a line of standard error, for a CLI that tells of repeated calls only there. */
  readLogLine?(report: AgentReport, line: string): AgentReport
}

/** Variables of the network that every client honours. */
const NETWORK_NAMES: readonly string[] = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
]

/** Makes a provider of an agent CLI. */
export function createAgentProvider(cli: AgentCli): Provider {
  return {
    name: cli.name,
    title: cli.title,
    kind: 'cli',
    inProcess: 'always',
    abilities: { readsFiles: true, structuredOutput: false },
    overheadTokens: cli.overheadTokens,
    checkSource: (source, context) => checkAgentSource(cli, source, context),
    launch: (source, request, context) => launchAgent(cli, { source, request, context }),
  }
}

function checkAgentSource(
  cli: AgentCli,
  source: SourceConfig,
  context: LaunchContext,
): string | null {
  const { environment } = context
  if (source.endpoint !== undefined) {
    return `its endpoint cannot be set here; set it where ${cli.title} reads it`
  }
  const variable = source.api_key_env
  if (variable !== undefined && !environment[variable]) {
    return `the environment variable ${variable} is not set`
  }
  const mark = findSelfMark(cli, context)
  if (mark !== null && source.in_process !== true) {
    return `this very process runs inside ${cli.title} (${mark} is set), whose own subagents do the work; set in_process to true on the source to start another one all the same`
  }
  const [program = cli.program] = source.command ?? []
  if (findExecutable(program, environment) === undefined) {
    return `the program ${program} is not on PATH, or cannot be executed`
  }
  return null
}

/** The variable that shows that we were started by this very CLI; null: we were not. */
export function findSelfMark(
  cli: AgentCli,
  { environment }: Pick<LaunchContext, 'environment'>,
): string | null {
  return cli.selfMarks.find((name) => Boolean(environment[name])) ?? null
}

/** The whole command of a launch, as data. The prompt is in none of it: it goes in by standard input. */
export function planAgentCommand(
  cli: AgentCli,
  source: SourceConfig,
  { environment }: Pick<LaunchContext, 'environment'>,
  mode: 'review' | 'edit',
): { readonly command: string; readonly args: string[]; readonly env: Record<string, string> } {
  const [program = cli.program, ...ownArgs] = source.command ?? []
  const { extra_args: extra, bypass_permissions: bypass } = source.parameters ?? {}
  const planned = cli.planCommand({
    model: source.model,
    mode,
    bypass: bypass === true && mode === 'edit',
  })
  const extraArgs = Array.isArray(extra) ? extra.map(String) : []
  const { api_key_env: variable } = source
  const key = variable === undefined ? undefined : environment[variable]
  const names = [...baseEnvironmentNames, ...NETWORK_NAMES, ...cli.environmentNames]
  return {
    command: findExecutable(program, environment) ?? program,
    args: [...ownArgs, ...insertBeforeDash(planned.args, extraArgs)],
    env: {
      ...pickEnvironment(environment, names),
      ...(key === undefined ? {} : { [cli.keyVariable ?? variable ?? '']: key }),
      ...planned.env,
    },
  }
}

/** A last `-` stands for standard input and stays last. */
function insertBeforeDash(args: readonly string[], extra: readonly string[]): string[] {
  return args.at(-1) === '-' ? [...args.slice(0, -1), ...extra, '-'] : [...args, ...extra]
}

interface Launch {
  readonly source: SourceConfig
  readonly request: LaunchRequest
  readonly context: LaunchContext
}

async function launchAgent(cli: AgentCli, launch: Launch): Promise<LaunchOutcome> {
  const { source, request, context } = launch
  const problem = checkAgentSource(cli, source, context)
  if (problem !== null) return makeOutcome('spawn_failed', { message: problem })
  const place = chooseDirectory(request, cli.codePaths ?? [], context)
  if (place.kind === 'refused') {
    const message = `${cli.title} would start code of the repository: ${place.found}. Give this work to another provider`
    return makeOutcome('spawn_failed', { message })
  }
  const stuck = new AbortController()
  let report = emptyReport
  const take = (next: AgentReport): void => {
    const isRetry = next.retries > report.retries
    report = next
    if (isRetry && (isStuck(report, context.clock.now()) || isHopeless(report, launch))) {
      stuck.abort()
    }
  }
  const events = new LineReader((line) => {
    const event = parseJsonLine(line)
    if (event !== undefined) take(cli.readEvent(report, event, context.clock.now()))
  })
  const log = new LineReader((line) => take(cli.readLogLine?.(report, line) ?? report))
  const outcome: ProcessOutcome = await superviseProcess({
    ...planAgentCommand(cli, source, context, request.mode ?? 'review'),
    cwd: place.directory,
    stdin: request.prompt,
    idleTimeoutMs: readIdleMs(source, cli.idleTimeoutMs),
    totalTimeoutMs: request.timeoutMs,
    stdoutPath: request.stdoutPath,
    stderrPath: request.stderrPath,
    signal: AbortSignal.any([request.signal, stuck.signal]),
    onStdout: (chunk) => events.push(chunk),
    onStderr: (chunk) => log.push(chunk),
    clock: context.clock,
  })
  events.end()
  log.end()
  const wasStuck = stuck.signal.aborted && !request.signal.aborted
  return readAgentEnd(outcome, { ...launch, report, wasStuck, title: cli.title })
}
