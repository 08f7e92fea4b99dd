import { z } from 'zod'

import { type Finding, FindingSchema } from './finding.ts'
import { parseTreePath } from './grounding/path.ts'
import { parseLineRange } from './grounding/lines.ts'
import { assignIdentity, mintFreeId } from './identity/identity.ts'
import { parseLens } from './lens.ts'
import { readJson } from './importers/read-json.ts'
import { type WorkBlock, WorkBlockSchema } from './report.ts'
import { parseConfidence, parseSeverity, severities } from './severity.ts'

/** One element of the report and what became of it. */
export type ReadFinding = {
  /** `findings[3]`. */
  readonly position: string
  /** What was odd about it and how it was read. */
  readonly notes: readonly string[]
} & (
  | { readonly kind: 'read'; readonly finding: Finding }
  | { readonly kind: 'rejected'; readonly reason: string }
)

export type ReportReading =
  | {
      readonly kind: 'report'
      /** In file order, one for each element of `findings`. */
      readonly elements: readonly ReadFinding[]
      readonly workBlocks: readonly WorkBlock[]
    }
  | { readonly kind: 'invalid'; readonly reason: string }

const VERSION = /^audit-code-findings\/v1/

const ReportSchema = z.looseObject({
  contract_version: z.string().optional(),
  findings: z.array(z.unknown()),
  work_blocks: z.array(z.unknown()).optional().catch(undefined),
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
    workBlocks: (report.work_blocks ?? []).flatMap(
      (raw) => WorkBlockSchema.safeParse(keepKnown(raw, WorkBlockSchema.shape)).data ?? [],
    ),
  }
}

function readFinding(raw: unknown, position: string, root: string | undefined): ReadFinding {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return { position, notes: [], kind: 'rejected', reason: 'it is not an object' }
  }
  const nulls = Object.entries(raw).filter(([, value]) => value === null)
  const notes = nulls.map(([key]) => `${key} is null and was ignored`)
  const record: Record<string, unknown> = keepKnown(raw, FindingSchema.shape)
  const severity = parseSeverity(record.severity)
  if (record.severity !== undefined && severity === undefined) {
    const reason = `its severity is ${show(record.severity)}; allowed are ${severities.join(', ')}`
    return { position, notes, kind: 'rejected', reason }
  }
  if (severity === undefined) notes.push('it names no severity; taken as medium')
  const places = readPlaces(record.affected_files, root)
  notes.push(...places.notes)
  if (places.kind === 'outside') {
    return { position, notes, kind: 'rejected', reason: 'it names only paths outside the root' }
  }
  const completed = { ...complete(record), severity: severity ?? 'medium' }
  const parsed = FindingSchema.safeParse({ ...completed, affected_files: places.places })
  if (parsed.success) return { position, notes, kind: 'read', finding: parsed.data }
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  return { position, notes, kind: 'rejected', reason: problems.join('; ') }
}

/** Fills what is missing and has a safe value. A title or a summary must be there. */
function complete(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const text = record.title ?? record.summary
  return {
    ...record,
    id: record.id ?? '?',
    title: text,
    summary: record.summary ?? text,
    category: record.category ?? record.rule_id ?? 'uncategorised',
    lens: parseLens(record.lens) ?? record.lens ?? 'correctness',
    confidence: parseConfidence(record.confidence) ?? record.confidence ?? 'medium',
    source: record.source ?? 'import',
    reporters: record.reporters ?? [],
    grounding: record.grounding ?? { status: 'ungrounded', reason: 'the report does not say' },
    fingerprints: record.fingerprints ?? { primary: '', moved: '' },
    state: record.state ?? 'new',
  }
}

type PlacesReading = { readonly notes: readonly string[] } & (
  | { readonly kind: 'places'; readonly places: readonly unknown[] }
  | { readonly kind: 'outside' }
)

/** Places as objects or as bare paths; what leads out of the root is dropped with a note. Nothing is read from disk. */
function readPlaces(value: unknown, root: string | undefined): PlacesReading {
  const all: unknown[] = value === undefined ? [] : [value].flat()
  const notes: string[] = []
  const places: unknown[] = []
  for (const raw of all) {
    const place: Record<string, unknown> =
      typeof raw === 'string' ? { path: raw } : keepKnown(raw, placeShape)
    const parsed = typeof place.path === 'string' ? parseTreePath(place.path, root) : undefined
    if (parsed?.kind === 'outside') {
      notes.push('a path that leads out of the root was dropped')
      continue
    }
    const { line_start: start, line_end: end, ...rest } = place
    places.push({ ...rest, ...parseLineRange(start, end), ...(parsed && { path: parsed.path }) })
  }
  return places.length === 0 && all.length > 0
    ? { kind: 'outside', notes }
    : { kind: 'places', places, notes }
}

const placeShape = FindingSchema.shape.affected_files.element.shape

/** The known keys of an object that are not null. */
function keepKnown(
  raw: unknown,
  shape: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (typeof raw !== 'object' || raw === null) return {}
  const known = Object.entries(raw).filter(
    ([key, value]) => Object.hasOwn(shape, key) && value !== null,
  )
  return Object.fromEntries(known)
}

/** Makes fingerprints where they are missing, and ids where they are missing or were given to another finding before. */
function settleIds(elements: readonly ReadFinding[]): ReadFinding[] {
  const taken = new Set<string>()
  return elements.map((element) => {
    if (element.kind === 'rejected') return element
    const finding = withFingerprints(element.finding)
    const isTaken = taken.has(finding.id)
    const id =
      finding.id === '?' || isTaken ? mintFreeId(finding.fingerprints.primary, taken) : finding.id
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

function show(value: unknown): string {
  return JSON.stringify(value)
}
