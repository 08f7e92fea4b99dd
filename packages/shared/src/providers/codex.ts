import type { AgentCli, AgentLaunch } from './agent-cli.ts'
import { addUsage, type AgentReport, noteProgress, noteRetry } from './agent-report.ts'
import { isJsonObject, type JsonObject, readNumber } from './json-lines.ts'
import type { TokenUsage } from './provider.ts'

/** Codex: `codex exec --json`, the prompt on its standard input. */
export const codex: AgentCli = {
  name: 'codex',
  title: 'Codex',
  program: 'codex',
  versionArgs: ['--version'],
  loginArgs: ['login', 'status'],
  overheadTokens: 10_000,
  // It prints nothing while a model thinks, and ends a silent stream itself after five minutes.
  idleTimeoutMs: 900_000,
  keyVariable: 'CODEX_API_KEY',
  environmentNames: ['CODEX_API_KEY', 'CODEX_HOME', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  selfMarks: ['CODEX_THREAD_ID', 'CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED'],
  readLogin({ exitCode, text }) {
    if (/\bnot logged in\b/i.test(text)) return 'logged_out'
    return exitCode === 0 && /\blogged in\b/i.test(text) ? 'logged_in' : 'unknown'
  },
  planCommand,
  readEvent,
}

function planCommand({ model, mode, bypass }: AgentLaunch): ReturnType<AgentCli['planCommand']> {
  const sandbox =
    mode === 'review'
      ? ['--sandbox', 'read-only']
      : bypass
        ? ['--dangerously-bypass-approvals-and-sandbox']
        : ['--sandbox', 'workspace-write']
  return {
    args: [
      ['exec', '--json', '--color', 'never', '--ephemeral', '--skip-git-repo-check'],
      // Rules of the repository could let commands out of the sandbox; its agent files are data.
      ['--ignore-rules', '-c', 'project_doc_max_bytes=0'],
      sandbox,
      model === undefined ? [] : ['--model', model],
      ['-'],
    ].flat(),
    env: {},
  }
}

function readEvent(report: AgentReport, event: JsonObject): AgentReport {
  switch (event['type']) {
    case 'item.started':
    case 'item.updated':
      return noteProgress(report)
    case 'item.completed':
      return readItem(report, event['item'])
    case 'turn.completed':
      return readTurn(report, event)
    case 'turn.failed':
      return readFailure(report, event)
    case 'error':
      return readError(report, event)
    default:
      return report
  }
}

function readItem(report: AgentReport, item: unknown): AgentReport {
  // An item of type `error` is a warning of the CLI about itself, and what items say is never read for limits.
  if (!isJsonObject(item) || item['type'] === 'error') return report
  const { type, text } = item
  const ahead = noteProgress(report)
  return type === 'agent_message' && typeof text === 'string' ? { ...ahead, text } : ahead
}

function readTurn(report: AgentReport, { usage }: JsonObject): AgentReport {
  const used = isJsonObject(usage) ? addUsage(report.usage, readUsage(usage)) : report.usage
  return { ...noteProgress(report), usage: used, isDone: true, failure: null }
}

function readUsage(usage: JsonObject): TokenUsage {
  return {
    inputTokens: readNumber(usage['input_tokens']),
    outputTokens: readNumber(usage['output_tokens']),
    cachedInputTokens: readNumber(usage['cached_input_tokens']),
    costUsd: null,
  }
}

/** `Reconnecting... 2/5 (why)` is a repetition; any other error is the last word before `turn.failed`. */
function readError(report: AgentReport, event: JsonObject): AgentReport {
  const message = readMessage(event)
  return /^Reconnecting\.\.\. \d/.test(message)
    ? noteRetry(report, readCause(message.replace(/^Reconnecting\.\.\. \d+\/\d+\s*/, '')))
    : readFailure(report, { error: { message } })
}

function readFailure(report: AgentReport, { error }: JsonObject): AgentReport {
  const message = isJsonObject(error) ? readMessage(error) : String(error)
  const ended = { ...noteProgress(report), isDone: false }
  return message.startsWith('Incomplete response returned, reason: max_output_tokens')
    ? { ...ended, fault: 'output_budget' }
    : { ...ended, failure: readCause(message) }
}

/** The CLI passes on the service's words, its error body as text, or the status that it gave up at. */
function readCause(message: string): { body: unknown; status?: number } {
  const status = /\b(?:last status: |unexpected status )(\d{3})\b/.exec(message)?.[1]
  return {
    body: { type: 'error', message },
    ...(status === undefined ? {} : { status: Number(status) }),
  }
}

function readMessage({ message }: JsonObject): string {
  return typeof message === 'string' ? message : ''
}
