import { compareText, formatCount, formatStableJson, groupBy } from '../../core/index.ts'
import type { Finding } from '../finding.ts'
import { compareFindings } from '../identity/merge.ts'
import type { AuditFindingsReport } from '../report.ts'
import { findWorstSeverity, type Severity } from '../severity.ts'

/** Limits of code scanning: https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning */
const MAX_RESULTS = 25_000
const MAX_TEXT_CHARACTERS = 1024
const MAX_TAGS = 20
const MAX_LOCATIONS = 100
const MAX_NOTIFICATIONS = 100

/** Names our identities among the fingerprints of a result. */
export const FINGERPRINT_PREFIX = 'auditTools/'

const ROOT_BASE_ID = '%SRCROOT%'

const levels = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
} as const satisfies Record<Severity, string>

/** Scores in the middle of the bands by which code scanning names a security severity. */
const scores = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.0',
  info: '0.0',
} as const satisfies Record<Severity, string>

const baselineStates = {
  new: 'new',
  persisting: 'unchanged',
  moved: 'updated',
  reopened: 'new',
} as const satisfies Record<Finding['state'], string>

export interface SarifOptions {
  /** The tool that writes: `audit-code`. */
  readonly tool: string
  readonly version: string
  /** Fewer results than code scanning takes, for tests. */
  readonly maxResults?: number
}

type SarifInput = Pick<AuditFindingsReport, 'findings' | 'known_findings' | 'gaps'>

/**
 * SARIF 2.1.0 text of a report: one run, with what a person dismissed as suppressed results. It keeps within the limits of
 * code scanning; when results must be left out, the mildest are, and a notification says how many. Paths are relative.
 */
export function renderSarif(report: SarifInput, options: SarifOptions): string {
  const maxResults = options.maxResults ?? MAX_RESULTS
  const all = [
    ...report.findings.toSorted(compareFindings),
    ...report.known_findings.toSorted(compareFindings),
  ]
  const findings = all.slice(0, maxResults)
  const rules = groupBy(
    findings.toSorted((left, right) => compareText(readRuleId(left), readRuleId(right))),
    readRuleId,
  )
  const ruleIndexes = new Map([...rules.keys()].map((id, index) => [id, index]))
  const cut = all.length - findings.length
  const notices = [
    ...(cut > 0 ? [`${formatCount(cut, 'result')} left out: at most ${maxResults} fit`] : []),
    ...report.gaps.map((gap) => `Not covered: ${gap.scope} ${gap.subject}: ${gap.reason}`),
  ]
  return formatStableJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: options.tool,
            semanticVersion: options.version,
            rules: [...rules].map(([id, group]) => renderRule(id, group)),
          },
        },
        automationDetails: { id: `${options.tool}/` },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: notices
              .slice(0, MAX_NOTIFICATIONS)
              .map((text) => ({ level: 'warning', message: { text: cutText(text) } })),
          },
        ],
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: {
          [ROOT_BASE_ID]: { description: { text: 'The root of the audited tree' } },
        },
        results: findings.map((finding) =>
          renderResult(finding, ruleIndexes.get(readRuleId(finding)) ?? -1),
        ),
      },
    ],
  })
}

function readRuleId(finding: Finding): string {
  return finding.rule_id ?? finding.category
}

function renderRule(id: string, findings: readonly Finding[]): object {
  const [first] = findings
  const severity = findWorstSeverity(findings.map((finding) => finding.severity))
  const security = findings.some((finding) => finding.lens === 'security')
  const cwes = findings.flatMap(({ cwe }) => (cwe === undefined ? [] : [cwe]))
  const tags = [
    ...(security ? ['security'] : []),
    ...findings.map((finding) => finding.lens),
    ...cwes.map((cwe) => `external/cwe/cwe-${cwe.slice('CWE-'.length).padStart(3, '0')}`),
  ]
  return {
    id,
    name: cutText(first?.category ?? id, 255),
    shortDescription: { text: cutText(first?.title ?? id) },
    fullDescription: { text: cutText(first?.summary || (first?.title ?? id)) },
    defaultConfiguration: { level: levels[severity] },
    properties: {
      tags: [...new Set(tags)].toSorted(compareText).slice(0, MAX_TAGS),
      precision: first?.confidence ?? 'medium',
      ...(security ? { 'security-severity': scores[severity] } : {}),
    },
  }
}

function renderResult(finding: Finding, ruleIndex: number): object {
  const { dismissal, fix } = finding
  return {
    ruleId: readRuleId(finding),
    ruleIndex,
    level: levels[finding.severity],
    message: { text: cutText(renderMessage(finding)) },
    locations: finding.affected_files.slice(0, MAX_LOCATIONS).map(renderLocation),
    partialFingerprints: {
      // The one that code scanning reads.
      primaryLocationLineHash: finding.fingerprints.primary,
      [`${FINGERPRINT_PREFIX}primary/v1`]: finding.fingerprints.primary,
      [`${FINGERPRINT_PREFIX}moved/v1`]: finding.fingerprints.moved,
    },
    baselineState: baselineStates[finding.state],
    ...(dismissal === undefined
      ? {}
      : {
          suppressions: [{ kind: 'external', status: 'accepted', justification: dismissal.reason }],
        }),
    ...(fix === undefined || fix.edits.length === 0 ? {} : { fixes: [renderFix(fix)] }),
    properties: {
      id: finding.id,
      title: finding.title,
      severity: finding.severity,
      confidence: finding.confidence,
      lens: finding.lens,
      category: finding.category,
      reporters: finding.reporters,
    },
  }
}

/** Title, then the summary where it says more. What would be read as a link to a related location is escaped. */
function renderMessage({ title, summary }: Finding): string {
  const text = summary === '' || summary === title ? title : `${title}. ${summary}`
  return text.replaceAll(/\[(?=[^\]]{0,500}\]\()/g, String.raw`\[`)
}

function renderLocation(place: Finding['affected_files'][number]): object {
  const { line_start: startLine, line_end: endLine, quoted_text: quote, symbol } = place
  const region =
    startLine === undefined
      ? {}
      : {
          region: {
            startLine,
            endLine: Math.max(startLine, endLine ?? startLine),
            ...(quote === undefined ? {} : { snippet: { text: quote } }),
          },
        }
  return {
    physicalLocation: { artifactLocation: renderArtifact(place.path), ...region },
    ...(symbol === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: symbol }] }),
  }
}

function renderFix(fix: NonNullable<Finding['fix']>): object {
  return {
    description: { text: fix.description },
    artifactChanges: [...groupBy(fix.edits, (edit) => edit.path)].map(([path, edits]) => ({
      artifactLocation: renderArtifact(path),
      replacements: edits.map(({ start, end, text }) => ({
        deletedRegion: { charOffset: start, charLength: end - start },
        insertedContent: { text },
      })),
    })),
  }
}

function renderArtifact(path: string): object {
  const uri = path.split('/').map(encodeURIComponent).join('/')
  return { uri, uriBaseId: ROOT_BASE_ID }
}

/** Cut between characters, never inside one. */
function cutText(text: string, maxCharacters = MAX_TEXT_CHARACTERS): string {
  if (text.length <= maxCharacters) return text
  const head = text.slice(0, maxCharacters - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${head}…`
}
