import { LensSchema } from '@audit-tools/shared/findings'
import { z } from 'zod'

/** A file, or some ranges of its lines, as a packet holds it. */
const PacketFileSchema = z.strictObject({
  path: z.string().min(1).describe('POSIX path relative to the root'),
  disk_path: z.string().optional().describe('Name on disk, where Unicode normalisation changed it'),
  hash: z.string().describe('Content hash in the snapshot'),
  total_lines: z.int().nonnegative().describe('Lines of the whole file'),
  ranges: z
    .array(
      z.strictObject({
        first: z.int().positive().describe('First line, 1-based'),
        last: z.int().positive().describe('Last line, inclusive'),
      }),
    )
    .describe('Lines to review, in order; empty for the whole file'),
})

export type PacketFile = z.infer<typeof PacketFileSchema>

/** One task of a packet: a unit under one lens, in the words of scripts that answer task by task. */
const AuditTaskSchema = z.strictObject({
  task_id: z.string().min(1).describe('Id that a result may name'),
  unit_id: z.string().describe('Unit of the files'),
  lens: LensSchema,
  file_paths: z.array(z.string()).describe('Files of the task'),
})

/** What one reviewer gets, as `dispatch-plan.json` holds it: enough to make the prompt and to check the answer. */
export const ReviewPacketSchema = z.strictObject({
  packet_id: z.string().min(1).describe('Work item'),
  lenses: z.array(LensSchema).min(1).describe('Angles of the review'),
  files: z.array(PacketFileSchema).min(1).describe('What is reviewed'),
  neighbours: z.array(z.string()).describe('Files near these in the graph that are not shown'),
  leads: z
    .array(
      z.strictObject({
        path: z.string().describe('File that the hint is about'),
        line: z.int().positive().nullable().describe('Line, or null for the file'),
        text: z.string().describe('What an analyzer says'),
      }),
    )
    .describe('Hints of analyzers'),
  tasks: z.array(AuditTaskSchema).describe('The same work as tasks'),
  rank: z.enum(['small', 'standard', 'deep']).describe('Least rank of model for this work'),
  estimated_tokens: z.int().nonnegative().describe('Tokens of the prompt'),
})

export type ReviewPacket = z.infer<typeof ReviewPacketSchema>
