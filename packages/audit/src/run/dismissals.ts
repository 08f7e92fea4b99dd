import { type Finding, FindingSchema } from '@audit-tools/shared/findings'
import {
  makeDirectory,
  readOptionalJsonFile,
  withFileLock,
  writeJsonFile,
} from '@audit-tools/shared/store'
import { z } from 'zod'

import type { AuditLayout } from './layout.ts'

const DismissalsSchema = z.array(FindingSchema).describe('Findings that a person dismissed')

/** What a person dismissed in this repository. Throws `store-corrupt` rather than forget it. */
export function readDismissals(layout: AuditLayout): readonly Finding[] {
  return readOptionalJsonFile(layout.dismissals, DismissalsSchema) ?? []
}

/** Remembers a dismissal; a later one of the same finding replaces it. */
export async function addDismissal(layout: AuditLayout, finding: Finding): Promise<void> {
  makeDirectory(layout.directory)
  await withFileLock(`${layout.dismissals}.lock`, () => {
    const others = readDismissals(layout).filter(({ id }) => id !== finding.id)
    const all = [...others, finding].toSorted((left, right) => (left.id < right.id ? -1 : 1))
    writeJsonFile(layout.dismissals, all, { durable: true })
  })
}
