import { formatStableJson } from '../../core/index.ts'
import type { AffectedFile, FindingDraft } from '../finding.ts'
import { parseLineRange } from '../grounding/lines.ts'
import {
  completeImport,
  type ImportedElement,
  type ImportOptions,
  type ImportResult,
  MAX_IMPORTED_RESULTS,
} from '../importers/import-outcome.ts'
import { readJson } from '../importers/read-json.ts'
import { createScrubber } from '../importers/scrub.ts'
import { dropQuotes } from '../importers/secrets.ts'
import { type ArtifactResolver, createArtifactResolver } from './artifacts.ts'
import { classify, readConfidence, readSeverity } from './classify.ts'
import { readFix } from './fixes.ts'
import { describeRun, listResults, readToolName } from './invocations.ts'
import {
  LogSchema,
  ResultSchema,
  RunSchema,
  type SarifLocation,
  type SarifResult,
  type SarifRun,
} from './log.ts'
import { FINGERPRINT_PREFIX } from './render.ts'
import { readMessage, type ResolvedRule, resolveRule } from './rules.ts'

/** Kinds of result that say something is, or may be, wrong. */
const PROBLEM_KINDS = new Set(['fail', 'open', 'review'])

/** Longer snippets are not quotes but whole files. */
const MAX_QUOTE_CHARACTERS = 4000

/**
 * Reads SARIF 2.1.0 from any tool. Every result of the file is kept, merged (the same result again), suppressed,
 * unlocated (no file of the tree) or rejected with a reason, and runs that failed are told apart from runs that found
 * nothing. No absolute path of the machine that wrote the file gets through.
 */
export function importSarif(input: string | Uint8Array, options: ImportOptions = {}): ImportResult {
  const json = readJson(input)
  if (json.kind === 'invalid') return json
  const log = LogSchema.safeParse(json.value)
  if (!log.success) return { kind: 'invalid', reason: 'it is JSON but not SARIF: it has no runs' }
  const { version } = log.data
  if (version !== undefined && !version.startsWith('2.1.0')) {
    return { kind: 'invalid', reason: `it is SARIF ${version}; only 2.1.0 is read` }
  }
  const artifacts = createArtifactResolver(options.files, options.root)
  const runs = log.data.runs.map((raw) => readRun(raw))
  const elements: ImportedElement[] = []
  for (const [runIndex, run] of runs.entries()) {
    const reader = createResultReader(run, artifacts, options)
    for (const [index, raw] of listResults(run).entries()) {
      const position = `runs[${runIndex}].results[${index}]`
      elements.push(
        elements.length < MAX_IMPORTED_RESULTS
          ? { position, ...reader(raw) }
          : {
              position,
              kind: 'rejected',
              reason: `over ${MAX_IMPORTED_RESULTS} results in a file`,
            },
      )
    }
  }
  const scrub = createScrubber(artifacts.listForeignDirectories(runs))
  return completeImport(
    runs.map((run) => scrub(describeRun(run))),
    elements.map((element) => scrub(element)),
  )
}

/** A run that is not an object has no results; `describeRun` says so. */
function readRun(raw: unknown): SarifRun {
  return RunSchema.safeParse(raw).data ?? { results: 'none, as the run is not an object' }
}

type ElementBody = ImportedElement extends infer Element
  ? Element extends { position: string }
    ? Omit<Element, 'position'>
    : never
  : never

function createResultReader(
  run: SarifRun,
  artifacts: ArtifactResolver,
  options: ImportOptions,
): (raw: unknown) => ElementBody {
  const tool = readToolName(run)
  const countFingerprint = createCounter()
  return (raw) => {
    const parsed = ResultSchema.safeParse(raw)
    if (!parsed.success) return { kind: 'rejected', reason: 'it is not an object' }
    const result = parsed.data
    const problem = explainNoFinding(result)
    if (problem !== undefined) return { kind: 'rejected', reason: problem }
    const resolved = resolveRule(result, run)
    const summary = readMessage(result.message, resolved)
    if (summary === '' && resolved.id === undefined) {
      return { kind: 'rejected', reason: 'it has neither a message nor a rule' }
    }
    const { places, reason } = readPlaces(result, run, artifacts)
    const draft = buildDraft({ result, resolved, tool, summary, places })
    const fingerprint = readFingerprint(result)
    const complete: FindingDraft = {
      ...draft,
      ...readRepair(result, run, artifacts, options),
      ...(fingerprint === undefined
        ? {}
        : {
            tool_fingerprint: countFingerprint(
              fingerprint,
              `${draft.rule_id ?? ''}\n${places[0]?.path ?? ''}`,
            ),
          }),
    }
    const suppression = readSuppression(result)
    if (suppression !== undefined) return { kind: 'suppressed', draft: complete, ...suppression }
    if (reason !== undefined) return { kind: 'unlocated', draft: complete, reason }
    return { kind: 'kept', draft: complete }
  }
}

function explainNoFinding(result: SarifResult): string | undefined {
  if (result.kind !== undefined && !PROBLEM_KINDS.has(result.kind)) {
    return `its kind is ${result.kind}, which reports no problem`
  }
  return result.baselineState === 'absent' ? 'its baselineState says that it is gone' : undefined
}

