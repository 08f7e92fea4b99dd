import type { Confidence } from '@audit-tools/shared/findings'

import type { Cut, FileSurface, ImportReference } from './facts.ts'

/** One file uses another. */
export interface ImportEdge {
  readonly from: string
  readonly to: string
  readonly line: number
  readonly form: ImportReference['form']
  readonly typeOnly: boolean
  readonly confidence: Confidence
  /** How the name became this path. */
  readonly reason: string
}

/** A name that should be a file of this tree and is none. */
export interface UnresolvedImport {
  readonly from: string
  readonly specifier: string
  readonly line: number
}

/** A file that something declares as a start. */
export interface EntryPoint {
  readonly path: string
  readonly declaredIn: string
  readonly reason: string
}

export interface Surface extends FileSurface {
  readonly path: string
}

export interface TestLink {
  readonly test: string
  readonly source: string
  readonly confidence: Confidence
  readonly reason: string
}

/** Two files that changed in the same commits. */
export interface CoChange {
  readonly left: string
  readonly right: string
  readonly commits: number
}

/** Files that import each other around; `typeOnly` when only the types do. */
export interface Cycle {
  readonly files: readonly string[]
  readonly typeOnly: boolean
}

/** A cohesive group of files, from their paths alone. */
export interface Unit {
  readonly id: string
  /** The directory its files have in common. */
  readonly title: string
  readonly files: readonly string[]
}

/** How the files of a snapshot hang together. Every list is sorted. */
export interface Graph {
  readonly edges: readonly ImportEdge[]
  readonly unresolved: readonly UnresolvedImport[]
  readonly entryPoints: readonly EntryPoint[]
  readonly surfaces: readonly Surface[]
  readonly testLinks: readonly TestLink[]
  /** Commits that touched a file, of those that were read; absent for none. */
  readonly churn: ReadonlyMap<string, number>
  readonly coChanges: readonly CoChange[]
  readonly cycles: readonly Cycle[]
  readonly units: readonly Unit[]
  /** Where long files may be cut, in order; absent for the others. */
  readonly cuts: ReadonlyMap<string, readonly Cut[]>
}
