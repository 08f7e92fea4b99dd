import type { Finding } from '@audit-tools/shared/findings'

/** One input file. */
export interface Source {
  /** As the person named it. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** What came in and where it went: received = items + merged + rejected. */
export interface Intake {
  readonly received: number
  /** What is to be remediated. An item keeps its id for ever. */
  readonly items: readonly Finding[]
  readonly merged: readonly { readonly what: string; readonly into: string }[]
  readonly rejected: readonly { readonly what: string; readonly reason: string }[]
  /** Items that were read, but oddly. `what` is source and position, as `a.json findings[3]`. */
  readonly flagged: readonly { readonly what: string; readonly note: string }[]
  /** About whole sources: runs that failed, findings that a report keeps apart. */
  readonly notices: readonly string[]
}
