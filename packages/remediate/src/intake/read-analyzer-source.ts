import {
  assignIdentity,
  importAnalyzerResults,
  type ImportedElement,
  mergeFindings,
} from '@audit-tools/shared/findings'

import type { Intake, Source } from './intake.ts'
import type { SourceReading } from './read-report-source.ts'

/** Reads SARIF, or the JSON of an analyzer that is known, with ids made from the content. */
export function readAnalyzerSource(
  { name, bytes }: Source,
  tree: { readonly root: string; readonly files?: readonly string[] },
): SourceReading {
  const result = importAnalyzerResults(bytes, tree)
  if (result.kind === 'invalid') return result
  const identified = assignIdentity(
    result.drafts.map((draft) => ({
      draft,
      grounding: { status: 'ungrounded', reason: 'not checked against the files' },
    })),
  )
  const { findings, conservation } = mergeFindings(identified)
  const failed = result.runs.flatMap(({ tool, outcome }) =>
    outcome.kind === 'failed'
      ? [`${name}: ${tool} failed to run: ${outcome.reason}. Its silence is not a clean result`]
      : [],
  )
  return {
    kind: 'read',
    intake: {
      received: result.accounting.received,
      items: findings,
      merged: [...listMerged(name, result.elements), ...conservation.merged],
      rejected: result.elements.flatMap((element) => explainRejection(name, element)),
      flagged: [],
      notices: failed,
    },
  }
}

function listMerged(name: string, elements: readonly ImportedElement[]): Intake['merged'] {
  return elements.flatMap((element) =>
    element.kind === 'merged'
      ? [{ what: `${name} ${element.position}`, into: `${name} ${element.into}` }]
      : [],
  )
}

function explainRejection(name: string, element: ImportedElement): Intake['rejected'][number][] {
  const what = `${name} ${element.position}`
  switch (element.kind) {
    case 'kept':
    case 'merged':
      return []
    case 'suppressed':
      return [{ what, reason: `suppressed in the file${renderReason(element.justification)}` }]
    case 'unlocated':
    case 'rejected':
      return [{ what, reason: element.reason }]
  }
}

function renderReason(justification: string | undefined): string {
  return justification === undefined ? '' : `: ${justification}`
}
