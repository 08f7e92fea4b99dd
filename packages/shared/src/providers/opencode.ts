import type { AgentCli, AgentLaunch } from './agent-cli.ts'
import { addUsage, type AgentReport, noteProgress, noteRetry } from './agent-report.ts'
import { isJsonObject, type JsonObject, readNumber } from './json-lines.ts'
import type { AnswerFault, TokenUsage } from './provider.ts'

const READING = { '*': 'deny', read: 'allow', grep: 'allow', glob: 'allow', list: 'allow' }
const EDITING = { ...READING, edit: 'allow' }

/** OpenCode: `opencode run --format json`, the prompt on its standard input. */
export const opencode: AgentCli = {
  name: 'opencode',
  title: 'OpenCode',
  program: 'opencode',
  versionArgs: ['--version'],
  loginArgs: ['auth', 'list'],
  overheadTokens: 10_000,
  // It prints a message when it is whole, and nothing while it waits for a limit.
  idleTimeoutMs: 600_000,
  keyVariable: null,
  environmentNames: [
    'OPENCODE_API_KEY',
    'OPENCODE_CONFIG',
    'OPENCODE_CONFIG_CONTENT',
    'OPENCODE_CONFIG_DIR',
    'OPENCODE_DISABLE_MODELS_FETCH',
    'OPENCODE_MODELS_PATH',
  ],
  selfMarks: ['OPENCODE', 'OPENCODE_PID'],
  // Version 1.18 imports plugins of a git repository once it calls a model, in spite of all the switches below.
  codePaths: ['.opencode', 'opencode.json', 'opencode.jsonc'],
  readLogin({ text }) {
    // Without stored credentials it may still have keys in its configuration.
    const [, count = '0'] = /\b(\d+) credentials?\b/.exec(text) ?? []
    return Number(count) > 0 ? 'logged_in' : 'unknown'
  },
  planCommand,
  readEvent,
  readLogLine,
}

function planCommand({ model, mode, bypass }: AgentLaunch): ReturnType<AgentCli['planCommand']> {
  const mayAll = mode === 'edit' && bypass
  const permission = mode === 'review' ? READING : EDITING
  return {
    args: [
      ['run', '--format', 'json'],
      // A title of ours: the CLI would ask a model for one.
      ['--title', 'audit-tools'],
      // Failed calls that it repeats are told nowhere but in its log.
      ['--print-logs', '--log-level', 'ERROR'],
      mayAll ? ['--auto'] : [],
      model === undefined ? [] : ['--model', model],
    ].flat(),
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      // Settings, plugins and agent files that the repository brings along stay out.
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
      ...(mayAll ? {} : { OPENCODE_PERMISSION: JSON.stringify(permission) }),
    },
  }
}

function readEvent(report: AgentReport, event: JsonObject, now: number): AgentReport {
  switch (event['type']) {
    case 'tool_use':
      return noteProgress(report)
    case 'text':
      return readText(report, event['part'])
    case 'step_finish':
      return readStep(report, event['part'])
    case 'error':
      return { ...noteProgress(report), isDone: false, failure: readFailure(event['error']) }
    case 'session.status':
      return readStatus(report, event, now)
    default:
      return report
  }
}

/** Parts of one message are one text; a new message begins a new one. */
function readText(report: AgentReport, part: unknown): AgentReport {
  if (!isJsonObject(part) || typeof part['text'] !== 'string') return report
  const { text, messageID: id } = part
  const messageId = typeof id === 'string' ? id : null
  const isMore = messageId !== null && messageId === report.messageId
  return {
    ...noteProgress(report),
    messageId,
    text: isMore ? `${report.text ?? ''}${text}` : text,
  }
}

function readStep(report: AgentReport, part: unknown): AgentReport {
  if (!isJsonObject(part)) return report
  const { reason } = part
  const next = { ...noteProgress(report), usage: addUsage(report.usage, readUsage(part)) }
  if (reason === 'content-filter') {
    return { ...next, refusal: 'the content filter stopped the answer' }
  }
  return { ...next, isDone: reason === 'stop', fault: readFault(reason), failure: null }
}

function readFault(reason: unknown): AnswerFault | null {
  return reason === 'length' ? 'output_budget' : null
}

function readUsage({ tokens, cost }: JsonObject): TokenUsage {
  const counts = isJsonObject(tokens) ? tokens : {}
  const cache = isJsonObject(counts['cache']) ? counts['cache'] : {}
  return {
    inputTokens:
      (readNumber(counts['input']) ?? 0) +
      (readNumber(cache['read']) ?? 0) +
      (readNumber(cache['write']) ?? 0),
    outputTokens: (readNumber(counts['output']) ?? 0) + (readNumber(counts['reasoning']) ?? 0),
    cachedInputTokens: readNumber(cache['read']),
    // It computes a price from its own list; nothing stands for a model that is not in it.
    costUsd: typeof cost === 'number' && cost > 0 ? cost : null,
  }
}

/** Carries the service's own status, headers and body. */
function readFailure(error: unknown): { body: unknown; status?: number } {
  const data = isJsonObject(error) && isJsonObject(error['data']) ? error['data'] : {}
  const { statusCode, responseHeaders, responseBody, message } = data
  return {
    body: responseBody ?? { type: 'error', message: message ?? JSON.stringify(error) },
    ...(typeof statusCode === 'number' ? { status: statusCode } : {}),
    ...(isJsonObject(responseHeaders)
      ? { headers: responseHeaders as Readonly<Record<string, string>> }
      : {}),
  }
}

/** Waits for a limit, however long: `next` is when it tries again. */
function readStatus(report: AgentReport, event: JsonObject, now: number): AgentReport {
  const properties = isJsonObject(event['properties']) ? event['properties'] : event
  const status = isJsonObject(properties['status']) ? properties['status'] : properties
  const { type, next } = status
  if (type !== 'retry') return report
  return noteRetry(report, { body: [event] }, typeof next === 'number' ? Math.max(next, now) : null)
}

function readLogLine(report: AgentReport, line: string): AgentReport {
  if (!line.includes('message="stream error"')) return report
  const error = /\berror\.error="(?:\w+: )?((?:[^"\\]|\\.)*)"/.exec(line)?.[1]
  return error === undefined
    ? report
    : noteRetry(report, { body: { type: 'error', message: error } })
}
