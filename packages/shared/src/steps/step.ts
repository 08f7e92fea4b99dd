import { z } from 'zod'

const stepKinds = [
  'capability_check',
  'confirm_intent',
  'confirm_providers',
  'dispatch_review',
  'single_task_fallback',
  'design_review',
  'synthesis_narrative',
  'wait',
  'present_report',
  'blocked',
  'collect_input',
  'plan_gate',
  'dispatch_implement',
  'triage',
  'confirm_close',
] as const

export type StepKind = (typeof stepKinds)[number]

/** One work item that this host may start now. */
export const GrantedPacketSchema = z.strictObject({
  packet_id: z.string().describe('Work item'),
  prompt_path: z.string().describe('File with the prompt; pass the path on, do not read it'),
  result_path: z.string().describe('File that the reviewer writes its answer to'),
  rank: z.enum(['small', 'standard', 'deep']).describe('Least rank of model for this work'),
  estimated_tokens: z.int().nonnegative().describe('Tokens of the prompt'),
  claim: z
    .strictObject({
      epoch: z.int().positive().describe('Number of the grant'),
      token: z.string().describe('Goes into the submit command of this packet only'),
    })
    .describe('The right to submit a result'),
  submit_command: z.string().describe('Run when the answer is written'),
})

export type GrantedPacket = z.infer<typeof GrantedPacketSchema>

const PathSchema = z.string().nullable().optional()

const ArtifactPathsSchema = z.strictObject({
  current_step: PathSchema.describe('This step'),
  current_prompt: PathSchema.describe('What to do, in words'),
  operator_handoff: PathSchema.describe('State for a person'),
  final_report: PathSchema.describe('The report'),
  active_review_task: PathSchema.describe('The one task of a host without subagents'),
  active_review_prompt: PathSchema.describe('Its prompt'),
  pending_audit_tasks: PathSchema.describe('Tasks that are open'),
  single_task_prompt: PathSchema.describe('Prompt of the single task'),
  audit_results: PathSchema.describe('Where the single task’s answer goes'),
  dispatch_plan: PathSchema.describe('All packets'),
  dispatch_quota: PathSchema.describe('Limits as they are now'),
  dispatch_warnings: PathSchema.describe('Oversized packets'),
})

/** One instruction to the conversation host; `steps/current-step.json` holds the same bytes as standard output. */
export const StepSchema = z.strictObject({
  contract_version: z
    .enum(['audit-code-step/v1alpha1', 'remediate-code-step/v1alpha1'])
    .describe('Shape of this step'),
  step_kind: z.enum(stepKinds).describe('What to do'),
  status: z
    .enum(['ready', 'blocked', 'complete', 'waiting'])
    .describe('`waiting` goes only to hosts that said they know it'),
  run_id: z.string().nullable().describe('Run, or null for blocked and complete'),
  prompt_path: z.string().describe('File that says what to do'),
  allowed_commands: z.array(z.string()).describe('Commands that the host may run now, quoted'),
  stop_condition: z.string().describe('When this step is over'),
  repo_root: z.string().describe('Absolute path of the audited directory'),
  artifacts_dir: z.string().describe('Absolute path of the state'),
  artifact_paths: ArtifactPathsSchema,
  progress: z
    .strictObject({
      packets: z.int().nonnegative().describe('All packets'),
      reviewed: z.int().nonnegative().describe('Accepted'),
      failed: z.int().nonnegative().describe('Attempts used up'),
      running: z.int().nonnegative().describe('Claimed now'),
      open: z.int().nonnegative().describe('Waiting to be claimed'),
    })
    .optional()
    .describe('packets = reviewed + failed + running + open'),
  granted: z.array(GrantedPacketSchema).optional().describe('Packets to start now'),
  max_concurrent: z.int().nonnegative().optional().describe('Subagents to run at once'),
  cooldown_until: z
    .string()
    .nullable()
    .optional()
    .describe('ISO 8601 instant before which nothing starts'),
  reason: z.string().optional().describe('Why it is blocked or waiting'),
})

export type Step = z.infer<typeof StepSchema>
