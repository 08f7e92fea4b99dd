import type { SessionConfig } from '@audit-tools/shared/config'
import { AuditToolsError, findNearest } from '@audit-tools/shared/core'
import { type Lens, lenses, LensSchema } from '@audit-tools/shared/findings'

import { type Plan, planReview } from '../plan/index.ts'
import { PROMPT_VERSION } from '../review/index.ts'
import type { Snapshot } from '../snapshot/index.ts'
import type { Analysis } from './analyze-snapshot.ts'

/** The plan of a review, from what is known without a model. `only` limits it to some paths of the snapshot. */
export function planAudit(
  config: SessionConfig,
  snapshot: Snapshot,
  { graph, analyzers }: Analysis,
  only: ReadonlySet<string> | undefined,
): Plan {
  const leads = analyzers.results
    .filter(({ result }) => result.standing === 'lead')
    .map(({ result }) => ({
      path: result.path,
      line: result.lineStart ?? null,
      severity: result.severity,
      text: `${result.title}: ${result.summary}`,
    }))
  const { routing_tiers: tiers, max_packet_tokens: maxPromptTokens } = config.dispatch
  return planReview({
    snapshot,
    graph,
    leads,
    ...(only === undefined ? {} : { only }),
    config: {
      depth: config.depth,
      extraLenses: readLenses(config.lenses),
      maxPromptTokens,
      routing: { standardAt: tiers.standard_at, deepAt: tiers.deep_at },
      promptVersion: PROMPT_VERSION,
    },
  })
}

function readLenses(configured: SessionConfig['lenses']): Lens[] {
  return configured.map((lens) => {
    const parsed = LensSchema.safeParse(lens)
    if (parsed.success) return parsed.data
    const name = typeof lens === 'string' ? lens : lens.id
    const nearest = findNearest(name, lenses)
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
    throw new AuditToolsError(
      'config-invalid',
      `lenses names ${JSON.stringify(name)}, which is none of: ${lenses.join(', ')}.${hint}`,
    )
  })
}
