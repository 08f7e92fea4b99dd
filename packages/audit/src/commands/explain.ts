import { type CommandContext, defineCommand } from '@audit-tools/shared/cli'
import { AuditToolsError, ExitCode, findNearest } from '@audit-tools/shared/core'
import type { AuditFindingsReport, Finding } from '@audit-tools/shared/findings'
import { z } from 'zod'

import { openSession, readLatestReport } from '../run/index.ts'

export const command = defineCommand({
  name: 'explain',
  summary: 'Show everything known about one finding',
  flags: z.object({}),
  args: z.object({ id: z.string().describe('Id of the finding, such as F-0123456789') }),
  examples: ['explain F-0123456789'],
  async run({ id }, context) {
    const session = await openSession(context)
    const finding = findFinding(readLatestReport(session.layout), id)
    if (context.common.json) context.output.json(finding)
    else printFinding(finding, context)
    return ExitCode.Done
  },
})

/** A finding of any standing by its id. Throws `usage-invalid` with the nearest id. */
export function findFinding(report: AuditFindingsReport, id: string): Finding {
  const all = [...report.findings, ...report.quarantined_findings, ...report.known_findings]
  const finding = all.find((one) => one.id === id)
  if (finding !== undefined) return finding
  const nearest = findNearest(
    id,
    all.map((one) => one.id),
  )
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
  throw new AuditToolsError(
    'usage-invalid',
    `the last report has no finding ${id}${hint} Ids stand in audit-report.md`,
    { details: { id } },
  )
}

function printFinding(finding: Finding, { output }: CommandContext): void {
  const [place, ...others] = finding.affected_files
  output.write(output.style('bold', finding.title))
  output.write(
    `${finding.severity}, ${finding.confidence} confidence, ${finding.lens}${finding.cwe === undefined ? '' : `, ${finding.cwe}`}`,
  )
  for (const one of [place, ...others]) {
    if (one === undefined) continue
    const lines = one.line_start === undefined ? '' : `:${one.line_start}`
    const symbol = one.symbol === undefined ? '' : ` in ${one.symbol}`
    output.write(`  ${one.path}${lines}${symbol}`)
    if (one.quoted_text !== undefined) output.write(indent(one.quoted_text, '    | '))
  }
  output.write('')
  output.write(finding.summary)
  const rows: readonly (readonly [string, string | readonly string[] | undefined])[] = [
    ['Impact', finding.impact],
    ['Likelihood', finding.likelihood],
    ['Evidence', finding.evidence],
    ['Reproduction', finding.reproduction],
    ['What to do', finding.suggestion],
    ['Reported by', finding.reporters],
    ['Rule', finding.rule_id],
    ['State', finding.state],
    [
      'Grounding',
      `${finding.grounding.status}${finding.grounding.reason === undefined ? '' : `: ${finding.grounding.reason}`}`,
    ],
    [
      'Verification',
      finding.verification &&
        `${finding.verification.verdict} by ${finding.verification.by}: ${finding.verification.evidence}`,
    ],
    ['Dismissed', finding.dismissal?.reason],
  ]
  for (const [name, value] of rows) {
    if (value === undefined) continue
    output.write(`${name}: ${typeof value === 'string' ? value : value.join('; ')}`)
  }
}

function indent(text: string, prefix: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `${prefix}${line}`)
    .join('\n')
}
