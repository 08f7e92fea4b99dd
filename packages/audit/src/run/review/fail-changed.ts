import type { WorkItem } from '../../review/index.ts'
import { describeSubmission } from './accept-submission.ts'
import type { Review } from './open-review.ts'
import { addAttempt } from './record-store.ts'

/** Gives up an item whose files are not what was planned; the next run plans it as it is then. */
export function failChanged(
  review: Review,
  item: WorkItem,
  { path, epoch, poolId }: { path: string; epoch: number; poolId: string },
): void {
  addAttempt(review.files, {
    ...describeSubmission({ item, epoch, poolId }),
    drafts: [],
    tickets: [],
    outcome: 'changed',
    message: `${path} changed since the run was planned; run again to review it as it is now`,
    charged: false,
    final: true,
    split: false,
    reply: null,
    reply_hash: null,
    evidence: null,
  })
}
