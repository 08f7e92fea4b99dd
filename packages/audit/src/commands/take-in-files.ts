import { join } from 'node:path'

import type { CommandContext } from '@audit-tools/shared/cli'
import { AuditToolsError } from '@audit-tools/shared/core'
import { importAnalyzerResults } from '@audit-tools/shared/findings'
import { listDirectory, makeDirectory, renameFile } from '@audit-tools/shared/store'
import { z } from 'zod'

import {
  type AuditSession,
  importOptions,
  ingestAnswers,
  openReview,
  type Review,
  storeImport,
} from '../run/index.ts'
import { readAnswerFile } from './run-flags.ts'

export const intakeFlags = z.object({
  results: z.string().min(1).optional().describe('File with answers to take in'),
  batchResults: z.string().min(1).optional().describe('Directory of files with answers'),
  externalAnalyzerResults: z
    .string()
    .min(1)
    .optional()
    .describe('File with the results of another analyzer'),
})

/** What was taken in; elements of all files = taken + known + refused. */
export interface IntakeReport {
  readonly imported: number
  readonly taken: number
  readonly known: number
  readonly refused: readonly { readonly what: string; readonly reason: string }[]
}

/**
 * Takes in the files of a command line: another analyzer's first, then the batch, then the single file. A batch file in
 * which nothing could be taken stays where it is; the others move to `done/` beside it.
 */
export async function takeInFiles(
  session: AuditSession,
  runId: string,
  { flags, context }: { flags: z.output<typeof intakeFlags>; context: CommandContext },
): Promise<IntakeReport> {
  const { results, batchResults, externalAnalyzerResults } = flags
  if (results !== undefined && batchResults !== undefined) {
    throw new AuditToolsError(
      'usage-invalid',
      '--results and --batch-results exclude each other. Give one of them',
    )
  }
  const report = {
    imported: 0,
    taken: 0,
    known: 0,
    refused: [] as IntakeReport['refused'][number][],
  }
  if (externalAnalyzerResults !== undefined) {
    const bytes = readAnswerFile(context.resolvePath(externalAnalyzerResults))
    report.imported = await importFile(session, bytes, context)
  }
  const review = openReview(session.layout.runsDirectory, runId)
  const take = (path: string): boolean => takeFile(review, path, report)
  if (batchResults !== undefined) takeBatch(context.resolvePath(batchResults), take)
  if (results !== undefined) take(context.resolvePath(results))
  return report
}

async function importFile(
  session: AuditSession,
  bytes: Uint8Array,
  { signal }: CommandContext,
): Promise<number> {
  const result = importAnalyzerResults(bytes, await importOptions(session, signal))
  if (result.kind === 'invalid') {
    throw new AuditToolsError(
      'input-invalid',
      `the analyzer results are not usable: ${result.reason}`,
    )
  }
  storeImport(session, bytes)
  return result.drafts.length
}

function takeFile(
  review: Review,
  path: string,
  report: { taken: number; known: number; refused: { what: string; reason: string }[] },
): boolean {
  const { taken, known, refused } = ingestAnswers(review, readAnswerFile(path))
  report.taken += taken.length
  report.known += known
  report.refused.push(...refused.map(({ what, reason }) => ({ what: `${path}: ${what}`, reason })))
  return refused.length === 0
}

function takeBatch(directory: string, take: (path: string) => boolean): void {
  const listing = listDirectory(directory)
  if (listing.kind !== 'ok') {
    throw new AuditToolsError('input-invalid', `${directory} cannot be listed: ${listing.kind}`)
  }
  const names = listing.entries.map(({ name }) => name).filter((name) => name.endsWith('.json'))
  for (const name of names.toSorted()) {
    if (!take(join(directory, name))) continue
    makeDirectory(join(directory, 'done'))
    renameFile(join(directory, name), join(directory, 'done', name))
  }
}
