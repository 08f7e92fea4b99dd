import { z } from 'zod'

import type { Finding } from './finding.ts'
import { assignIdentity, mintFreeId } from './identity/identity.ts'
import { readJson } from './importers/read-json.ts'
import { parseLoosely } from './parse-loosely.ts'
import { NO_ID, type ReadFinding, readFinding } from './read-finding.ts'
import { type WorkBlock, WorkBlockSchema } from './report.ts'

export type ReportReading =
  | {
      readonly kind: 'report'
      /** In file order, one for each element of `findings`. */
      readonly elements: readonly ReadFinding[]
      readonly workBlocks: readonly WorkBlock[]
      /** Findings that the report itself keeps apart: ungrounded or refuted, and dismissed. */
      readonly setAside: { readonly quarantined: number; readonly known: number }
    }
  | { readonly kind: 'invalid'; readonly reason: string }

const VERSION = /^audit-code-findings\/v1/

const ReportSchema = z.looseObject({
  contract_version: z.string().optional(),
  findings: z.array(z.unknown()),
  work_blocks: z.array(z.unknown()).catch([]),
  quarantined_findings: z.array(z.unknown()).catch([]),
  known_findings: z.array(z.unknown()).catch([]),
})

/**
 * Reads `audit-findings.json` from this or another version of the tool, one element at a time: unknown fields are
 * ignored, missing ones filled where a safe value exists, and an element that cannot be read is rejected with the reason
 * while the others go on. Ids are adopted; one that is missing or used twice is made anew from the content.
 */
export function readFindingsReport(input: string | Uint8Array, root?: string): ReportReading {
  const json = readJson(input)
  if (json.kind === 'invalid') return json
  const report = ReportSchema.safeParse(json.value).data
  if (report === undefined) return { kind: 'invalid', reason: 'it has no list of findings' }
  if (report.contract_version !== undefined && !VERSION.test(report.contract_version)) {
    return {
      kind: 'invalid',
      reason: `its contract version is ${report.contract_version}; audit-code-findings/v1 is read`,
    }
  }
  const elements = report.findings.map((raw, index) => readFinding(raw, `findings[${index}]`, root))
  return {
    kind: 'report',
    elements: settleIds(elements),
    workBlocks: report.work_blocks.flatMap((raw) => parseLoosely(WorkBlockSchema, raw).data ?? []),
    setAside: {
      quarantined: report.quarantined_findings.length,
      known: report.known_findings.length,
    },
  }
}

/** Makes fingerprints where they are missing, and ids where they are missing or were given to another finding before. */
function settleIds(elements: readonly ReadFinding[]): ReadFinding[] {
  const taken = new Set<string>()
  return elements.map((element) => {
    if (element.kind === 'rejected') return element
    const finding = withFingerprints(element.finding)
    const isTaken = taken.has(finding.id)
    const id =
      finding.id === NO_ID || isTaken ? mintFreeId(finding.fingerprints.primary, taken) : finding.id
    taken.add(id)
    const notes = isTaken
      ? [...element.notes, `the id ${finding.id} is used twice; now ${id}`]
      : element.notes
    return { ...element, notes, finding: { ...finding, id } }
  })
}

function withFingerprints(finding: Finding): Finding {
  if (finding.fingerprints.primary !== '') return finding
  const [identified] = assignIdentity([{ draft: finding, grounding: finding.grounding }])
  return { ...finding, fingerprints: identified?.fingerprints ?? finding.fingerprints }
}
