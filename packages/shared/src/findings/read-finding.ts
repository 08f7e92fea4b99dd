import { z } from 'zod'

import { type Finding, FindingSchema } from './finding.ts'
import { parseLineRange } from './grounding/lines.ts'
import { parseTreePath } from './grounding/path.ts'
import { parseLens } from './lens.ts'
import { parseLoosely } from './parse-loosely.ts'
import { parseConfidence, parseSeverity, severities } from './severity.ts'

/** One element of a report and what became of it. */
export type ReadFinding = {
  /** `findings[3]`. */
  readonly position: string
  /** What was odd about it and how it was read. */
  readonly notes: readonly string[]
} & (
  | { readonly kind: 'read'; readonly finding: Finding }
  | { readonly kind: 'rejected'; readonly reason: string }
)

/** Stands where a report gives no id, until one is made from the content. */
export const NO_ID = '?'

/** Reads one finding of any version: what it does not know is ignored, what is missing and has a safe value is filled. */
export function readFinding(raw: unknown, position: string, root: string | undefined): ReadFinding {
  const notes: string[] = []
  const reject = (reason: string): ReadFinding => ({ position, notes, kind: 'rejected', reason })
  const given = z.record(z.string(), z.unknown()).safeParse(dropNulls(raw, '', notes)).data
  if (given === undefined) return reject('it is not an object')
  const severity = parseSeverity(given.severity ?? 'medium')
  if (severity === undefined) {
    const word = JSON.stringify(given.severity)
    return reject(`its severity is ${word}; allowed are ${severities.join(', ')}`)
  }
  if (given.severity === undefined) notes.push('it names no severity; taken as medium')
  const places = readPlaces(given.affected_files, root, notes)
  if (places === undefined) return reject('it names only paths outside the root')
  const completed = { ...complete(given), severity, affected_files: places }
  const parsed = parseLoosely(FindingSchema, completed)
  if (!parsed.success) return reject(renderProblems(parsed.error))
  return { position, notes, kind: 'read', finding: dropForeignFix(parsed.data, root, notes) }
}

/** A copy without null values, each of which is noted: no field of a finding may be null. */
function dropNulls(value: unknown, path: string, notes: string[]): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => dropNulls(item, `${path}[${index}]`, notes))
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const name = path === '' ? key : `${path}.${key}`
    if (item !== null) return [[key, dropNulls(item, name, notes)]]
    notes.push(`${name} is null and was ignored`)
    return []
  })
  return Object.fromEntries(entries)
}

/** A title or a summary must be there; everything else has a value that claims nothing. */
function complete(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const text = given.title ?? given.summary
  return {
    ...given,
    id: given.id ?? NO_ID,
    title: text,
    summary: given.summary ?? text,
    category: given.category ?? given.rule_id ?? 'uncategorised',
    lens: parseLens(given.lens) ?? given.lens ?? 'correctness',
    confidence: parseConfidence(given.confidence) ?? given.confidence ?? 'medium',
    source: given.source ?? 'import',
    reporters: given.reporters ?? [],
    grounding: given.grounding ?? { status: 'ungrounded', reason: 'the report does not say' },
    fingerprints: given.fingerprints ?? { primary: '', moved: '' },
    state: given.state ?? 'new',
  }
}

/**
 * Places as objects or as bare paths; what leads out of the root is dropped with a note. Undefined when nothing is left
 * of what was named. Nothing is read from disk.
 */
function readPlaces(
  value: unknown,
  root: string | undefined,
  notes: string[],
): unknown[] | undefined {
  const all: unknown[] = value === undefined ? [] : [value].flat()
  const places: unknown[] = []
  for (const raw of all) {
    const place = PlaceSchema.safeParse(typeof raw === 'string' ? { path: raw } : raw).data
    if (place === undefined) {
      places.push(raw)
      continue
    }
    const { path, line_start: start, line_end: end, ...rest } = place
    const parsed = parseTreePath(path, root)
    if (parsed.kind === 'outside') notes.push('a path that leads out of the root was dropped')
    else places.push({ ...rest, path: parsed.path, ...parseLineRange(start, end) })
  }
  return places.length === 0 && all.length > 0 ? undefined : places
}

const PlaceSchema = z.looseObject({
  path: z.string(),
  line_start: z.unknown().optional(),
  line_end: z.unknown().optional(),
})

/** A repair that would write outside the root is none. */
function dropForeignFix(finding: Finding, root: string | undefined, notes: string[]): Finding {
  const { fix, ...rest } = finding
  if (fix === undefined) return finding
  const edits = fix.edits.map((edit) => ({ edit, target: parseTreePath(edit.path, root) }))
  if (edits.some(({ target }) => target.kind === 'outside')) {
    notes.push('its fix changes a path that leads out of the root and was dropped')
    return rest
  }
  return finding
}

function renderProblems(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
}
