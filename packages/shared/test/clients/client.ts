import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { ProviderName } from '@audit-tools/shared/config'
import {
  type ProviderReply,
  replyAnthropicError,
  replyCodexPlanLimit,
  replyCreditExhausted,
  replyModelGone,
  replyOverloaded,
  replyPlanLimit,
  replyRateLimited,
  replyUnauthorized,
  type ScriptedToolCall,
} from '@audit-tools/shared/testing'

import { FINDINGS, type Replies, type Scenario, WRONG_SCHEMA } from './scenario.ts'

/** One real client: how it is pointed at the loopback server and how its service words each scenario. */
export interface Client {
  readonly provider: ProviderName
  readonly program: string
  readonly model: string
  readonly replies: Replies
  /** Writes its configuration into a throw-away home; the environment that goes with it. */
  prepareHome(home: string, url: string, scenario: Scenario): Readonly<Record<string, string>>
  /** Tries to write where a review must not. */
  readonly writeCall: ScriptedToolCall
  /** Whether it runs in a repository that brings code for it, or in an empty directory then. */
  readonly runsIn: 'repository' | 'empty'
  /** Whether its events name the model that answered. */
  readonly namesModel: boolean
}

const PLAN_SECONDS = 7200
const ANSWER: ProviderReply = {
  kind: 'answer',
  text: FINDINGS,
  inputTokens: 1200,
  cachedInputTokens: 200,
  outputTokens: 30,
}
const DECLINED = "I'm sorry, but I can't assist with that request."

const openaiReplies: Replies = {
  answer: ANSWER,
  throttle: replyRateLimited(1),
  overload: replyOverloaded(),
  plan_limit: replyCodexPlanLimit(PLAN_SECONDS, Date.now()),
  unauthorized: replyUnauthorized(),
  model_gone: replyModelGone('m-1'),
  credit: replyCreditExhausted(),
  refusal: { kind: 'answer', text: DECLINED },
  output_budget: { kind: 'answer', text: '{"find', finishReason: 'length' },
  cut: { kind: 'cut', text: '{"findings": [' },
  wrong_schema: { kind: 'answer', text: WRONG_SCHEMA },
  hang: { kind: 'hang' },
}

const claudeCode: Client = {
  provider: 'claude-code',
  program: 'claude',
  runsIn: 'repository',
  model: 'm-1',
  namesModel: true,
  writeCall: { name: 'Write', input: { file_path: 'owned.txt', content: 'x' } },
  replies: {
    ...openaiReplies,
    throttle: replyAnthropicError(
      429,
      'rate_limit_error',
      'This request would exceed the rate limit for your organization',
      { 'retry-after': '1' },
    ),
    plan_limit: replyPlanLimit(Date.now() + PLAN_SECONDS * 1000, Date.now()),
    unauthorized: replyAnthropicError(401, 'authentication_error', 'invalid x-api-key'),
    model_gone: replyAnthropicError(404, 'not_found_error', 'model: m-1'),
    credit: replyAnthropicError(
      400,
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API.',
    ),
    refusal: { kind: 'answer', text: '', refusal: 'I cannot help with that.' },
    output_budget: { kind: 'answer', text: '{"find', finishReason: 'max_tokens' },
  },
  prepareHome: (_home, url, scenario) => ({
    ANTHROPIC_BASE_URL: url.replace(/\/v1$/, ''),
    // Plans exist only for logins; a token in the environment is one.
    ...(scenario === 'plan_limit'
      ? { CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-dummy' }
      : { ANTHROPIC_API_KEY: 'sk-ant-dummy' }),
  }),
}

const codex: Client = {
  provider: 'codex',
  program: 'codex',
  runsIn: 'repository',
  model: 'm-1',
  namesModel: false,
  writeCall: { name: 'exec_command', input: { cmd: 'touch owned.txt' } },
  replies: {
    ...openaiReplies,
    output_budget: { kind: 'answer', text: '{"find', finishReason: 'max_output_tokens' },
  },
  prepareHome(home, url) {
    mkdirSync(join(home, '.codex'))
    const config = [
      'model_provider = "loopback"',
      '[model_providers.loopback]',
      'name = "loopback"',
      `base_url = "${url}"`,
      'wire_api = "responses"',
      'env_key = "CODEX_API_KEY"',
      'request_max_retries = 1',
      'stream_max_retries = 1',
    ]
    writeFileSync(join(home, '.codex', 'config.toml'), config.join('\n'))
    return { CODEX_API_KEY: 'sk-dummy' }
  },
}

const opencode: Client = {
  provider: 'opencode',
  program: 'opencode',
  runsIn: 'empty',
  model: 'loopback/m-1',
  namesModel: false,
  writeCall: { name: 'write', input: { filePath: 'owned.txt', content: 'x' } },
  replies: openaiReplies,
  prepareHome(home, url) {
    const directory = join(home, '.config', 'opencode')
    mkdirSync(directory, { recursive: true })
    const loopback = {
      npm: '@ai-sdk/openai-compatible',
      name: 'loopback',
      options: { baseURL: url, apiKey: 'sk-dummy' },
      models: { 'm-1': { name: 'm-1' } },
    }
    writeFileSync(join(directory, 'opencode.json'), JSON.stringify({ provider: { loopback } }))
    return { OPENCODE_DISABLE_MODELS_FETCH: '1' }
  },
}

export const clients: readonly Client[] = [claudeCode, codex, opencode]
