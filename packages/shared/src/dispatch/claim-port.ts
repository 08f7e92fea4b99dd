import type { ClaimRegistry } from '../claims/index.ts'

/** What the coordinator needs of a claim registry. */
export type ClaimPort = Pick<ClaimRegistry, 'claim' | 'complete' | 'release'>
