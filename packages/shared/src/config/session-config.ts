import { z } from 'zod'

import { checkEndpoint, checkPairs } from './secret.ts'
import {
  ApiKeyEnvSchema,
  EndpointSchema,
  ModelSchema,
  providerNames,
  SourceSchema,
} from './source-schema.ts'

const count = z.number().int().positive()
const fraction = z.number().min(0).max(1)
const pairs = z.record(z.string(), z.string()).superRefine(checkPairs)
const names = z.array(z.string().min(1))
const command = z.string().min(1).optional().describe('Program to start, when it is not on PATH')

const OpenaiCompatibleSchema = z.strictObject({
  base_url: EndpointSchema.optional().describe('Base URL of the API, up to /chat/completions'),
  model: ModelSchema.optional(),
  api_key_env: ApiKeyEnvSchema.optional(),
  headers: pairs.default({}).describe('Further request headers; credentials are refused here'),
  temperature: z.number().min(0).max(2).optional().describe('Sampling temperature'),
  max_output_tokens: count.optional().describe('Most tokens of one answer'),
  response_format_json: z.boolean().default(true).describe('Ask for structured output'),
})

const AgentCliSchema = z.strictObject({
  command,
  model: ModelSchema.optional(),
  extra_args: z.array(z.string()).default([]).describe('Arguments added to every call'),
  bypass_permissions: z
    .boolean()
    .default(false)
    .describe('Let the agent act without asking; it then may do all that you may'),
})

const TemplateSchema = z.strictObject({
  command_template: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Program and arguments; {prompt_path}, {result_path} and the like are filled in'),
  env: pairs.default({}).describe('Variables set for the program; credentials are refused here'),
})

const ModelLimitsSchema = z.strictObject({
  context_tokens: count.optional().describe('Most tokens of one request, prompt and answer'),
  output_tokens: count.optional().describe('Most tokens of one answer'),
  requests_per_minute: count.optional().describe('Requests per minute'),
  input_tokens_per_minute: count.optional().describe('Input tokens per minute'),
  output_tokens_per_minute: count.optional().describe('Output tokens per minute'),
})

const QuotaSchema = z.strictObject({
  enabled: z.boolean().default(true).describe('Keep inside limits; without it only caps count'),
  probe: z.enum(['auto', 'never', 'force']).default('auto').describe('Ask providers for limits'),
  safety_margin: fraction.default(0.03).describe('Share of every limit that is left unused'),
  empirical_half_life_hours: z
    .number()
    .positive()
    .default(24)
    .describe('Hours after which a learned figure counts half'),
  ramp_up_enabled: z.boolean().default(true).describe('Start small where limits are unknown'),
  first_contact_concurrency: count.optional().describe('Requests at first on a new pool'),
  unknown_hosted_concurrency: count.optional().describe('Cap for hosted pools without limits'),
  unknown_local_concurrency: count.optional().describe('Cap for local pools without limits'),
  default_context_tokens: count.default(32_000).describe('Context where nothing states it'),
  reserved_output_tokens: count.default(4096).describe('Room kept for an answer'),
  host_active_subagent_limit: count.optional().describe('Most subagents of the host at once'),
  models: z
    .record(z.string(), ModelLimitsSchema)
    .default({})
    .describe('Limits by provider/model or model name'),
})

const DispatchSchema = z.strictObject({
  confirm_threshold: z.number().int().nonnegative().default(10).describe('Packets without asking'),
  max_packets: count.optional().describe('Most packets of one run'),
  max_packet_tokens: count.default(60_000).describe('Most prompt tokens of one packet'),
  routing_tiers: z
    .strictObject({
      deep_at: fraction.default(0.66).describe('Risk from which a packet wants a deep model'),
      standard_at: fraction.default(0.33).describe('Risk from which it wants a standard one'),
    })
    .refine(({ deep_at, standard_at }) => standard_at <= deep_at, {
      error: 'standard_at is above deep_at; make it smaller',
    })
    .prefault({})
    .describe('From which risk a packet goes to a more able model'),
})

const LensSchema = z.union([
  z.string().min(1),
  z.strictObject({
    id: z
      .string()
      .regex(/^[a-z][a-z0-9_]*$/, 'must be small letters, digits and underscores')
      .describe('Name of the lens'),
    instructions: z.string().min(1).describe('What reviewers look for'),
  }),
])

const CoordinationSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('file').describe('One machine') }),
  z.strictObject({
    kind: z.literal('redis').describe('Several machines'),
    url: z
      .url({ protocol: /^rediss?$/, error: 'must be a URL that begins with redis:// or rediss://' })
      .superRefine(checkEndpoint)
      .describe('Server'),
    password_env: ApiKeyEnvSchema.optional(),
  }),
])

/** The session configuration: every key with its meaning and default. Unknown keys are errors. */
export const SessionConfigSchema = z.strictObject({
  provider: z
    .enum(['auto', ...providerNames])
    .default('auto')
    .describe('Backend; auto finds one'),
  timeout_ms: count.optional().describe('Most milliseconds of one worker'),
  ui_mode: z.enum(['visible', 'headless']).default('headless').describe('How workers are shown'),
  host_can_dispatch_subagents: z.boolean().optional().describe('Whether the host has subagents'),
  parallel_workers: count.default(1).describe('Workers at once where nothing else limits them'),
  agent_task_batch_size: count.optional().describe('Tasks that one worker gets at once'),
  sources: z
    .array(SourceSchema)
    .superRefine(checkSourceIds)
    .default([])
    .describe('Backends to spread work over'),
  exclude: names
    .default([])
    .describe('Path patterns to leave out; the name of a provider or source leaves that out'),
  prefer: names.default([]).describe('Providers or sources to use first, best first'),
  openai_compatible: OpenaiCompatibleSchema.prefault({}).describe('Any chat-completions API'),
  claude_code: AgentCliSchema.prefault({}).describe('Claude Code'),
  codex: AgentCliSchema.prefault({}).describe('Codex'),
  opencode: AgentCliSchema.prefault({}).describe('OpenCode'),
  subprocess_template: TemplateSchema.prefault({}).describe('Any program as a worker'),
  vscode_task: TemplateSchema.prefault({}).describe('A worker started by VS Code'),
  antigravity: TemplateSchema.prefault({}).describe('A worker started by Antigravity'),
  quota: QuotaSchema.prefault({}).describe('Limits and how they are kept'),
  analyzers: z
    .record(z.string(), z.enum(['repo', 'auto', 'skip', 'ephemeral', 'permanent']))
    .default({})
    .describe('Where each analyzer comes from, by its id'),
  dispatch: DispatchSchema.prefault({}).describe('How work is cut and spread'),
  depth: z.enum(['quick', 'standard', 'deep']).default('standard').describe('How thorough'),
  deepening_rounds: z.number().int().min(0).max(3).default(1).describe('Extra review rounds'),
  synthesis: z
    .strictObject({ narrative: z.boolean().default(false).describe('Have a summary written') })
    .prefault({})
    .describe('What is written beside the findings'),
  design_review: z
    .strictObject({ enabled: z.boolean().optional().describe('On at depth deep by default') })
    .prefault({})
    .describe('Review of the design as a whole'),
  lenses: z.array(LensSchema).default([]).describe('Lenses to use; empty leaves it to the depth'),
  coordination: CoordinationSchema.prefault({ kind: 'file' }).describe('How machines agree'),
  budget: z
    .strictObject({
      usd: z.number().nonnegative().optional().describe('Most money of one run'),
      tokens: z.number().int().nonnegative().optional().describe('Most tokens of one run'),
    })
    .prefault({})
    .describe('What one run may spend'),
  report: z
    .strictObject({
      promote: z.boolean().default(false).describe('Copy the report to the root'),
      formats: z
        .array(z.enum(['md', 'json', 'sarif', 'html', 'rdjson', 'gitlab', 'junit', 'csv']))
        .default(['md', 'json', 'sarif'])
        .describe('Formats to write'),
    })
    .prefault({})
    .describe('Reports'),
  observability: z.strictObject({}).prefault({}).describe('Nothing can be set yet'),
})

export type SessionConfig = z.output<typeof SessionConfigSchema>
/** What a file or a command line may give: every key is optional. */
export type SessionConfigInput = z.input<typeof SessionConfigSchema>

function checkSourceIds(
  sources: readonly z.output<typeof SourceSchema>[],
  context: z.RefinementCtx<z.output<typeof SourceSchema>[]>,
): void {
  const seen = new Map<string, number>()
  for (const [index, { id }] of sources.entries()) {
    if (id === undefined) continue
    const first = seen.get(id)
    if (first === undefined) seen.set(id, index)
    else {
      context.addIssue({
        code: 'custom',
        path: [index, 'id'],
        message: `"${id}" is the id of sources[${first}] too; give each source its own`,
      })
    }
  }
}
