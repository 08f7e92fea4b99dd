import type { Node } from './syntax.ts'

/**
 * Where text from outside enters a file, from the least to the most dangerous. `unknown` is a value whose making this
 * file does not show, `environment` is what the process reads from its arguments, files and children.
 */
const originKinds = ['unknown', 'environment', 'callback', 'parameter', 'request'] as const
export type OriginKind = (typeof originKinds)[number]

export interface Origin extends Way {
  readonly kind: OriginKind
  /** The parameter or property read, as the source names it. */
  readonly name: string
  readonly node: Node
}

/** What happened to a value between its origin and where it is used. */
export interface Way {
  /** It was joined with other text. */
  readonly joined: boolean
  /** It passed through a function this file does not show. */
  readonly indirect: boolean
}

/** The most dangerous of several origins; the first one where two are alike. */
export function pickStrongest(origins: readonly Origin[]): Origin | undefined {
  let best: Origin | undefined
  for (const origin of origins) {
    if (best === undefined || rankOrigin(origin) > rankOrigin(best)) best = origin
  }
  return best
}

function rankOrigin(origin: Origin): number {
  return originKinds.indexOf(origin.kind) * 2 + (origin.indirect ? 0 : 1)
}
