import type { ExcludedPath } from './snapshot.ts'

/** A file that a listing found, not looked at yet. */
export interface ListedFile {
  /** Relative to the root, POSIX separators, as the file system has it. */
  readonly diskPath: string
  /** Git's blob id in the index; absent where git does not track the file. */
  readonly indexHash?: string
}

export interface Listing {
  readonly files: readonly ListedFile[]
  readonly excluded: readonly ExcludedPath[]
  /** Untracked, not ignored paths that were left out. */
  readonly untracked: readonly string[]
}
