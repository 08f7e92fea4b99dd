import { detach } from '@audit-tools/shared/core'
import {
  assignIdentity,
  createGrounder,
  type FileTree,
  type Finding,
  type FindingDraft,
  type LocatedDraft,
  mergeFindings,
} from '@audit-tools/shared/findings'

import type { AnalyzerResult } from '../analyzers/index.ts'
import type { Intake } from '../report/index.ts'

/** Drafts of one source, with what was refused before they became drafts. */
export interface DraftSource {
  /** `analyzers`, `reviewers` or the name of an imported file. */
  readonly name: string
  readonly drafts: readonly FindingDraft[]
  readonly rejected: readonly { readonly what: string; readonly reason: string }[]
}

export interface AssembledFindings {
  readonly grounded: readonly Finding[]
  /** Ungrounded and refuted: kept apart, with the reason. */
  readonly quarantined: readonly Finding[]
  readonly intake: Intake
  readonly rejected: readonly { readonly what: string; readonly reason: string }[]
}

/** Grounds, identifies and merges everything that was reported, whoever reported it. Pure but for reading `tree`. */
export function assembleFindings(
  sources: readonly DraftSource[],
  tree: FileTree,
): AssembledFindings {
  const ground = createGrounder(tree)
  const located: LocatedDraft[] = []
  const rejected = sources.flatMap((source) => source.rejected)
  const counts = sources.map((source) => {
    const count = {
      name: source.name,
      received: source.rejected.length,
      rejected: source.rejected.length,
    }
    for (const draft of source.drafts) {
      const result = ground(draft)
      count.received += 1
      if (result.kind === 'located') {
        located.push(detach(result.located))
        continue
      }
      count.rejected += 1
      rejected.push({ what: draft.title, reason: result.reason })
    }
    return count
  })
  const { findings, conservation } = mergeFindings(assignIdentity(located))
  return {
    grounded: findings.filter((finding) => finding.grounding.status === 'grounded'),
    quarantined: findings.filter((finding) => finding.grounding.status !== 'grounded'),
    intake: { sources: counts, kept: conservation.kept, merged: conservation.merged.length },
    rejected,
  }
}

/** What an analyzer found, as a draft; leads are not findings and do not come here. */
export function draftFromAnalyzer(analyzerId: string, result: AnalyzerResult): FindingDraft {
  const { lineStart, lineEnd, quote, cwe, suggestion, fix } = result
  return {
    title: result.title,
    category: result.category,
    lens: result.lens,
    severity: result.severity,
    confidence: result.confidence,
    summary: result.summary,
    affected_files: [
      {
        path: result.path,
        ...(lineStart === undefined ? {} : { line_start: lineStart }),
        ...(lineEnd === undefined ? {} : { line_end: lineEnd }),
        ...(quote === undefined ? {} : { quoted_text: quote }),
      },
    ],
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(fix === undefined
      ? {}
      : { fix: { description: fix.description, edits: fix.edits.map((edit) => ({ ...edit })) } }),
    rule_id: result.ruleId,
    ...(cwe === undefined ? {} : { cwe }),
    source: 'analyzer',
    reporters: [analyzerId],
  }
}
