import { z } from 'zod'

import type { FindingDraft } from '../finding.ts'
import { readCwe } from '../sarif/classify.ts'
import { parseSeverity, type Severity } from '../severity.ts'
import {
  completeImport,
  type ImportedElement,
  type ImportOptions,
  type ImportResult,
} from './import-outcome.ts'

const text = z.string().optional().catch(undefined)

const AdvisorySchema = z.looseObject({
  source: z.union([z.number(), z.string()]).optional().catch(undefined),
  name: text,
  title: text,
  url: text,
  severity: text,
  range: text,
  cwe: z.array(z.string()).optional().catch(undefined),
})
type Advisory = z.infer<typeof AdvisorySchema>

const VulnerabilitySchema = z.looseObject({
  name: text,
  severity: text,
  isDirect: z.boolean().optional().catch(undefined),
  via: z.array(z.unknown()),
  range: text,
  fixAvailable: z.unknown().optional(),
})
type Vulnerability = z.infer<typeof VulnerabilitySchema>

const OldAdvisorySchema = z.looseObject({
  id: z.union([z.number(), z.string()]).optional().catch(undefined),
  module_name: z.string(),
  title: text,
  url: text,
  severity: text,
  vulnerable_versions: text,
  recommendation: text,
  cwe: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
})

const ReportSchema = z.looseObject({
  vulnerabilities: z.record(z.string(), z.unknown()).optional(),
  advisories: z.record(z.string(), z.unknown()).optional(),
  auditReportVersion: z.unknown().optional(),
  metadata: z.unknown().optional(),
  error: z.looseObject({ code: text, summary: text }).optional().catch(undefined),
})

/** Whether a value looks like the output of `npm audit --json`, of npm 6 or newer. */
export function isNpmAuditReport(value: unknown): boolean {
  const report = ReportSchema.safeParse(value).data
  if (report === undefined) return false
  if (report.error !== undefined) return report.vulnerabilities === undefined
  return (
    report.advisories !== undefined ||
    (report.vulnerabilities !== undefined && report.auditReportVersion !== undefined)
  )
}

/**
 * Reads the output of `npm audit --json`. Each advisory of a package is one element; a package that is only vulnerable
 * through another one is merged into that one's.
 */
export function importNpmAudit(value: unknown, options: ImportOptions): ImportResult {
  const report = ReportSchema.safeParse(value).data
  if (report === undefined) return { kind: 'invalid', reason: 'it is not an npm audit report' }
  const path = ['package-lock.json', 'npm-shrinkwrap.json', 'package.json'].find(
    (name) => options.files?.includes(name) ?? true,
  )
  const elements =
    report.vulnerabilities === undefined
      ? readOldAdvisories(report.advisories ?? {}, path)
      : readVulnerabilities(report.vulnerabilities, path)
  const { error } = report
  const reason = [error?.code, error?.summary].filter(Boolean).join(': ')
  const outcome =
    error === undefined
      ? { kind: 'ran' as const }
      : { kind: 'failed' as const, reason: reason || 'npm audit reported an error' }
  return completeImport([{ tool: 'npm-audit', outcome, notes: [] }], elements)
}

function readVulnerabilities(
  vulnerabilities: Readonly<Record<string, unknown>>,
  path: string | undefined,
): ImportedElement[] {
  return Object.entries(vulnerabilities).flatMap(([name, raw]): ImportedElement[] => {
    const position = `vulnerabilities.${name}`
    const vulnerability = VulnerabilitySchema.safeParse(raw).data
    if (vulnerability === undefined) {
      return [{ position, kind: 'rejected', reason: 'it has no list of causes (via)' }]
    }
    const advisories = vulnerability.via.flatMap((cause, index) => {
      const advisory = AdvisorySchema.safeParse(cause).data
      return advisory === undefined ? [] : [{ advisory, index }]
    })
    if (advisories.length > 0) {
      return advisories.map(({ advisory, index }) =>
        place(`${position}.via[${index}]`, describeAdvisory(name, advisory, vulnerability), path),
      )
    }
    const cause = vulnerability.via.find((item) => typeof item === 'string')
    return [
      cause !== undefined && cause in vulnerabilities
        ? { position, kind: 'merged', into: `vulnerabilities.${cause}` }
        : { position, kind: 'rejected', reason: 'none of its causes is in the file' },
    ]
  })
}

function readOldAdvisories(
  advisories: Readonly<Record<string, unknown>>,
  path: string | undefined,
): ImportedElement[] {
  return Object.entries(advisories).map(([id, raw]): ImportedElement => {
    const position = `advisories.${id}`
    const advisory = OldAdvisorySchema.safeParse(raw).data
    if (advisory === undefined) {
      return { position, kind: 'rejected', reason: 'it names no package (module_name)' }
    }
    const { module_name: name, vulnerable_versions: range, recommendation, cwe, ...rest } = advisory
    const parts: Advisory = { ...rest, source: id, range, cwe: [cwe ?? []].flat() }
    const draft = describeAdvisory(name, parts, undefined)
    const suggestion = recommendation ?? draft.suggestion
    return place(position, { ...draft, ...(suggestion ? { suggestion } : {}) }, path)
  })
}

function place(position: string, draft: FindingDraft, path: string | undefined): ImportedElement {
  if (path === undefined) {
    const reason = 'the tree has neither a package.json nor a lock file at its root'
    return { position, kind: 'unlocated', draft, reason }
  }
  return { position, kind: 'kept', draft: { ...draft, affected_files: [{ path }] } }
}

function describeAdvisory(
  name: string,
  advisory: Advisory,
  vulnerability: Vulnerability | undefined,
): FindingDraft {
  const id =
    /GHSA(?:-\w{4}){3}/.exec(advisory.url ?? '')?.[0] ?? `npm/${advisory.source ?? 'advisory'}`
  const range = advisory.range ?? vulnerability?.range
  const cwe = readCwe(advisory.cwe ?? [])
  const title = `${name}: ${advisory.title ?? 'known vulnerability'}`
  return {
    title,
    category: 'vulnerable-dependency',
    lens: 'security',
    severity: readSeverity(advisory.severity ?? vulnerability?.severity),
    confidence: 'high',
    summary: [title, range && `Affected versions: ${range}`, advisory.url]
      .filter(Boolean)
      .join('. '),
    affected_files: [],
    source: 'import',
    reporters: ['npm-audit'],
    rule_id: id,
    tool_fingerprint: name,
    ...(cwe === undefined ? {} : { cwe }),
    ...(vulnerability?.fixAvailable ? { suggestion: `Update ${name} (npm audit fix)` } : {}),
  }
}

/** npm says `moderate` where we say medium. */
function readSeverity(word: string | undefined): Severity {
  return word?.toLowerCase() === 'moderate' ? 'medium' : (parseSeverity(word) ?? 'medium')
}
