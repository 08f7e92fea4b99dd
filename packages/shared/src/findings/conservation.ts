import { formatCount } from '../core/index.ts'

/** Where everything that came in went: `received` = kept + merged + rejected. */
export interface Conservation {
  readonly received: number
  readonly kept: number
  /** Joined into another one, named by `into`. */
  readonly merged: readonly { readonly what: string; readonly into: string }[]
  readonly rejected: readonly { readonly what: string; readonly reason: string }[]
}

/** `90 findings in = 87 kept + 2 merged + 1 rejected`. */
export function renderConservation(sum: Conservation, noun = 'finding'): string {
  const parts = [
    `${sum.kept} kept`,
    `${sum.merged.length} merged`,
    `${sum.rejected.length} rejected`,
  ]
  return `${formatCount(sum.received, noun)} in = ${parts.join(' + ')}`
}
