import { AuditToolsError } from '@audit-tools/shared/core'
import { makeDirectory, readOptionalJsonFile, writeJsonFile } from '@audit-tools/shared/store'
import { z } from 'zod'

import type { AuditLayout } from './layout.ts'

const ActiveRunSchema = z.strictObject({ run_id: z.string().describe('Run that is worked on') })

/** The run that was begun last; undefined before the first. Throws `store-corrupt`. */
export function readActiveRun({ activeRun }: AuditLayout): string | undefined {
  return readOptionalJsonFile(activeRun, ActiveRunSchema)?.run_id
}

export function writeActiveRun({ activeRun, directory }: AuditLayout, runId: string): void {
  makeDirectory(directory)
  writeJsonFile(activeRun, { run_id: runId })
}

/** The run that a command names, else the active one. Throws `run-not-found`. */
export function chooseRun(layout: AuditLayout, named: string | undefined): string {
  const runId = named ?? readActiveRun(layout)
  if (runId !== undefined) return runId
  throw new AuditToolsError(
    'run-not-found',
    'no run was begun here. Begin one with `audit-code next-step` or `audit-code run`',
  )
}
