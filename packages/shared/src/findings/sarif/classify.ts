import { looksForSecrets } from '../importers/secrets.ts'
import type { Lens } from '../lens.ts'
import { parseLens } from '../lens.ts'
import type { Confidence, Severity } from '../severity.ts'
import { parseConfidence, parseSeverity } from '../severity.ts'
import type { SarifResult, SarifRule } from './log.ts'
import type { ResolvedRule } from './rules.ts'

/** Severity by the tool's score, its own word, the level, or the rank, in this order. */
export function readSeverity(result: SarifResult, rule: SarifRule | undefined): Severity {
  const own = { ...rule?.properties, ...result.properties }
  const word = parseSeverity(result.properties?.severity ?? result.properties?.issue_severity)
  return (
    word ??
    readScore(own['security-severity']) ??
    readLevel(result.level) ??
    (result.level === undefined ? readRank(result.rank) : undefined) ??
    readLevel(rule?.defaultConfiguration?.level) ??
    readRank(rule?.defaultConfiguration?.rank) ??
    'medium'
  )
}

const severityOfLevel: Readonly<Record<string, Severity>> = {
  error: 'high',
  warning: 'medium',
  note: 'low',
  none: 'info',
}

function readLevel(level: string | undefined): Severity | undefined {
  return severityOfLevel[level?.toLowerCase() ?? '']
}

/** The bands of CVSS 3. */
function readScore(value: unknown): Severity | undefined {
  const score = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof score !== 'number' || !(score >= 0 && score <= 10)) return undefined
  if (score >= 9) return 'critical'
  if (score >= 7) return 'high'
  if (score >= 4) return 'medium'
  return score > 0 ? 'low' : 'info'
}

/** 0 to 100; -1 is the default and says nothing. */
function readRank(rank: number | undefined): Severity | undefined {
  if (rank === undefined || rank < 0) return undefined
  if (rank >= 75) return 'high'
  if (rank >= 40) return 'medium'
  return rank >= 10 ? 'low' : 'info'
}

export function readConfidence(result: SarifResult, rule: SarifRule | undefined): Confidence {
  const word =
    result.properties?.confidence ??
    result.properties?.issue_confidence ??
    result.properties?.precision ??
    rule?.properties?.precision
  return word === 'very-high' ? 'high' : (parseConfidence(word) ?? 'medium')
}

export interface Classification {
  readonly lens: Lens
  readonly cwe?: string
  /** The rule looks for secrets: what it quotes must not be kept. */
  readonly isAboutSecrets: boolean
}

/** Lens, weakness class and whether secrets are at stake, from tags, taxa and properties. */
export function classify(
  result: SarifResult,
  { id, rule }: ResolvedRule,
  tool: string,
): Classification {
  const tags = [...listTexts(rule?.properties?.tags), ...listTexts(result.properties?.tags)]
  const cwe = readCwe([
    ...tags,
    ...listTexts(rule?.properties?.cwe),
    ...listTexts(result.properties?.cwe),
    ...listTaxa(result, rule),
  ])
  const isScored =
    rule?.properties?.['security-severity'] !== undefined ||
    result.properties?.['security-severity'] !== undefined
  const named = tags.map(parseLens).find((lens) => lens !== undefined)
  const lens =
    parseLens(result.properties?.lens) ??
    (cwe !== undefined || isScored ? 'security' : undefined) ??
    named ??
    readLensWord(tags) ??
    'correctness'
  const isAboutSecrets = looksForSecrets(cwe, [id ?? '', rule?.name ?? '', tool, ...tags])
  return { lens, isAboutSecrets, ...(cwe === undefined ? {} : { cwe }) }
}

/** Words that tools tag their rules with, where they are not a lens already. */
function readLensWord(tags: readonly string[]): Lens | undefined {
  const words = tags.join('\n').toLowerCase()
  if (/vulnerab|owasp|injection/.test(words)) return 'security'
  if (/readab|style|convention|complexity|duplicat|unused|deprecat/.test(words)) {
    return 'maintainability'
  }
  if (/efficien/.test(words)) return 'performance'
  return undefined
}

/** `CWE-79` from `external/cwe/cwe-079`, `CWE-79: Cross-site Scripting` or `cwe:79`. */
export function readCwe(texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const number = /\bcwe[-_/: ]*0*(\d{1,5})\b/i.exec(text)?.[1]
    if (number !== undefined) return `CWE-${number}`
  }
  return undefined
}

function listTaxa(result: SarifResult, rule: SarifRule | undefined): string[] {
  const targets = (rule?.relationships ?? []).map((relationship) => relationship?.target)
  return [...(result.taxa ?? []), ...targets].flatMap((taxon) => {
    if (taxon?.id === undefined) return []
    const isCwe = taxon.toolComponent?.name?.toUpperCase() === 'CWE'
    return [isCwe && /^\d+$/.test(taxon.id) ? `CWE-${taxon.id}` : taxon.id]
  })
}

function listTexts(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value]
  return values.filter((item): item is string => typeof item === 'string')
}
