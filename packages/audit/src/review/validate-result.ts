import { escapeControls } from '@audit-tools/shared/core'
import type { FindingDraft } from '@audit-tools/shared/findings'
import { z } from 'zod'

import { readLegacyResults } from './legacy-results.ts'
import type { ParsedReply } from './parse-reply.ts'
import type { ReviewScope } from './review-scope.ts'
import { FileReviewSchema, type ReviewedFinding, ReviewedFindingSchema } from './result-schema.ts'

/** Says to the next reviewer, and to the reader of the run, what was wrong with one element. */
export interface RepairTicket {
  /** `findings[3]`. */
  readonly element: string
  readonly problem: string
  /** The element as it came, cut to a readable length. */
  readonly received: string
  /** The assigned file it speaks of, when it names one: that file stays open. */
  readonly path: string | null
}

export interface ValidatedResult {
  readonly drafts: readonly FindingDraft[]
  readonly tickets: readonly RepairTicket[]
  /** Assigned files that the reviewer read to the end, by its own list; sorted as assigned. */
  readonly covered: readonly string[]
  readonly uncovered: readonly string[]
  readonly truncated: boolean
  /** Elements in the reply = drafts + tickets. */
  readonly received: number
}

const EnvelopeSchema = z.looseObject({
  files_reviewed: z.array(z.unknown()).optional(),
  findings: z.array(z.unknown()).optional(),
})

const MAX_RECEIVED = 400

/**
 * Checks a parsed reply element by element: a bad element becomes a ticket and never sinks its siblings. A file counts
 * as covered only when it was assigned, the reviewer lists it, and no element about it was refused.
 */
export function validateResult(
  reply: Extract<ParsedReply, { kind: 'parsed' }>,
  scope: ReviewScope,
  reporter: string,
): ValidatedResult {
  const drafts: FindingDraft[] = []
  const tickets: RepairTicket[] = []
  const named = new Set<string>()
  for (const document of readLegacyResults(reply, scope)) {
    const envelope = EnvelopeSchema.safeParse(document)
    if (!envelope.success) {
      tickets.push(makeTicket('reply', envelope.error, document, null))
      continue
    }
    for (const path of readReviewedPaths(document, reply.truncated)) named.add(path)
    for (const [index, element] of (envelope.data.findings ?? []).entries()) {
      const outcome = readFinding(element, `findings[${index}]`, scope)
      if ('ticket' in outcome) tickets.push(outcome.ticket)
      else drafts.push(makeDraft(outcome.finding, reporter))
    }
  }
  const open = new Set(tickets.map((ticket) => ticket.path))
  const covered = scope.paths.filter((path) => named.has(path) && !open.has(path))
  const uncovered = scope.paths.filter((path) => !covered.includes(path))
  const received = drafts.length + tickets.length
  return { drafts, tickets, covered, uncovered, truncated: reply.truncated, received }
}

/**
 * In a cut reply only a list of files that came after the findings counts: where the findings themselves were being
 * written, nobody knows what was still to come.
 */
function readReviewedPaths(document: unknown, truncated: boolean): string[] {
  const envelope = EnvelopeSchema.parse(document)
  // Key order as received; zod's own output starts with the keys it knows.
  const keys = Object.keys(document as object)
  const cut = truncated && keys.indexOf('findings') > keys.indexOf('files_reviewed')
  if (cut || (truncated && !keys.includes('findings'))) return []
  return (envelope.files_reviewed ?? []).flatMap((element) => {
    if (typeof element === 'string') return [normalizePath(element)]
    const parsed = FileReviewSchema.safeParse(element)
    return parsed.success ? [normalizePath(parsed.data.path)] : []
  })
}

function readFinding(
  element: unknown,
  name: string,
  scope: ReviewScope,
): { finding: ReviewedFinding } | { ticket: RepairTicket } {
  const flat = flattenAffectedFiles(element)
  const parsed = ReviewedFindingSchema.safeParse(flat)
  const path = readPath(flat)
  const assigned = path !== undefined && scope.paths.includes(path) ? path : null
  if (!parsed.success) return { ticket: makeTicket(name, parsed.error, element, assigned) }
  return { finding: { ...parsed.data, path: normalizePath(parsed.data.path) } }
}

/** Reviewers also write places as reports do: `affected_files: [{ path, line_start }]`, or a list of paths. */
function flattenAffectedFiles(element: unknown): unknown {
  const parsed = z.looseObject({ affected_files: z.array(z.unknown()).min(1) }).safeParse(element)
  if (!parsed.success) return element
  const [first] = parsed.data.affected_files
  const place = typeof first === 'string' ? { path: first } : first
  const { affected_files: _places, ...rest } = parsed.data
  const quote = z.looseObject({ quoted_text: z.string() }).safeParse(place)
  return {
    ...(place as object),
    ...(quote.success ? { quote: quote.data.quoted_text } : {}),
    ...rest,
  }
}

function readPath(element: unknown): string | undefined {
  const parsed = z.looseObject({ path: z.string() }).safeParse(element)
  return parsed.success ? normalizePath(parsed.data.path) : undefined
}

function normalizePath(path: string): string {
  return path.trim().replaceAll('\\', '/').replace(/^\.\//, '').normalize('NFC')
}

function makeTicket(
  element: string,
  error: z.ZodError,
  received: unknown,
  path: string | null,
): RepairTicket {
  const problem = error.issues
    .map((issue) => `${issue.path.map(String).join('.') || 'element'}: ${issue.message}`)
    .join('; ')
  const text = escapeControls(JSON.stringify(received) ?? String(received))
  return { element, problem, received: text.slice(0, MAX_RECEIVED), path }
}

function makeDraft(finding: ReviewedFinding, reporter: string): FindingDraft {
  const { path, line_start, line_end, quote } = finding
  return {
    title: finding.title,
    category: finding.lens,
    lens: finding.lens,
    severity: finding.severity,
    confidence: finding.confidence,
    summary: finding.summary,
    affected_files: [
      {
        path,
        ...(line_start === undefined ? {} : { line_start }),
        ...(line_start === undefined || line_end === undefined || line_end < line_start
          ? {}
          : { line_end }),
        ...(quote === null || quote === undefined || quote === '' ? {} : { quoted_text: quote }),
      },
    ],
    ...pickText(finding, ['impact', 'suggestion']),
    ...(finding.evidence?.length ? { evidence: finding.evidence } : {}),
    ...(finding.reproduction?.length ? { reproduction: finding.reproduction } : {}),
    source: 'reviewer',
    reporters: [reporter],
  }
}

function pickText<Key extends 'impact' | 'suggestion'>(
  finding: ReviewedFinding,
  keys: readonly Key[],
): Partial<Record<Key, string>> {
  const entries = keys.flatMap((key) => (finding[key] ? [[key, finding[key]] as const] : []))
  return Object.fromEntries(entries) as Partial<Record<Key, string>>
}
