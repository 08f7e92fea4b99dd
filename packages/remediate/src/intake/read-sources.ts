import { AuditToolsError } from '@audit-tools/shared/core'
import { detectFormat, type Finding, mintFreeId } from '@audit-tools/shared/findings'

import type { Intake, Source } from './intake.ts'
import { readAnalyzerSource } from './read-analyzer-source.ts'
import { readReportSource } from './read-report-source.ts'

export interface IntakeTree {
  /** Absolute root: absolute paths below it become relative ones. */
  readonly root: string
  /** Paths of the tree, where they are known. */
  readonly files?: readonly string[]
}

/**
 * Takes in every source: `audit-findings.json` with its ids, SARIF and the JSON of known analyzers. One bad element never
 * sinks the rest. Throws `input-invalid` when a whole file is none of these, so that no source is left out in silence.
 */
export function readSources(sources: readonly Source[], tree: IntakeTree): Intake {
  const intakes = sources.map((source) => {
    const isReport = detectFormat(source.bytes) === 'audit-findings'
    const reading = isReport
      ? readReportSource(source, tree.root)
      : readAnalyzerSource(source, tree)
    if (reading.kind === 'read') return { name: source.name, intake: reading.intake }
    throw new AuditToolsError(
      'input-invalid',
      `${source.name} cannot be taken in: ${reading.reason}. Give audit-findings.json or SARIF`,
      { details: { path: source.name } },
    )
  })
  const joined = joinIntakes(intakes)
  return { ...joined, flagged: [...joined.flagged, ...flagOddItems(joined.items, tree)] }
}

/** Items that name files or items which are not there: planned all the same, but a person should know. */
function flagOddItems(items: readonly Finding[], tree: IntakeTree): Intake['flagged'] {
  const files = tree.files === undefined ? undefined : new Set(tree.files)
  const ids = new Set(items.map(({ id }) => id))
  return items.flatMap(({ id, affected_files: places, depends_on: needed = [] }) => {
    const absent = places.filter(({ path }) => files !== undefined && !files.has(path))
    const unknown = needed.filter((other) => !ids.has(other))
    return [
      ...absent.map(({ path }) => ({ what: id, note: `${path} is not in the tree` })),
      ...unknown.map((other) => ({
        what: id,
        note: `it depends on ${other}, which is not planned`,
      })),
    ]
  })
}

/** The same finding from two sources is one item; an id that two different findings carry is made anew for the later. */
function joinIntakes(intakes: readonly { name: string; intake: Intake }[]): Intake {
  const items = new Map<string, Finding>()
  const merged = intakes.flatMap(({ intake }) => intake.merged)
  const flagged = intakes.flatMap(({ intake }) => intake.flagged)
  for (const { name, intake } of intakes) {
    for (const finding of intake.items) {
      const twin = items.get(finding.id)
      if (twin === undefined) items.set(finding.id, finding)
      else if (twin.fingerprints.primary === finding.fingerprints.primary) {
        merged.push({ what: `${name} ${finding.id}`, into: finding.id })
      } else {
        const id = mintFreeId(finding.fingerprints.primary, new Set(items.keys()))
        items.set(id, { ...finding, id })
        flagged.push({
          what: `${name} ${finding.id}`,
          note: `another source uses this id; now ${id}`,
        })
      }
    }
  }
  return {
    received: intakes.reduce((sum, { intake }) => sum + intake.received, 0),
    items: [...items.values()],
    merged,
    rejected: intakes.flatMap(({ intake }) => intake.rejected),
    flagged,
    notices: intakes.flatMap(({ intake }) => intake.notices),
  }
}
