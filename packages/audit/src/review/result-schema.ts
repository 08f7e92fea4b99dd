import { ConfidenceSchema, LensSchema, severities } from '@audit-tools/shared/findings'
import { z } from 'zod'

const trimmedLower = (value: unknown): unknown =>
  typeof value === 'string' ? value.trim().toLowerCase() : value

/** `"42"` is 42; 0, negative, fractional and senseless lines are no line, which makes the finding about the file. */
const LineSchema = z.preprocess((value) => {
  const number = typeof value === 'string' ? Number(value.trim()) : value
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined
}, z.int().positive().optional())

const TextListSchema = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z.array(z.string()).nullish(),
)

const OptionalTextSchema = z.string().nullish()

/**
 * One finding as a reviewer writes it. It renders the prompt's shape and checks each element of a reply; unknown keys
 * are dropped, because a reviewer's extra words are no reason to lose a finding.
 */
export const ReviewedFindingSchema = z.object({
  title: z.string().trim().min(1).describe('One line that names the defect'),
  lens: z.preprocess(trimmedLower, LensSchema).describe('Lens under which you found it'),
  severity: z
    .preprocess(trimmedLower, z.enum(severities))
    .describe('How bad it is when it happens'),
  confidence: z
    .preprocess(trimmedLower, ConfidenceSchema)
    .default('medium')
    .describe('How sure you are'),
  path: z.string().min(1).describe('Path exactly as shown above the file'),
  line_start: LineSchema.describe('First line of the defect, from the line numbers shown'),
  line_end: LineSchema.describe('Last line of the defect'),
  quote: z
    .string()
    .nullish()
    .describe('The text at that place, copied exactly, without line numbers'),
  summary: z.string().min(1).describe('What is wrong and why it matters'),
  impact: OptionalTextSchema.describe('What can happen'),
  evidence: TextListSchema.describe('What supports the claim'),
  reproduction: TextListSchema.describe('Steps or commands that show it'),
  suggestion: OptionalTextSchema.describe('How to repair it'),
})

export type ReviewedFinding = z.infer<typeof ReviewedFindingSchema>

export const FileReviewSchema = z.object({
  path: z.string().min(1).describe('Path exactly as shown above the file'),
  note: z.string().nullish().describe('One sentence on what you looked at'),
})

/** A reviewer's whole answer (`audit-code-result`). Ids and claims are the tool's: a reviewer names neither. */
export const ReviewResultSchema = z.object({
  files_reviewed: z.array(FileReviewSchema).describe('Every file that you read to its end'),
  findings: z.array(ReviewedFindingSchema).describe('Defects; an empty list when there are none'),
})
