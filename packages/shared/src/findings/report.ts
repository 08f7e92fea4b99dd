import { z } from 'zod'

import { FindingSchema, groundingStatuses } from './finding.ts'
import { LensSchema } from './lens.ts'
import { SeveritySchema } from './severity.ts'

export const FINDINGS_CONTRACT_VERSION = 'audit-code-findings/v1alpha1'

const CountSchema = z.int().nonnegative()

const PoolUsageSchema = z.strictObject({
  pool_id: z.string().describe('Pool that did the work'),
  calls: CountSchema.describe('Requests sent'),
  input_tokens: CountSchema.describe('Tokens read'),
  output_tokens: CountSchema.describe('Tokens written'),
  cost_usd: z.number().nonnegative().nullable().describe('US dollars; null where unknown'),
})

const SummarySchema = z.strictObject({
  finding_count: CountSchema.describe('Length of `findings`'),
  severity_breakdown: z.record(SeveritySchema, CountSchema).describe('Findings by severity'),
  lens_breakdown: z.partialRecord(LensSchema, CountSchema).describe('Findings by lens'),
  grounding_status_breakdown: z
    .record(z.enum(groundingStatuses), CountSchema)
    .describe('All findings, quarantined ones too, by grounding'),
  audited_file_count: CountSchema.describe('Files in scope'),
  excluded_file_count: CountSchema.describe('Paths that are listed but out of scope'),
  packets: z
    .strictObject({
      planned: CountSchema.describe('All packets of the plan'),
      reviewed: CountSchema.describe('Packets with an accepted result for every file'),
      failed: CountSchema.describe('Packets whose attempts are used up'),
      deferred: CountSchema.describe('Packets not tried in this run'),
    })
    .describe('planned = reviewed + failed + deferred'),
  usage: z.array(PoolUsageSchema).describe('What each pool did'),
})

export const WorkBlockSchema = z.strictObject({
  id: z.string().min(1).describe('Made from the findings it holds'),
  finding_ids: z.array(z.string()).min(1).describe('Findings to repair together'),
  owned_files: z.array(z.string()).describe('Files that only this block may change'),
  max_severity: SeveritySchema,
  depends_on: z.array(z.string()).describe('Ids of blocks that come first'),
  rationale: z.string().describe('Why these belong together'),
})

/** Findings to repair together; two blocks never own one file. */
export type WorkBlock = z.infer<typeof WorkBlockSchema>

const ThemeSchema = z.strictObject({
  id: z.string().min(1).describe('Stable id'),
  title: z.string().describe('One line'),
  finding_ids: z.array(z.string()).describe('Findings that share it'),
  root_cause: z.string().optional().describe('What they have in common'),
})

const GapSchema = z.strictObject({
  scope: z.enum(['packet', 'file', 'analyzer', 'import']).describe('Kind of the subject'),
  subject: z.string().describe('Packet id, path, analyzer id or file name'),
  reason: z.string().describe('Why it is not covered'),
})

/** What `audit-findings.json` holds: strict, as this version writes it. */
export const AuditFindingsReportSchema = z.strictObject({
  contract_version: z.literal(FINDINGS_CONTRACT_VERSION).describe('Shape of this file'),
  run_id: z.string().describe('Run that wrote it'),
  snapshot: z
    .strictObject({
      commit: z.string().nullable().describe('Commit of HEAD, or null'),
      tree_hash: z.string().describe('Hash over all files in scope'),
      files: CountSchema.describe('Number of files in scope'),
    })
    .describe('What was audited'),
  summary: SummarySchema.describe('Counts'),
  findings: z.array(FindingSchema).describe('Grounded findings'),
  work_blocks: z.array(WorkBlockSchema).describe('Findings grouped for repair, acyclic'),
  quarantined_findings: z.array(FindingSchema).describe('Ungrounded or refuted findings'),
  known_findings: z.array(FindingSchema).describe('Findings that a person dismissed'),
  excluded_scope: z
    .array(
      z.strictObject({
        path: z.string().describe('Path relative to the root'),
        reason: z.string().describe('Why it is not audited'),
      }),
    )
    .describe('Paths that are listed but not audited'),
  gaps: z.array(GapSchema).describe('What this report does not cover'),
  themes: z.array(ThemeSchema).optional().describe('What several findings share'),
  executive_summary: z.string().optional().describe('Narrative; changes no finding'),
  top_risks: z.array(z.string()).optional().describe('Narrative; changes no finding'),
})

/** The machine-readable result of an audit. */
export type AuditFindingsReport = z.infer<typeof AuditFindingsReportSchema>
