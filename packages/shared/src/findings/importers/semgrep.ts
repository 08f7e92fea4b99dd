import { z } from 'zod'

import type { AffectedFile, FindingDraft } from '../finding.ts'
import { parseLineRange } from '../grounding/lines.ts'
import { createArtifactResolver } from '../sarif/artifacts.ts'
import { readCwe } from '../sarif/classify.ts'
import type { Lens } from '../lens.ts'
import { parseLens } from '../lens.ts'
import { parseConfidence, parseSeverity, type Severity } from '../severity.ts'
import {
  completeImport,
  type ImportedElement,
  type ImportOptions,
  type ImportResult,
} from './import-outcome.ts'
import { createScrubber } from './scrub.ts'
import { dropQuotes, looksForSecrets } from './secrets.ts'

const PositionSchema = z.looseObject({ line: z.unknown().optional() }).optional().catch(undefined)

const ResultSchema = z.looseObject({
  check_id: z.string(),
  path: z.string(),
  start: PositionSchema,
  end: PositionSchema,
  extra: z
    .looseObject({
      message: z.string().optional().catch(undefined),
      severity: z.string().optional().catch(undefined),
      metadata: z.record(z.string(), z.unknown()).optional().catch(undefined),
      lines: z.string().optional().catch(undefined),
      fix: z.string().optional().catch(undefined),
      fingerprint: z.string().optional().catch(undefined),
      is_ignored: z.boolean().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
})
type SemgrepResult = z.infer<typeof ResultSchema>

const ReportSchema = z.looseObject({
  version: z.string().optional().catch(undefined),
  results: z.array(z.unknown()),
  errors: z.array(z.unknown()).optional().catch(undefined),
  paths: z.unknown().optional(),
})

const ErrorSchema = z.looseObject({
  level: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  long_msg: z.string().optional().catch(undefined),
})

/** What semgrep puts into fields that it only fills for people who are logged in. */
const WITHHELD = 'requires login'

/** Whether a value looks like the output of `semgrep --json` or `opengrep --json`. */
export function isSemgrepReport(value: unknown): boolean {
  const report = ReportSchema.safeParse(value).data
  return report !== undefined && (report.errors !== undefined || report.paths !== undefined)
}

/** Reads the output of `semgrep --json`. */
export function importSemgrep(value: unknown, options: ImportOptions): ImportResult {
  const report = ReportSchema.safeParse(value).data
  if (report === undefined) return { kind: 'invalid', reason: 'it has no list of results' }
  const artifacts = createArtifactResolver(options.files, options.root)
  const elements = report.results.map((raw, index): ImportedElement => {
    const position = `results[${index}]`
    const result = ResultSchema.safeParse(raw).data
    if (result === undefined) {
      return { position, kind: 'rejected', reason: 'it has no check_id or no path' }
    }
    const location = artifacts.resolvePath(result.path)
    const draft = buildDraft(result, location.kind === 'inside' ? location.path : undefined)
    if (result.extra?.is_ignored === true) return { position, kind: 'suppressed', draft }
    return location.kind === 'inside'
      ? { position, kind: 'kept', draft }
      : { position, kind: 'unlocated', draft, reason: location.reason }
  })
  const scrub = createScrubber(artifacts.listForeignDirectories([]))
  const run = {
    tool: 'semgrep',
    ...(report.version === undefined ? {} : { version: report.version }),
    outcome: { kind: 'ran' as const },
    notes: listErrors(report.errors ?? []),
  }
  return completeImport(
    [scrub(run)],
    elements.map((element) => scrub(element)),
  )
}

function listErrors(errors: readonly unknown[]): string[] {
  return errors.flatMap((raw) => {
    const error = ErrorSchema.safeParse(raw).data
    const text = error?.long_msg ?? error?.message
    return error?.level === 'error' && text !== undefined ? [text] : []
  })
}

const severityOfWord: Readonly<Record<string, Severity>> = {
  error: 'high',
  warning: 'medium',
  inventory: 'info',
  experiment: 'info',
}

function buildDraft(result: SemgrepResult, path: string | undefined): FindingDraft {
  const { extra, check_id: ruleId } = result
  const metadata = extra?.metadata ?? {}
  const message = extra?.message?.trim() || ruleId
  const word = extra?.severity?.toLowerCase() ?? ''
  const cwe = readCwe([metadata.cwe].flat().filter((item) => typeof item === 'string'))
  const fingerprint = readGiven(extra?.fingerprint)
  const places = path === undefined ? [] : [readPlace(result, path)]
  return {
    title:
      message
        .split(/(?<=[.!?])\s|\n/)[0]
        ?.replace(/\.$/, '')
        .slice(0, 160) || ruleId,
    category: typeof metadata.category === 'string' ? metadata.category : ruleId,
    lens: readLens(metadata.category, cwe),
    severity: parseSeverity(word) ?? severityOfWord[word] ?? 'medium',
    confidence: parseConfidence(metadata.confidence) ?? 'medium',
    summary: message,
    affected_files: looksForSecrets(cwe, [ruleId]) ? dropQuotes(places) : places,
    source: 'import',
    reporters: ['semgrep'],
    rule_id: ruleId,
    ...(cwe === undefined ? {} : { cwe }),
    ...(extra?.fix === undefined ? {} : { suggestion: `Replace with: ${extra.fix}` }),
    ...(fingerprint === undefined ? {} : { tool_fingerprint: fingerprint }),
  }
}

function readPlace(result: SemgrepResult, path: string): AffectedFile {
  const quote = readGiven(result.extra?.lines)?.trim()
  const range = parseLineRange(result.start?.line, result.end?.line)
  return { path, ...range, ...(quote ? { quoted_text: quote } : {}) }
}

function readGiven(text: string | undefined): string | undefined {
  return text === undefined || text === WITHHELD || text.trim() === '' ? undefined : text
}

function readLens(category: unknown, cwe: string | undefined): Lens {
  if (cwe !== undefined) return 'security'
  return parseLens(category === 'best-practice' ? 'maintainability' : category) ?? 'correctness'
}
