import { inspectPath } from '@audit-tools/shared/store'

import type { PacketCounts } from '../../report/index.ts'
import type { PreparedAudit } from '../audit-repository.ts'
import type { ReviewSummary } from '../compose-report.ts'
import type { AuditSession } from '../open-session.ts'
import { openReview, readReviewState } from './open-review.ts'
import { planReviewFiles } from './review-files.ts'
import { summarizeReview } from './summarize-review.ts'

/** What is known of the review of a prepared audit, whoever did it; a forecast when it was never begun. */
export function readReview({ layout }: AuditSession, prepared: PreparedAudit): ReviewSummary {
  const { runsDirectory } = layout
  const { plan } = planReviewFiles(runsDirectory, prepared.runId)
  if (inspectPath(plan).kind === 'missing') return forecastReview(prepared)
  return summarizeReview(readReviewState(openReview(runsDirectory, prepared.runId)))
}

function forecastReview({ packets }: PreparedAudit): ReviewSummary {
  return {
    drafts: [],
    packets: countForecast(packets.length),
    promptTokens: packets.reduce((sum, packet) => sum + packet.estimated_tokens, 0),
    usage: [],
    gaps: [],
    hasPools: false,
  }
}

export function countForecast(planned: number): PacketCounts {
  return { planned, reviewed: 0, failed: 0, deferred: planned }
}
