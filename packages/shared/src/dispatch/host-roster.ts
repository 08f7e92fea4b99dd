import { z } from 'zod'
import { AuditToolsError, readErrorMessage } from '../core/index.ts'
import { compareTier } from './tier.ts'

const tokens = z.number().int().positive()

const HostModelSchema = z.strictObject({
  rank: z.enum(['small', 'standard', 'deep']).describe('How able the model is'),
  context_tokens: tokens.optional().describe('Most tokens of one request, prompt and answer'),
  output_tokens: tokens.optional().describe('Most tokens of one answer'),
  model_id: z.string().min(1).describe('The host’s own name of the model, taken as it is'),
})

/** One model that the host can give its subagents. */
export type HostModel = z.infer<typeof HostModelSchema>

/**
 * Parses what a host says about its models (`--host-models`): a JSON list, lowest rank first. Ids are opaque. Throws
 * `usage-invalid` on anything else, twice the same model, or ranks out of order.
 */
export function parseHostModelRoster(text: string): HostModel[] {
  const parsed = z.array(HostModelSchema).min(1).safeParse(parseJson(text))
  if (!parsed.success) throw refuse(z.prettifyError(parsed.error))
  const roster = parsed.data
  if (new Set(roster.map(({ model_id: id }) => id)).size < roster.length) {
    throw refuse('a model is listed twice')
  }
  const isSorted = roster.every(
    ({ rank }, index) => index === 0 || compareTier(roster[index - 1]?.rank, rank) <= 0,
  )
  if (!isSorted) throw refuse('the lowest rank comes first')
  return roster
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw refuse(readErrorMessage(error))
  }
}

function refuse(problem: string): AuditToolsError {
  return new AuditToolsError(
    'usage-invalid',
    `the host's models are not understood: ${problem}. ` +
      'Give a list such as [{"rank":"small","context_tokens":200000,"output_tokens":8192,"model_id":"name"}]',
  )
}