function buildDraft(parts: {
  result: SarifResult
  resolved: ResolvedRule
  tool: string
  summary: string
  places: AffectedFile[]
}): FindingDraft {
  const { result, resolved, tool, summary, places } = parts
  const { lens, cwe, isAboutSecrets } = classify(result, resolved, tool)
  const { category, title } = result.properties ?? {}
  const help = resolved.rule?.help?.text ?? resolved.rule?.fullDescription?.text
  return {
    title:
      typeof title === 'string' && title !== ''
        ? title
        : makeTitle(resolved.rule?.shortDescription?.text ?? summary, resolved.id),
    category: typeof category === 'string' && category !== '' ? category : (resolved.id ?? tool),
    lens,
    severity: readSeverity(result, resolved.rule),
    confidence: readConfidence(result, resolved.rule),
    summary: summary === '' ? (help ?? resolved.id ?? '') : summary,
    affected_files: isAboutSecrets ? dropQuotes(places) : places,
    source: 'import',
    reporters: [tool],
    ...(resolved.id === undefined ? {} : { rule_id: resolved.id }),
    ...(cwe === undefined ? {} : { cwe }),
  }
}

/** The first sentence, on one line. */
function makeTitle(text: string, ruleId: string | undefined): string {
  const line = text.trim().split(/\r?\n/)[0] ?? ''
  const sentence = /^.{8,}?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
  const title = sentence.replace(/\.$/, '')
  if (title === '') return ruleId ?? 'Untitled result'
  return title.length > 160 ? `${title.slice(0, 159)}…` : title
}

function readPlaces(
  result: SarifResult,
  run: SarifRun,
  artifacts: ArtifactResolver,
): { places: AffectedFile[]; reason?: string } {
  const places: AffectedFile[] = []
  let reason: string | undefined
  for (const location of result.locations ?? []) {
    const artifact = location?.physicalLocation?.artifactLocation
    if (!location || artifact === undefined) continue
    const resolution = artifacts.resolve(artifact, run)
    if (resolution.kind === 'inside') places.push(readPlace(resolution.path, location))
    else reason ??= resolution.reason
  }
  if (places.length > 0) return { places }
  return { places, reason: reason ?? 'it names no file' }
}

function readPlace(path: string, location: SarifLocation): AffectedFile {
  const region = location.physicalLocation?.region
  const range = parseLineRange(region?.startLine, region?.endLine)
  const snippet = region?.snippet?.text?.trimEnd().replace(/^(?:[ \t]*\r?\n)+/, '') ?? ''
  const [logical] = location.logicalLocations ?? []
  const symbol = logical?.fullyQualifiedName ?? logical?.name
  const isQuote = snippet.trim() !== '' && snippet.length <= MAX_QUOTE_CHARACTERS
  return {
    path,
    ...range,
    ...(symbol === undefined ? {} : { symbol }),
    ...(isQuote ? { quoted_text: snippet } : {}),
  }
}

/** Suppressed when it has suppressions and none of them is rejected or still under review. */
function readSuppression(result: SarifResult): { justification?: string } | undefined {
  const suppressions = (result.suppressions ?? []).filter((item) => item !== null)
  const isAccepted = suppressions.every(
    ({ status }) => status === undefined || status === 'accepted',
  )
  if (suppressions.length === 0 || !isAccepted) return undefined
  const justification = suppressions.find((item) => item.justification)?.justification
  return justification === undefined ? {} : { justification }
}

/**
 * The fingerprint by which the tool, or code scanning, recognises a result across runs. None for results of ours:
 * their identity is made anew from the content.
 */
function readFingerprint(result: SarifResult): string | undefined {
  const { fingerprints = {}, partialFingerprints: partial = {} } = result
  if (Object.keys(partial).some((key) => key.startsWith(FINGERPRINT_PREFIX))) return undefined
  if (typeof partial.primaryLocationLineHash === 'string') return partial.primaryLocationLineHash
  const set = [fingerprints, partial].find((values) => Object.keys(values).length > 0)
  return set === undefined ? undefined : formatStableJson(set)
}

/** A second result of one run with the same fingerprint is another result: it gets a number. */
function createCounter(): (fingerprint: string, scope: string) => string {
  const counts = new Map<string, number>()
  return (fingerprint, scope) => {
    const key = `${scope}\n${fingerprint}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count === 1 ? fingerprint : `${fingerprint}#${count}`
  }
}

function readRepair(
  result: SarifResult,
  run: SarifRun,
  artifacts: ArtifactResolver,
  options: ImportOptions,
): Pick<FindingDraft, 'fix'> {
  const { readText } = options
  if (readText === undefined || result.fixes === undefined) return {}
  const fix = readFix(result.fixes, {
    columnKind: run.columnKind === 'unicodeCodePoints' ? 'unicodeCodePoints' : 'utf16CodeUnits',
    readText,
    resolve(location) {
      const resolution = artifacts.resolve(location, run)
      return resolution.kind === 'inside' ? resolution.path : undefined
    },
  })
  return fix === undefined ? {} : { fix }
}
