import { compareText, hashParts, groupBy } from '../../core/index.ts'
import type { Finding, FindingDraft, Grounding } from '../finding.ts'
import { formatWindow } from './tokens.ts'

/** A draft after grounding: its places are checked, and the tool knows which text it stands on. */
export interface LocatedDraft {
  readonly draft: FindingDraft
  readonly grounding: Grounding
  /** The text it stands on and the how-manieth of its kind in the file; absent where no text could be read. */
  readonly place?: { readonly window: string; readonly occurrence: number }
}

/** The rule, or for reporters without rules the category, in a form that is compared. */
export function readFamily(finding: Pick<Finding, 'rule_id' | 'category'>): string {
  return (finding.rule_id ?? finding.category).trim().toLowerCase()
}

/**
 * Gives every draft its fingerprints and id, from content alone: who reported it, in what words and on which line does
 * not matter, so equal places under one rule get equal identities. What one reporter holds apart stays apart: equal
 * quotes count by their order in the file, equal places by their titles.
 *
 * Returns findings in the order of the drafts, all with state `new`; `mergeFindings` then joins equal ones.
 */
export function assignIdentity(drafts: readonly LocatedDraft[]): Finding[] {
  const keyed = drafts.map((located) => ({ located, keys: computeKeys(located) }))
  const ordinals = new Map<LocatedDraft, string>()
  for (const group of groupBy(keyed, ({ keys }) => keys.primary).values()) {
    const members = group.map(({ located }) => located)
    for (const [occurrence, same] of groupByOccurrence(members)) {
      for (const [located, suffix] of separateTitles(same)) {
        ordinals.set(located, `${occurrence}${suffix}`)
      }
    }
  }
  const identities = keyed.map(({ located, keys }) => {
    const ordinal = ordinals.get(located) ?? '1'
    return { primary: `${keys.primary}:${ordinal}`, moved: `${keys.moved}:${ordinal}` }
  })
  const ids = mintIds(identities.map(({ primary }) => primary))
  return keyed.map(({ located }, index) => {
    const { tool_fingerprint: _, ...draft } = located.draft
    const fingerprints = identities[index] ?? { primary: '', moved: '' }
    return {
      ...draft,
      id: ids.get(fingerprints.primary) ?? '',
      grounding: located.grounding,
      fingerprints,
      state: 'new' as const,
    }
  })
}

function computeKeys({ draft, place }: LocatedDraft): { primary: string; moved: string } {
  const main = draft.affected_files[0]
  const window = place?.window ?? readWindowWithoutText(draft)
  const parts = [readFamily(draft), main?.symbol ?? '', window]
  return {
    primary: hashParts(['primary', main?.path.normalize('NFC') ?? '', ...parts]).slice(0, 32),
    moved: hashParts(['moved', ...parts]).slice(0, 32),
  }
}

function readWindowWithoutText(draft: FindingDraft): string {
  if (draft.tool_fingerprint !== undefined) return `fingerprint ${draft.tool_fingerprint}`
  const quote = formatWindow(draft.affected_files[0]?.quoted_text ?? '')
  return quote === '' ? `title ${formatWindow(draft.title.toLowerCase())}` : quote
}

/** Splits drafts with equal keys by place: the order in the file where it is known, else the order of their lines. */
function groupByOccurrence(members: readonly LocatedDraft[]): Map<number, LocatedDraft[]> {
  const lines = members
    .filter((located) => located.place === undefined)
    .map(({ draft }) => draft.affected_files[0]?.line_start ?? 0)
  const distinct = [...new Set(lines)].toSorted((left, right) => left - right)
  return groupBy(members, ({ draft, place }) => {
    if (place !== undefined) return place.occurrence
    if (draft.tool_fingerprint !== undefined) return 1
    return distinct.indexOf(draft.affected_files[0]?.line_start ?? 0) + 1
  })
}

/** One reporter with two titles for one place means two findings; several reporters with one title each mean one. */
function separateTitles(members: readonly LocatedDraft[]): [LocatedDraft, string][] {
  const titlesOf = new Map<string, Set<string>>()
  for (const { draft } of members) {
    for (const reporter of draft.reporters) {
      const titles = titlesOf.get(reporter) ?? new Set()
      titlesOf.set(reporter, titles.add(formatTitle(draft)))
    }
  }
  if (Math.max(0, ...[...titlesOf.values()].map((titles) => titles.size)) <= 1) {
    return members.map((located) => [located, ''])
  }
  const titles = [...new Set(members.map(({ draft }) => formatTitle(draft)))].toSorted(compareText)
  return members.map((located) => {
    const rank = titles.indexOf(formatTitle(located.draft))
    return [located, rank === 0 ? '' : `.${rank + 1}`]
  })
}

function formatTitle(draft: FindingDraft): string {
  return formatWindow(draft.title.toLowerCase())
}

/** `F-` and ten hexadecimal digits for each fingerprint; the rare clash takes the next free hash, in sorted order. */
function mintIds(fingerprints: readonly string[]): Map<string, string> {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  for (const fingerprint of [...new Set(fingerprints)].toSorted(compareText)) {
    const id = mintFreeId(fingerprint, taken)
    taken.add(id)
    ids.set(fingerprint, id)
  }
  return ids
}

/** The first id made from `fingerprint` that is not in `taken`. */
export function mintFreeId(fingerprint: string, taken: ReadonlySet<string>): string {
  for (let attempt = 0; ; attempt += 1) {
    const parts = attempt === 0 ? [fingerprint] : [fingerprint, String(attempt)]
    const id = `F-${hashParts(parts).slice(0, 10)}`
    if (!taken.has(id)) return id
  }
}
