import { FindingSchema } from '@audit-tools/shared/findings'
import { z } from 'zod'

import { ReviewPacketSchema } from '../../review/index.ts'

export const PLAN_CONTRACT_VERSION = 'audit-code-dispatch-plan/v1alpha1'

const PlanEntrySchema = ReviewPacketSchema.extend({
  prompt_path: z.string().describe('File with the prompt, written when the packet is given out'),
  result_path: z.string().describe('Where an answer may be put'),
  complexity: z
    .strictObject({
      estimated_tokens: z.int().nonnegative().describe('Tokens of the prompt'),
      files: z.int().nonnegative().describe('Files in the packet'),
      lines: z.int().nonnegative().describe('Lines to review'),
    })
    .describe('Size of the work'),
  model_hint: z
    .strictObject({ tier: z.enum(['small', 'standard', 'deep']).describe('The rank again') })
    .describe('Which model suits'),
})

/** `dispatch-plan.json`: everything that a review needs to know, so that no later command has to plan again. */
export const DispatchPlanSchema = z.strictObject({
  contract_version: z.literal(PLAN_CONTRACT_VERSION).describe('Shape of this file'),
  run_id: z.string().describe('Run that the plan belongs to'),
  root: z.string().describe('Absolute path of the audited directory'),
  packets: z.array(PlanEntrySchema).describe('Every packet, in order of priority'),
})

export type DispatchPlan = z.infer<typeof DispatchPlanSchema>

const UsageSchema = z
  .strictObject({
    input_tokens: z.number().nullable().describe('Input tokens, null when nobody says'),
    output_tokens: z.number().nullable().describe('Output tokens, null when nobody says'),
    cached_input_tokens: z.number().nullable().describe('Of the input, read from a cache'),
    cost_usd: z.number().nullable().describe('Price that the provider states'),
  })
  .nullable()
  .describe('What the call used; null when nobody says')

const DraftSchema = FindingSchema.omit({
  id: true,
  grounding: true,
  fingerprints: true,
  state: true,
})

const TicketSchema = z.strictObject({
  element: z.string().describe('Place in the answer'),
  problem: z.string().describe('Why it was refused'),
  received: z.string().describe('The element as it came, shortened'),
  path: z.string().nullable().describe('Assigned file that it speaks of'),
})

const AnswerShape = {
  packet_id: z.string().describe('Work item'),
  epoch: z.int().positive().describe('Number of the grant'),
  pool_id: z.string().describe('Pool that did the work'),
  model_asked: z.string().nullable().describe('Model that was asked for'),
  model_answered: z.string().nullable().describe('Model that says it answered'),
  usage: UsageSchema,
  drafts: z.array(DraftSchema).describe('Findings that were accepted as they came'),
  tickets: z.array(TicketSchema).describe('Elements that were refused'),
}

/** An accepted answer; `received` = drafts + tickets, and covered + uncovered = the paths of the item. */
export const ResultRecordSchema = z.strictObject({
  ...AnswerShape,
  reply: z.string().nullable().describe('File in replies/; null when taken from the cache'),
  reply_hash: z.string().describe('SHA-256 of the answer as it came'),
  covered: z.array(z.string()).describe('Assigned files that were read to their end'),
  uncovered: z.array(z.string()).describe('Assigned files that were not'),
  truncated: z.boolean().describe('The end of the answer was missing'),
  received: z.int().nonnegative().describe('Elements in the answer'),
})

export type ResultRecord = z.infer<typeof ResultRecordSchema>

/** A try that brought no accepted result. */
export const AttemptRecordSchema = z.strictObject({
  ...AnswerShape,
  outcome: z.string().describe('Class of the outcome, such as bad_output or timeout'),
  message: z.string().describe('What happened'),
  charged: z.boolean().describe('Whether it counts against the attempts of the item'),
  final: z.boolean().describe('Whether the item is given up with it'),
  split: z
    .boolean()
    .describe('Whether the item is cut in two because no pool takes it at its size'),
  reply: z.string().nullable().describe('File in replies/; null when nothing came'),
  reply_hash: z.string().nullable().describe('SHA-256 of what was handed in; null for a launch'),
  evidence: z.json().nullable().describe('What the class was read from, without secrets'),
})

export type AttemptRecord = z.infer<typeof AttemptRecordSchema>
