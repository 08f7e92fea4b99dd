import { z } from 'zod'

const LognormalSchema = z.strictObject({
  lognormal: z.strictObject({
    median: z.number().positive(),
    p95: z.number().positive(),
    min: z.number().nonnegative(),
    max: z.number().positive(),
  }),
})

const RankSchema = z.enum(['small', 'standard', 'deep'])

const DimensionSchema = z
  .enum(['requests', 'tokens', 'input_tokens', 'output_tokens', 'plan', 'week', 'concurrency'])
  .describe('What the limit counts; tokens, plan and week count input and output')

const ResourceSchema = z.discriminatedUnion('enforcement', [
  z.strictObject({
    dimension: DimensionSchema,
    enforcement: z.literal('bucket'),
    rate_per_minute: z.number().positive(),
    burst: z.number().positive(),
  }),
  z.strictObject({
    dimension: DimensionSchema,
    enforcement: z.literal('fixed_window'),
    quota: z.number().positive(),
    window_s: z.number().positive(),
    phase_s: z.number().nonnegative().describe('First reset'),
  }),
  z.strictObject({
    dimension: DimensionSchema,
    enforcement: z.literal('plan_window'),
    budget_tokens: z.number().positive(),
    used_fraction: z.number().min(0).max(1),
    resets_at_s: z.number().nonnegative().describe('First reset'),
    period_s: z.number().positive(),
  }),
  z.strictObject({
    dimension: DimensionSchema,
    enforcement: z.literal('slots'),
    limit: z.number().int().positive().describe('Calls in flight over all pools of the account'),
  }),
])

const AccountSchema = z.strictObject({
  id: z.string(),
  resources: z.array(ResourceSchema),
  charging: z.enum(['stream', 'precharge_max', 'input_only']),
  rejects_cost_request: z.boolean(),
  foreign_load: z.number().min(0).max(0.9).describe('Share of each resource that others use'),
})

const FaultSchema = z.strictObject({
  probability: z.number().min(0).max(1).describe('Per admitted call'),
  takes_s: z.number().nonnegative().nullable().describe('Null: as long as the answer would'),
  charges: z.enum(['none', 'input', 'all']),
  from_s: z.number().nonnegative().optional(),
  until_s: z.number().nonnegative().optional(),
})

const FaultNameSchema = z.enum(['overload', 'crash', 'bad_output', 'timeout', 'transient'])

const PoolSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  kind: z.enum(['api', 'cli', 'host']),
  rank: RankSchema,
  context_tokens: z.number().positive(),
  output_tokens: z.number().positive().describe('Largest max_tokens'),
  concurrency: z.number().int().positive().nullable().describe('Its own cap; null: none'),
  known: z
    .strictObject({
      requests_per_minute: z.number().positive().optional(),
      tokens_per_minute: z.number().positive().optional(),
      input_tokens_per_minute: z.number().positive().optional(),
      output_tokens_per_minute: z.number().positive().optional(),
    })
    .nullable(),
  headers: z.enum(['anthropic', 'openai', 'none']),
  retry_after: z.boolean().describe('Whether a rejection states the wait'),
  latency: z.strictObject({
    first_token_s: LognormalSchema,
    output_tokens_per_s: z.number().positive(),
  }),
  faults: z.partialRecord(FaultNameSchema, FaultSchema),
  dies_at_s: z.number().nonnegative().nullable(),
  dies_of: z.enum(['credit', 'auth', 'model_gone']).nullable(),
  cost: z.strictObject({
    input: z.number().nonnegative(),
    output: z.number().nonnegative(),
    cached_input: z.number().nonnegative().optional(),
  }),
})

/** A dispatch scenario as its file states it: seconds, tokens, US dollars per million tokens. */
export const ScenarioSchema = z.strictObject({
  name: z.string(),
  about: z.string().optional(),
  items: z.strictObject({
    count: z.number().int().positive(),
    input_tokens: LognormalSchema,
    output_tokens: LognormalSchema,
    estimate_error: LognormalSchema.describe('Our estimate is the true input times this'),
    rank: z.partialRecord(RankSchema, z.number().min(0).max(1)).describe('Shares of items'),
  }),
  accounts: z.array(AccountSchema).min(1),
  pools: z.array(PoolSchema).min(1),
  drivers: z.number().int().positive().default(1),
  max_time_s: z.number().positive().describe('What is left then counts as stranded'),
})

export type Scenario = z.infer<typeof ScenarioSchema>
export type ScenarioPool = Scenario['pools'][number]
export type ScenarioAccount = Scenario['accounts'][number]
export type ScenarioFault = z.infer<typeof FaultSchema>
export type FaultName = z.infer<typeof FaultNameSchema>
export type Dimension = z.infer<typeof DimensionSchema>
export type Distribution = z.infer<typeof LognormalSchema>
