import { groupBy } from '../../core/index.ts'
import type { FindingDraft } from '../finding.ts'

/** One run of an outside tool, as its file tells. A failed one is not a clean one. */
export interface ImportedRun {
  readonly tool: string
  readonly version?: string
  readonly outcome: { readonly kind: 'ran' } | { readonly kind: 'failed'; readonly reason: string }
  /** What the tool says it could not do, although it ran. */
  readonly notes: readonly string[]
}

/** One element of the file and what became of it. `position` names it, as `runs[0].results[3]`. */
export type ImportedElement = { readonly position: string } & (
  | { readonly kind: 'kept'; readonly draft: FindingDraft }
  /** The same result as the one at `into`. */
  | { readonly kind: 'merged'; readonly into: string }
  | { readonly kind: 'suppressed'; readonly draft: FindingDraft; readonly justification?: string }
  | { readonly kind: 'unlocated'; readonly draft: FindingDraft; readonly reason: string }
  | { readonly kind: 'rejected'; readonly reason: string }
)

/** received = kept + merged + suppressed + unlocated + rejected. */
export interface ImportAccounting {
  readonly received: number
  readonly kept: number
  readonly merged: number
  readonly suppressed: number
  readonly unlocated: number
  readonly rejected: number
}

export type ImportResult =
  | {
      readonly kind: 'imported'
      readonly runs: readonly ImportedRun[]
      /** In file order, one for each result of the file. */
      readonly elements: readonly ImportedElement[]
      /** The drafts of the kept elements. */
      readonly drafts: readonly FindingDraft[]
      readonly accounting: ImportAccounting
    }
  | { readonly kind: 'invalid'; readonly reason: string }

export interface ImportOptions {
  /** Paths of the tree. Without them relative paths are taken as they are. */
  readonly files?: readonly string[]
  /** Absolute root of the tree: absolute paths below it become relative ones. */
  readonly root?: string
  /** Text of a file of the tree; needed to read repairs given as lines and columns. */
  readonly readText?: (path: string) => string | undefined
}

/** Files with more results than this are cut; the rest is counted as rejected. */
export const MAX_IMPORTED_RESULTS = 100_000

/** Joins repeated results and counts what became of every element. */
export function completeImport(
  runs: readonly ImportedRun[],
  elements: readonly ImportedElement[],
): ImportResult {
  const joined = joinRepeated(elements)
  const counts = groupBy(joined, (element) => element.kind)
  const count = (kind: ImportedElement['kind']): number => counts.get(kind)?.length ?? 0
  return {
    kind: 'imported',
    runs,
    elements: joined,
    drafts: joined.flatMap((element) => (element.kind === 'kept' ? [element.draft] : [])),
    accounting: {
      received: joined.length,
      kept: count('kept'),
      merged: count('merged'),
      suppressed: count('suppressed'),
      unlocated: count('unlocated'),
      rejected: count('rejected'),
    },
  }
}

/** The later of two kept elements is merged when both say the same, or carry one fingerprint of their tool. */
function joinRepeated(elements: readonly ImportedElement[]): ImportedElement[] {
  const seen = new Map<string, string>()
  return elements.map((element) => {
    if (element.kind !== 'kept') return element
    const keys = describeSameness(element.draft)
    const into = keys.map((key) => seen.get(key)).find((position) => position !== undefined)
    for (const key of keys) if (!seen.has(key)) seen.set(key, into ?? element.position)
    if (into === undefined) return element
    return { position: element.position, kind: 'merged', into }
  })
}

function describeSameness(draft: FindingDraft): string[] {
  const place = draft.affected_files[0]
  const rule = [draft.reporters.join('\n'), draft.rule_id ?? draft.category, place?.path ?? '']
  const whole = JSON.stringify([...rule, place, draft.title, draft.summary])
  if (draft.tool_fingerprint === undefined) return [whole]
  return [whole, JSON.stringify([...rule, draft.tool_fingerprint])]
}

/** `12 results in = 9 kept + 1 merged + 1 suppressed + 0 unlocated + 1 rejected`. */
export function renderImportAccounting(sum: ImportAccounting): string {
  const { received, ...parts } = sum
  const listed = Object.entries(parts).map(([name, count]) => `${count} ${name}`)
  return `${received} results in = ${listed.join(' + ')}`
}
