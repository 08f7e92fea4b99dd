import { inspectPath, removeFile, writeJsonFile } from '@audit-tools/shared/store'

import type { ReviewFiles } from './review-files.ts'

/** Whether a person stopped the run for good; only their own command takes that back. */
export function isCancelled({ cancelled }: ReviewFiles): boolean {
  return inspectPath(cancelled).kind !== 'missing'
}

export function cancelReview({ cancelled }: ReviewFiles, reason: string): void {
  writeJsonFile(cancelled, { reason }, { durable: true })
}

export function resumeReview({ cancelled }: ReviewFiles): void {
  if (inspectPath(cancelled).kind !== 'missing') removeFile(cancelled)
}
