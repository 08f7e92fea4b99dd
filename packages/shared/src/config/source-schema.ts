import { z } from 'zod'

import { checkEnvironmentName, checkEndpoint } from './secret.ts'

/** Every kind of backend that a source may name. */
export const providerNames = [
  'openai-compatible',
  'anthropic',
  'claude-code',
  'codex',
  'opencode',
  'subprocess-template',
  'local-subprocess',
  'vscode-task',
  'antigravity',
] as const

export type ProviderName = (typeof providerNames)[number]

const positiveInteger = z.number().int().positive()
const tokens = positiveInteger
const usdPerMillion = z.number().nonnegative()

export const EndpointSchema = z
  .url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' })
  .superRefine(checkEndpoint)

/** Goes into the argument lists of workers, where a dash would make it a flag. */
export const ModelSchema = z
  .string()
  .regex(/^[^\s-]/, 'must be the name of a model and not begin with a dash')
  .describe('Model to ask for, as the provider names it')

export const ApiKeyEnvSchema = z
  .string()
  .superRefine(checkEnvironmentName)
  .describe('Name of the environment variable that holds the key; never the key')

const WindowSchema = z.strictObject({
  unit: z
    .enum(['request', 'input_token', 'output_token', 'token', 'percent', 'usd'])
    .describe('What the window counts; token means input and output together'),
  limit: z.number().positive().describe('How much fits into one window'),
  per_seconds: positiveInteger.describe('Length of the window: 18000 is five hours'),
  resets_at: z.iso
    .datetime({ offset: true, error: 'must be an instant such as 2026-08-15T08:00:00Z' })
    .optional()
    .describe('One known instant of its reset'),
})

const SourceQuotaSchema = z.strictObject({
  context_tokens: tokens.optional().describe('Most tokens of one request, prompt and answer'),
  output_tokens: tokens.optional().describe('Most tokens of one answer'),
  concurrency: positiveInteger.optional().describe('Most requests at the same time'),
  requests_per_minute: positiveInteger.optional().describe('Requests per minute'),
  tokens_per_minute: tokens.optional().describe('Input and output tokens per minute, together'),
  input_tokens_per_minute: tokens.optional().describe('Input tokens per minute'),
  output_tokens_per_minute: tokens.optional().describe('Output tokens per minute'),
  windows: z.array(WindowSchema).default([]).describe('Plan windows, such as five hours or a week'),
})

const CostSchema = z.strictObject({
  input: usdPerMillion.describe('USD per million input tokens'),
  output: usdPerMillion.describe('USD per million output tokens'),
  cached: usdPerMillion.optional().describe('USD per million input tokens read from a cache'),
})

/** One configured backend. */
export const SourceSchema = z.strictObject({
  id: z.string().min(1).optional().describe('Own name of the source, unique'),
  provider: z.enum(providerNames).describe('Kind of backend'),
  endpoint: EndpointSchema.optional().describe('Base URL of an API'),
  model: ModelSchema.optional(),
  command: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Program and arguments that start a worker'),
  in_process: z.boolean().optional().describe('Whether the tool itself starts this worker'),
  api_key_env: ApiKeyEnvSchema.optional(),
  account: z.string().min(1).optional().describe('Who pays; sources of one account share limits'),
  rank: z.enum(['small', 'standard', 'deep']).optional().describe('How able the model is'),
  parameters: z
    .record(z.string(), z.json())
    .optional()
    .describe('Further parameters for this provider'),
  cost: CostSchema.optional().describe('Price, for budgets and forecasts'),
  quota: SourceQuotaSchema.optional().describe('Declared limits'),
})

export type SourceConfig = z.output<typeof SourceSchema>
