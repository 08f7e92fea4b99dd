import { defineCommand } from '@audit-tools/shared/cli'
import { AuditToolsError, ExitCode, systemRandom } from '@audit-tools/shared/core'
import { importAnalyzerResults, renderImportAccounting } from '@audit-tools/shared/findings'
import { readFileBytes } from '@audit-tools/shared/store'
import { z } from 'zod'

import { importOptions, openSession, openSessionArtifacts, storeImport } from '../run/index.ts'

export const command = defineCommand({
  name: 'import-external-analyzer',
  summary: 'Take in SARIF or the JSON of another analyzer',
  flags: z.object({}),
  args: z.object({
    file: z
      .array(z.string())
      .min(1)
      .describe('SARIF 2.1.0, or the JSON of eslint, semgrep or npm audit'),
  }),
  examples: ['import-external-analyzer codeql.sarif'],
  async run({ file: files }, context) {
    const session = await openSession(context)
    await openSessionArtifacts(session, systemRandom)
    const options = await importOptions(session, context.signal)
    const receipts = []
    for (const file of files) {
      const path = context.resolvePath(file)
      const bytes = readInput(path)
      const result = importAnalyzerResults(bytes, options)
      if (result.kind === 'invalid') {
        throw new AuditToolsError('input-invalid', `${path} cannot be imported: ${result.reason}`, {
          details: { path },
        })
      }
      const stored = storeImport(session, bytes)
      receipts.push({ file: path, stored, runs: result.runs, accounting: result.accounting })
    }
    if (context.common.json) context.output.json(receipts)
    else {
      for (const receipt of receipts) {
        context.output.write(`${receipt.file}: ${renderImportAccounting(receipt.accounting)}`)
        for (const run of receipt.runs) {
          if (run.outcome.kind === 'failed') {
            context.output.warn(
              `${run.tool} failed to run: ${run.outcome.reason}. Its silence is not a clean result`,
            )
          }
        }
      }
      context.output.write('They are in the report from the next `audit-code run` on.')
    }
    return ExitCode.Done
  },
})

function readInput(path: string): Uint8Array {
  const reading = readFileBytes(path)
  if (reading.kind === 'ok') return reading.bytes
  const problem = reading.kind === 'missing' ? 'there is no such file' : 'it cannot be read'
  throw new AuditToolsError(
    'input-invalid',
    `${path}: ${problem}. Name a file with analyzer results`,
    {
      details: { path },
      cause: reading.kind === 'unreadable' ? reading.cause : undefined,
    },
  )
}
