import { z } from 'zod'

import { LensSchema } from './lens.ts'
import { ConfidenceSchema, SeveritySchema } from './severity.ts'

const LineSchema = z.int().positive()

/** A place in one file of the snapshot. */
export const AffectedFileSchema = z.strictObject({
  path: z.string().min(1).describe('POSIX path relative to the root'),
  line_start: LineSchema.optional().describe('First line, 1-based; absent for the whole file'),
  line_end: LineSchema.optional().describe('Last line, inclusive'),
  symbol: z.string().optional().describe('Enclosing function, class or other named part'),
  quoted_text: z.string().optional().describe('Exact text of the file at that place'),
  hash_at_plan_time: z.string().optional().describe('Content hash of the file in the snapshot'),
})

export type AffectedFile = z.infer<typeof AffectedFileSchema>

const FixSchema = z.strictObject({
  description: z.string().describe('What the repair does'),
  edits: z
    .array(
      z.strictObject({
        path: z.string().min(1).describe('POSIX path relative to the root'),
        start: z.int().nonnegative().describe('UTF-16 offset of the first replaced character'),
        end: z.int().nonnegative().describe('UTF-16 offset after the last replaced character'),
        text: z.string().describe('Text to put there'),
      }),
    )
    .describe('Replacements in files as they are in the snapshot'),
})

export const groundingStatuses = ['grounded', 'ungrounded', 'refuted'] as const

const GroundingSchema = z.strictObject({
  status: z
    .enum(groundingStatuses)
    .describe('Grounded: the quote was found where it says; refuted: shown to be wrong'),
  reason: z.string().optional().describe('Why it is not grounded, or what was adjusted'),
  moved_from: LineSchema.optional().describe(
    'Line the reporter named, when the quote was found elsewhere in the file',
  ),
})

export type Grounding = z.infer<typeof GroundingSchema>

export const FindingSchema = z.strictObject({
  id: z.string().min(1).describe('Made by the tool from the content; never by a worker'),
  title: z.string().min(1).describe('One line'),
  category: z.string().min(1).describe('Family of defect, such as injection'),
  lens: LensSchema,
  severity: SeveritySchema,
  confidence: ConfidenceSchema,
  summary: z.string().describe('What is wrong and why it matters'),
  affected_files: z.array(AffectedFileSchema).describe('Places, the main one first'),
  impact: z.string().optional().describe('What can happen'),
  likelihood: z.string().optional().describe('How easily it happens'),
  evidence: z.array(z.string()).optional().describe('What supports the claim'),
  reproduction: z.array(z.string()).optional().describe('Steps or commands that show it'),
  suggestion: z.string().optional().describe('How to repair it, in words'),
  fix: FixSchema.optional().describe('A mechanical repair'),
  rule_id: z.string().optional().describe('Rule of the analyzer that reported it'),
  cwe: z
    .string()
    .regex(/^CWE-\d+$/)
    .optional()
    .describe('Weakness class, such as CWE-79'),
  source: z.enum(['analyzer', 'reviewer', 'import']).describe('Kind of the first reporter'),
  reporters: z.array(z.string()).describe('Everyone who reported it, sorted'),
  grounding: GroundingSchema,
  verification: z
    .strictObject({
      verdict: z.enum(['confirmed', 'downgraded', 'refuted', 'undecided']).describe('Outcome'),
      by: z.string().describe('Who tried to refute it'),
      evidence: z.string().describe('What the verdict rests on'),
    })
    .optional()
    .describe('Outcome of an independent attempt to refute it'),
  fingerprints: z
    .strictObject({
      primary: z.string().describe('Rule family, path, symbol and quote'),
      moved: z.string().describe('The same without the path: survives a rename'),
    })
    .describe('Identity across runs'),
  state: z.enum(['new', 'persisting', 'moved', 'reopened']).describe('Against the baseline'),
  dismissal: z
    .strictObject({
      reason: z.string().describe('Why a person dismissed it'),
      at: z.string().optional().describe('ISO 8601 instant of the dismissal'),
      until: z.string().optional().describe('ISO 8601 instant at which it counts again'),
    })
    .optional()
    .describe('Present on known findings only'),
  related_findings: z
    .array(z.string())
    .optional()
    .describe('Ids of other findings; orders nothing'),
  depends_on: z.array(z.string()).optional().describe('Ids of findings to repair first'),
  theme_id: z.string().optional().describe('Theme it belongs to'),
})

/** A claimed defect with location and quote, as `audit-findings.json` holds it. */
export type Finding = z.infer<typeof FindingSchema>

/**
 * A finding as somebody reported it, before the tool grounds it and gives it an identity.
 * `tool_fingerprint` is the fingerprint of an outside tool; it stands in where no text can be read.
 */
export type FindingDraft = Omit<Finding, 'id' | 'grounding' | 'fingerprints' | 'state'> & {
  readonly tool_fingerprint?: string
}
