import { compareText } from '@audit-tools/shared/core'
import { compareSeverity } from '@audit-tools/shared/findings'

import type { PacketFile, PlanLead } from './plan.ts'
import { CONTEXT_TOKENS, estimateTokens, measureLeads } from './prompt-cost.ts'

/** Leads may take this share of the room for context; neighbours have the rest. */
const LEADS_SHARE = 2 / 3

/** The leads about what a packet shows, worst first, as far as there is room. */
export function chooseLeads(
  leadsByPath: ReadonlyMap<string, readonly PlanLead[]>,
  files: readonly PacketFile[],
): PlanLead[] {
  const chosen: PlanLead[] = []
  let bytes = 0
  for (const lead of files.flatMap((file) => listShown(leadsByPath, file)).toSorted(compareLeads)) {
    bytes += measureLeads([lead])
    if (estimateTokens(bytes) > CONTEXT_TOKENS * LEADS_SHARE) break
    chosen.push(lead)
  }
  return chosen
}

function listShown(
  leadsByPath: ReadonlyMap<string, readonly PlanLead[]>,
  { path, covers }: PacketFile,
): PlanLead[] {
  return (leadsByPath.get(path) ?? []).filter(
    ({ line }) =>
      line === null ||
      covers.length === 0 ||
      covers.some(({ first, last }) => line >= first && line <= last),
  )
}

function compareLeads(left: PlanLead, right: PlanLead): number {
  return (
    compareSeverity(left.severity, right.severity) ||
    compareText(left.path, right.path) ||
    (left.line ?? 0) - (right.line ?? 0) ||
    compareText(left.text, right.text)
  )
}
