import { join } from 'node:path'

import { inspectPath, makeDirectory, writeJsonFile } from '@audit-tools/shared/store'

import type { ReviewPacket } from '../../review/index.ts'
import { type DispatchPlan, PLAN_CONTRACT_VERSION } from './records.ts'
import { nameItemFile, planReviewFiles } from './review-files.ts'

/** Writes the plan of a run's review, once: a run's id stands for its content, so a plan that is there is this one. */
export function writePlan(
  runsDirectory: string,
  { runId, root, packets }: { runId: string; root: string; packets: readonly ReviewPacket[] },
): void {
  const files = planReviewFiles(runsDirectory, runId)
  if (inspectPath(files.plan).kind === 'file') return
  const plan: DispatchPlan = {
    contract_version: PLAN_CONTRACT_VERSION,
    run_id: runId,
    root,
    packets: packets.map((packet) => ({
      ...packet,
      prompt_path: join(files.prompts, `${nameItemFile(packet.packet_id)}.md`),
      result_path: join(files.taskResults, `${nameItemFile(packet.packet_id)}.json`),
      complexity: {
        estimated_tokens: packet.estimated_tokens,
        files: packet.files.length,
        lines: packet.files.reduce((sum, file) => sum + file.total_lines, 0),
      },
      model_hint: { tier: packet.rank },
    })),
  }
  makeDirectory(files.directory)
  const results = plan.packets.map(({ packet_id: id, result_path: path }) => [id, path] as const)
  writeJsonFile(files.resultMap, Object.fromEntries(results))
  // The plan last: where it is, everything beside it is too.
  writeJsonFile(files.plan, plan, { durable: true })
}
