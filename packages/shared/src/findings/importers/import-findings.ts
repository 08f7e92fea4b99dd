import { importSarif } from '../sarif/import.ts'
import { importEslint, isEslintReport } from './eslint.ts'
import type { ImportOptions, ImportResult } from './import-outcome.ts'
import { importNpmAudit, isNpmAuditReport } from './npm-audit.ts'
import { readJson } from './read-json.ts'
import { importSemgrep, isSemgrepReport } from './semgrep.ts'

export const importFormats = ['sarif', 'eslint', 'semgrep', 'npm-audit', 'audit-findings'] as const

export type ImportFormat = (typeof importFormats)[number]

/** Which of the formats a file is in, by the shape of its JSON; undefined for none of them. */
export function detectFormat(input: string | Uint8Array): ImportFormat | undefined {
  const json = readJson(input)
  return json.kind === 'ok' ? detectShape(json.value) : undefined
}

function detectShape(value: unknown): ImportFormat | undefined {
  if (isEslintReport(value)) return 'eslint'
  if (typeof value !== 'object' || value === null) return undefined
  if ('runs' in value && Array.isArray(value.runs)) return 'sarif'
  if ('findings' in value && Array.isArray(value.findings)) return 'audit-findings'
  if (isSemgrepReport(value)) return 'semgrep'
  return isNpmAuditReport(value) ? 'npm-audit' : undefined
}

/** Reads what an outside analyzer wrote, in any format that is known here. */
export function importAnalyzerResults(
  input: string | Uint8Array,
  options: ImportOptions = {},
): ImportResult {
  const json = readJson(input)
  if (json.kind === 'invalid') return json
  switch (detectShape(json.value)) {
    case 'sarif':
      return importSarif(input, options)
    case 'eslint':
      return importEslint(isEslintReport(json.value) ? json.value : [], options)
    case 'semgrep':
      return importSemgrep(json.value, options)
    case 'npm-audit':
      return importNpmAudit(json.value, options)
    case 'audit-findings':
      return { kind: 'invalid', reason: 'it is a report of audit-code, not of an analyzer' }
    case undefined:
      return {
        kind: 'invalid',
        reason: 'its format is unknown; SARIF 2.1.0, eslint, semgrep and npm audit JSON are read',
      }
  }
}
