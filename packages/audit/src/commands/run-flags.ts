import { AuditToolsError } from '@audit-tools/shared/core'
import { readFileBytes } from '@audit-tools/shared/store'
import { z } from 'zod'

export const runFlags = z.object({
  runId: z.string().min(1).optional().describe('Run to work on (default: the active one)'),
  runIdB64: z
    .string()
    .min(1)
    .optional()
    .describe('The same in base64, for shells that mangle text'),
})

export const driverFlags = z.object({
  driverToken: z.string().min(1).optional().describe('Token of the session that drives the run'),
})

export const claimFlags = z.object({
  packet: z.string().min(1).optional().describe('Packet that the answer is for'),
  epoch: z.coerce.number().int().positive().optional().describe('Number of the grant'),
  claim: z.string().min(1).optional().describe('Token of the grant'),
})

export function readRunId(flags: z.output<typeof runFlags>): string | undefined {
  const { runId, runIdB64 } = flags
  return runIdB64 === undefined ? runId : Buffer.from(runIdB64, 'base64').toString('utf8')
}

/** The bytes of a file that a command line names. Throws `input-invalid`. */
export function readAnswerFile(path: string): Uint8Array {
  const reading = readFileBytes(path)
  if (reading.kind === 'ok') return reading.bytes
  throw new AuditToolsError(
    'input-invalid',
    `${path}: ${reading.kind === 'missing' ? 'there is no such file' : 'it cannot be read'}. Write the answer there first`,
    { details: { path } },
  )
}
