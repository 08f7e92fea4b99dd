import { z } from 'zod'

export const OUTCOMES_CONTRACT_VERSION = 'remediate-code-outcomes/v1alpha1'

export const dispositions = [
  'verified_fixed',
  'changed_unverified',
  'no_change_proven',
  'declined',
  'blocked',
  'conflict',
  'deferred',
  'failed',
  'claimed_no_change',
] as const

/** What became of one item. */
export type Disposition = (typeof dispositions)[number]

const AttemptSchema = z.strictObject({
  attempt_id: z.string().describe('Names `refs/attempts/<id>`'),
  task_id: z.string().describe('Task that was tried'),
  outcome: z.string().describe('How it ended'),
  reason: z.string().optional().describe('Why it did not land'),
})

/** What `remediation-outcomes.json` holds. */
export const RemediationOutcomesSchema = z.strictObject({
  contract_version: z.literal(OUTCOMES_CONTRACT_VERSION).describe('Shape of this file'),
  run_id: z.string().describe('Run that wrote it'),
  base: z.string().describe('Commit that the run started from'),
  result_branch: z.string().nullable().describe('Branch with the result, or null'),
  summary: z
    .record(z.enum(dispositions), z.int().nonnegative())
    .describe('Items by disposition; the sum is the number of items that came in'),
  outcomes: z
    .array(
      z.strictObject({
        finding_id: z.string().min(1).describe('The item'),
        disposition: z.enum(dispositions).describe('What became of it'),
        task_ids: z.array(z.string()).describe('Tasks that worked on it'),
        commits: z.array(z.string()).describe('Commits of the result that hold its repair'),
        evidence: z.array(z.string()).describe('Checks that show it'),
        reason: z.string().optional().describe('Why, where it is not fixed'),
      }),
    )
    .describe('One for each item that came in'),
  attempts: z.array(AttemptSchema).describe('Every attempt, failed ones too'),
  closing: z
    .strictObject({
      action: z.string().describe('What was chosen: none, branch, push, ...'),
      argv: z.array(z.string()).nullable().describe('The exact command, or null'),
      exit_code: z.int().nullable().describe('How it ended, or null'),
    })
    .describe('What was done with the result'),
})

/** The machine-readable result of a remediation: one outcome for each item that came in. */
export type RemediationOutcomes = z.infer<typeof RemediationOutcomesSchema>
