import { type Finding, readFindingsReport, type WorkBlock } from '@audit-tools/shared/findings'

import type { Intake, Source } from './intake.ts'

export type SourceReading =
  | { readonly kind: 'read'; readonly intake: Intake }
  | { readonly kind: 'invalid'; readonly reason: string }

/** Adopts the findings of an `audit-findings.json`, with their ids. What its work blocks depend on orders the items. */
export function readReportSource({ name, bytes }: Source, root: string): SourceReading {
  const reading = readFindingsReport(bytes, root)
  if (reading.kind === 'invalid') return reading
  const { elements, workBlocks, setAside } = reading
  const findings = elements.flatMap((element) => (element.kind === 'read' ? [element.finding] : []))
  const apart = [
    ...(setAside.quarantined > 0 ? [`${setAside.quarantined} quarantined`] : []),
    ...(setAside.known > 0 ? [`${setAside.known} dismissed`] : []),
  ]
  return {
    kind: 'read',
    intake: {
      received: elements.length,
      items: orderByBlocks(findings, workBlocks),
      merged: [],
      rejected: elements.flatMap((element) =>
        element.kind === 'rejected'
          ? [{ what: `${name} ${element.position}`, reason: element.reason }]
          : [],
      ),
      flagged: elements.flatMap(({ position, notes }) =>
        notes.map((note) => ({ what: `${name} ${position}`, note })),
      ),
      notices:
        apart.length > 0
          ? [`${name} keeps ${apart.join(' and ')} findings apart: not planned`]
          : [],
    },
  }
}

/** A finding depends on all findings of the blocks that its own block depends on. */
function orderByBlocks(findings: readonly Finding[], blocks: readonly WorkBlock[]): Finding[] {
  const membersOf = new Map(blocks.map((block) => [block.id, block.finding_ids]))
  const needsOf = new Map(
    blocks.flatMap((block) => {
      const needed = block.depends_on.flatMap((id) => membersOf.get(id) ?? [])
      return block.finding_ids.map((id) => [id, needed] as const)
    }),
  )
  return findings.map((finding) => {
    const needed = new Set([...(finding.depends_on ?? []), ...(needsOf.get(finding.id) ?? [])])
    return needed.size === 0 ? finding : { ...finding, depends_on: [...needed] }
  })
}
