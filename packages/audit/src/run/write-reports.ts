import { join } from 'node:path'

import { makeDirectory, writeFileAtomic } from '@audit-tools/shared/store'

import { renderers, type ReportFormat, type ReportInput } from '../report/index.ts'
import type { AuditLayout } from './layout.ts'

/** The formats that hosts and scripts read are always written, whatever else is asked for. */
const ALWAYS: readonly ReportFormat[] = ['json', 'md', 'sarif']

/** Writes every report and returns the paths of those that were asked for. Equal bytes are not written again. */
export function writeReports(
  layout: AuditLayout,
  input: ReportInput,
  options: { formats: readonly ReportFormat[]; version: string; promote: boolean },
): string[] {
  makeDirectory(layout.directory)
  const formats = [...new Set([...options.formats, ...ALWAYS])]
  const paths = new Map<ReportFormat, string>()
  for (const format of formats) {
    const renderer = renderers[format]
    const text = renderer.render(input, options.version)
    const path = join(layout.directory, renderer.fileName)
    writeFileAtomic(path, text, { durable: true })
    paths.set(format, path)
    if (format === 'md' && options.promote) {
      writeFileAtomic(join(layout.root, renderer.fileName), text, { durable: true })
    }
  }
  return options.formats.flatMap((format) => paths.get(format) ?? [])
}
