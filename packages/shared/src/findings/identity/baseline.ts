import type { Finding } from '../finding.ts'
import { mintFreeId } from './identity.ts'
import { matchFindings } from './match.ts'

export interface BaselineInput {
  /** Findings of the run before that were open. */
  readonly open: readonly Finding[]
  /** Findings that were seen resolved earlier. */
  readonly resolved: readonly Finding[]
  /** Findings of this run, merged. */
  readonly current: readonly Finding[]
  /** Whether this run looked again, with success, where `finding` was: same file, same lens or analyzer. */
  wasRechecked(finding: Finding): boolean
  /** Text of a file of this run's snapshot, or undefined when it has none of that path. */
  readText(path: string): string | undefined
}

/** Why a finding of the baseline is not among those of this run. */
export type VanishedReason = 'file_gone' | 'code_gone' | 'not_reported'

export interface BaselineComparison {
  /** This run's findings with their states; those that are known carry the id they had. */
  readonly findings: readonly Finding[]
  readonly resolved: readonly { readonly finding: Finding; readonly reason: VanishedReason }[]
  /** Open before and not looked at again: they stay open, they are never taken for fixed. */
  readonly notRechecked: readonly Finding[]
}

/**
 * Sets this run's findings against the baseline. Each finding of this run is new, persisting, moved or reopened; each
 * open one of the baseline is matched, resolved or not re-checked.
 */
export function compareWithBaseline(input: BaselineInput): BaselineComparison {
  const openMatches = matchFindings(input.open, input.current)
  const knownOf = new Map(openMatches.map(({ known, current }) => [current, known]))
  const rest = input.current.filter((finding) => !knownOf.has(finding))
  const reopened = new Map(
    matchFindings(input.resolved, rest).map(({ known, current }) => [current, known]),
  )
  const taken = new Set([...knownOf.values(), ...reopened.values()].map(({ id }) => id))
  const findings = input.current.map((finding) => {
    const open = knownOf.get(finding)
    if (open !== undefined) return { ...finding, id: open.id, state: readOpenState(open, finding) }
    const old = reopened.get(finding)
    if (old !== undefined) return { ...finding, id: old.id, state: 'reopened' as const }
    const id = taken.has(finding.id) ? mintFreeId(finding.fingerprints.primary, taken) : finding.id
    taken.add(id)
    return { ...finding, id, state: 'new' as const }
  })
  const matched = new Set(openMatches.map(({ known }) => known))
  const vanished = input.open.filter((finding) => !matched.has(finding))
  const resolved: { finding: Finding; reason: VanishedReason }[] = []
  const notRechecked: Finding[] = []
  for (const finding of vanished) {
    const reason = explainVanished(finding, input)
    if (reason === undefined) notRechecked.push(finding)
    else resolved.push({ finding, reason })
  }
  return { findings, resolved, notRechecked }
}

function readOpenState(known: Finding, current: Finding): 'persisting' | 'moved' {
  return known.affected_files[0]?.path === current.affected_files[0]?.path ? 'persisting' : 'moved'
}

/** Why it counts as resolved, or undefined when this run cannot tell. */
function explainVanished(finding: Finding, input: BaselineInput): VanishedReason | undefined {
  const place = finding.affected_files[0]
  const text = place === undefined ? undefined : input.readText(place.path)
  if (place !== undefined && text === undefined) return 'file_gone'
  if (!input.wasRechecked(finding)) return undefined
  const quote = place?.quoted_text?.trim()
  if (text !== undefined && quote !== undefined && !text.includes(quote)) return 'code_gone'
  return 'not_reported'
}

export interface DismissalsApplied {
  readonly active: readonly Finding[]
  /** Findings a person dismissed, with the dismissal. */
  readonly known: readonly Finding[]
}

/**
 * Sets aside what a person dismissed, also when it comes back in other words, on other lines or in a renamed file. A
 * dismissal whose `until` has passed at `nowMs` (epoch milliseconds) no longer counts.
 */
export function applyDismissals(
  findings: readonly Finding[],
  dismissed: readonly Finding[],
  nowMs: number,
): DismissalsApplied {
  const inForce = dismissed.filter(({ dismissal }) => {
    const untilMs = dismissal?.until === undefined ? Infinity : Date.parse(dismissal.until)
    return dismissal !== undefined && !(untilMs <= nowMs)
  })
  const knownOf = new Map(
    matchFindings(inForce, findings).map(({ known, current }) => [current, known]),
  )
  const known: Finding[] = []
  const active: Finding[] = []
  for (const finding of findings) {
    const old = knownOf.get(finding)
    if (old?.dismissal === undefined) active.push(finding)
    else known.push({ ...finding, id: old.id, dismissal: old.dismissal })
  }
  return { active, known }
}
