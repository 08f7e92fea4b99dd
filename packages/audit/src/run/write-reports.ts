import { join } from 'node:path'

import { collectIfLarge } from '@audit-tools/shared/core'
import { makeDirectory, writeFileAtomic } from '@audit-tools/shared/store'

import { renderers, type ReportFormat, type ReportInput } from '../report/index.ts'
import type { AuditLayout } from './layout.ts'

/** The formats that hosts and scripts read are always written, whatever else is asked for. */
const ALWAYS: readonly ReportFormat[] = ['json', 'md', 'sarif']

/** Writes every report and returns their paths. */
export function writeReports(
  layout: AuditLayout,
  input: ReportInput,
  options: { formats: readonly ReportFormat[]; version: string; promote: boolean },
): string[] {
  makeDirectory(layout.directory)
  const formats = [...new Set([...options.formats, ...ALWAYS])]
  return formats.map((format) => {
    collectIfLarge()
    const renderer = renderers[format]
    const text = renderer.render(input, options.version)
    const path = locateReport(layout, format)
    writeFileAtomic(path, text, { durable: true })
    if (format === 'md' && options.promote) {
      writeFileAtomic(join(layout.root, renderer.fileName), text, { durable: true })
    }
    return path
  })
}

export function locateReport(layout: AuditLayout, format: ReportFormat): string {
  return join(layout.directory, renderers[format].fileName)
}
