import { tmpdir } from 'node:os'

import type { ProviderName } from '../config/index.ts'
import type { Environment } from '../core/index.ts'
import { captureProcess, findExecutable } from '../process/index.ts'
import { type AgentCli, findSelfMark, planAgentCommand } from './agent-cli.ts'
import { agentClis } from './registry.ts'

/** An agent CLI on this machine. */
export interface DiscoveredProvider {
  readonly id: ProviderName
  readonly title: string
  /** Where its program is. */
  readonly path: string
  /** As it says itself; null: it did not answer. */
  readonly version: string | null
  /** Asked of the CLI itself; no credential is read. */
  readonly login: LoginState
  /** The variable that shows that we run inside this very CLI; null: we do not. */
  readonly selfMark: string | null
}

export type LoginState = 'logged_in' | 'logged_out' | 'unknown'

export interface DiscoveryOptions {
  readonly environment: Environment
  readonly signal?: AbortSignal
}

const ASK_TIMEOUT_MS = 20_000
const MAX_ANSWER_BYTES = 256 * 1024

/** Finds the agent CLIs on `PATH` with their versions and logins. Starts each twice, in no repository; spends nothing. */
export async function discoverProviders(options: DiscoveryOptions): Promise<DiscoveredProvider[]> {
  const found: DiscoveredProvider[] = []
  // One after the other: these programs are big, and a machine with few cores is slower at all of them at once.
  for (const cli of agentClis) {
    const path = findExecutable(cli.program, options.environment)
    if (path !== undefined) found.push(await describeCli(cli, path, options))
  }
  return found
}

async function describeCli(
  cli: AgentCli,
  path: string,
  options: DiscoveryOptions,
): Promise<DiscoveredProvider> {
  const version = await ask(cli, cli.versionArgs, options)
  const login = await ask(cli, cli.loginArgs, options)
  return {
    id: cli.name,
    title: cli.title,
    path,
    version: /\d+\.\d+[\w.+-]*/.exec(version?.text ?? '')?.[0] ?? null,
    login: login === null ? 'unknown' : cli.readLogin(login),
    selfMark: findSelfMark(cli, options),
  }
}

/** What a CLI answers to one of its own commands; null when it does not. */
async function ask(
  cli: AgentCli,
  args: readonly string[],
  { environment, signal }: DiscoveryOptions,
): Promise<{ readonly exitCode: number | null; readonly text: string } | null> {
  const source = { provider: cli.name }
  const { command, env } = planAgentCommand(cli, source, { environment }, 'review')
  const outcome = await captureProcess({
    command,
    args,
    env,
    cwd: tmpdir(),
    totalTimeoutMs: ASK_TIMEOUT_MS,
    maxStdoutBytes: MAX_ANSWER_BYTES,
    signal,
  })
  if (outcome.kind !== 'exited') return null
  return {
    exitCode: outcome.exitCode,
    text: `${outcome.stdout.toString('utf8')}\n${outcome.stderr}`,
  }
}
