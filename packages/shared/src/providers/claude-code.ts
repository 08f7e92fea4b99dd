import type { AgentCli, AgentLaunch } from './agent-cli.ts'
import { type AgentReport, noteProgress, noteRetry } from './agent-report.ts'
import { isJsonObject, type JsonObject, readNumber } from './json-lines.ts'
import type { TokenUsage } from './provider.ts'

/** Reads one file at a time, and nothing that writes, runs or fetches. */
const READING_TOOLS = 'Read,Grep,Glob'
const EDITING_TOOLS = `${READING_TOOLS},Edit,Write`

/** Model name of messages that the CLI itself puts in the place of an answer. */
const SYNTHETIC = '<synthetic>'

/** Claude Code: `claude -p` with JSON events, the prompt on its standard input. */
export const claudeCode: AgentCli = {
  name: 'claude-code',
  title: 'Claude Code',
  program: 'claude',
  versionArgs: ['--version'],
  loginArgs: ['auth', 'status', '--json'],
  overheadTokens: 12_000,
  idleTimeoutMs: 300_000,
  keyVariable: 'ANTHROPIC_API_KEY',
  environmentNames: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_CUSTOM_HEADERS',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CONFIG_DIR',
  ],
  selfMarks: ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT'],
  readLogin({ text }) {
    const said = /"loggedIn":\s*(true|false)/.exec(text)?.[1]
    if (said === undefined) return 'unknown'
    return said === 'true' ? 'logged_in' : 'logged_out'
  },
  planCommand,
  readEvent,
}

function planCommand({ model, mode, bypass }: AgentLaunch): ReturnType<AgentCli['planCommand']> {
  const permissions =
    mode === 'review'
      ? ['--tools', READING_TOOLS, '--permission-mode', 'dontAsk']
      : bypass
        ? ['--dangerously-skip-permissions']
        : ['--tools', EDITING_TOOLS, '--permission-mode', 'acceptEdits']
  return {
    args: [
      ['-p', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
      ['--no-session-persistence', '--disable-slash-commands'],
      // Settings, hooks and servers that the repository brings along stay out.
      ['--setting-sources', 'user', '--strict-mcp-config'],
      permissions,
      model === undefined ? [] : ['--model', model],
    ].flat(),
    env: {
      // Agent files of the repository are data too. Versions without this mode ignore the variable.
      CLAUDE_CODE_SAFE_MODE: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // The CLI would repeat a failed call ten times, and the coordinator that again.
      CLAUDE_CODE_MAX_RETRIES: '1',
    },
  }
}

function readEvent(report: AgentReport, event: JsonObject, now: number): AgentReport {
  switch (event['type']) {
    case 'assistant':
      return readMessage(report, event)
    case 'stream_event':
      return noteProgress(report)
    case 'rate_limit_event':
      return readLimit(report, event)
    case 'result':
      return readResult(report, event)
    case 'system':
      return readSystemEvent(report, event, now)
    default:
      return report
  }
}

function readSystemEvent(report: AgentReport, event: JsonObject, now: number): AgentReport {
  switch (event['subtype']) {
    case 'init':
      // No key: it is logged in to a plan.
      return { ...report, isPlan: event['apiKeySource'] === 'none' }
    case 'api_retry':
      return readRetry(report, event, now)
    default:
      return report
  }
}

function readMessage(report: AgentReport, { message }: JsonObject): AgentReport {
  if (!isJsonObject(message)) return report
  const { model, content, stop_reason: stopReason } = message
  if (model === SYNTHETIC) {
    return stopReason === 'refusal' ? { ...report, refusal: readText(content) } : report
  }
  const text = readText(content)
  return {
    ...noteProgress(report),
    text: text === '' ? report.text : text,
    answeredModel: typeof model === 'string' ? model : report.answeredModel,
  }
}

function readText(content: unknown): string {
  if (!Array.isArray(content)) return ''
  return content
    .map((block: unknown) => (isJsonObject(block) && block['type'] === 'text' ? block['text'] : ''))
    .join('')
}

/** Windows that still allow work are no failure; one that does not explains the failure that follows. */
function readLimit(report: AgentReport, event: JsonObject): AgentReport {
  const { rate_limit_info: info } = event
  if (!isJsonObject(info)) return report
  const headers = { ...report.headers, ...readWindows(info) }
  return info['status'] === 'rejected'
    ? { ...report, headers, failure: { body: [event] } }
    : { ...report, headers }
}

/** The plan's windows as the headers of the same service state them, so that one reader knows both. */
function readWindows(info: JsonObject): Record<string, string> {
  const { rateLimitType: name, unifiedWindows: others } = info
  const windows: [string, unknown][] = [
    ...Object.entries(isJsonObject(others) ? others : {}),
    ...(typeof name === 'string' && name !== 'overage' ? [[name, info] as [string, unknown]] : []),
  ]
  return Object.fromEntries(windows.flatMap(([window, facts]) => renderWindow(window, facts)))
}

function renderWindow(name: string, facts: unknown): [string, string][] {
  if (!isJsonObject(facts)) return []
  const claim = name.replace(/^five_hour/, '5h').replace(/^seven_day/, '7d')
  return [
    ['utilization', facts['utilization']],
    ['reset', facts['resetsAt']],
    ['status', facts['status']],
  ].flatMap(([field, value]): [string, string][] =>
    typeof value === 'number' || typeof value === 'string'
      ? [[`anthropic-ratelimit-unified-${claim}-${String(field)}`, String(value)]]
      : [],
  )
}

function readRetry(report: AgentReport, event: JsonObject, now: number): AgentReport {
  const { error_status: status, retry_delay_ms: delayMs } = event
  const failure = {
    body: [{ type: 'error', error: { type: event['error'], message: event['error'] } }],
    ...(typeof status === 'number' ? { status } : {}),
  }
  return noteRetry(report, failure, typeof delayMs === 'number' ? now + delayMs : null)
}

/** The end. `subtype` says `success` also of failures: only `is_error` counts. */
function readResult(report: AgentReport, event: JsonObject): AgentReport {
  const ended = { ...noteProgress(report), usage: readUsage(event, report) }
  const { result, stop_reason: stopReason, api_error: apiError } = event
  if (stopReason === 'refusal') {
    return {
      ...ended,
      refusal: report.refusal ?? (typeof result === 'string' ? result : 'the model declined'),
    }
  }
  if (event['is_error'] !== true) {
    return {
      ...ended,
      isDone: true,
      failure: null,
      text: typeof result === 'string' ? result : null,
    }
  }
  if (apiError === 'max_output_tokens') return { ...ended, fault: 'output_budget' }
  const limits = Array.isArray(report.failure?.body) ? (report.failure.body as unknown[]) : []
  const { api_error_status: status } = event
  return {
    ...ended,
    failure: {
      body: [...limits.filter(isLimitEvent), event],
      ...(typeof status === 'number' ? { status } : {}),
    },
  }
}

function isLimitEvent(event: unknown): boolean {
  return isJsonObject(event) && event['type'] === 'rate_limit_event'
}

function readUsage(
  { usage, total_cost_usd: costUsd }: JsonObject,
  { isPlan }: AgentReport,
): TokenUsage | null {
  if (!isJsonObject(usage)) return null
  const cached = readNumber(usage['cache_read_input_tokens']) ?? 0
  const written = readNumber(usage['cache_creation_input_tokens']) ?? 0
  return {
    inputTokens: (readNumber(usage['input_tokens']) ?? 0) + written + cached,
    outputTokens: readNumber(usage['output_tokens']),
    cachedInputTokens: cached,
    costUsd: isPlan ? null : readNumber(costUsd),
  }
}
