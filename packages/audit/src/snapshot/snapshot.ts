/** What a file is for; the rule that said so is kept beside it. */
export const fileKinds = [
  'source',
  'test',
  'config',
  'docs',
  'generated',
  'vendored',
  'lock',
  'asset',
] as const
export type FileKind = (typeof fileKinds)[number]

/** One file in scope. */
export interface SnapshotFile {
  /** POSIX, NFC, relative to the root. */
  readonly path: string
  /** The name as the file system has it, where NFC changed it. */
  readonly diskPath?: string
  readonly bytes: number
  readonly lines: number
  /** Git blob id (SHA-1 or SHA-256 of the repository), computed alike where git is absent. */
  readonly hash: string
  /** Linguist name such as `TypeScript`, or null. */
  readonly language: string | null
  readonly kind: FileKind
  /** The rule that decided `kind`. */
  readonly kindReason: string
}

/** A path that is listed but not audited. */
export interface ExcludedPath {
  readonly path: string
  readonly reason: string
}

/** The files in scope with content hashes: everything later stages may look at. */
export interface Snapshot {
  /** Absolute, real path of the audited directory. */
  readonly root: string
  /** Commit id of HEAD, or null: not a git repository, or an unborn HEAD. */
  readonly commit: string | null
  /** Hash over (path, content hash, kind) of all files in scope: equal trees give equal hashes. */
  readonly treeHash: string
  /** Sorted by path in code-unit order. */
  readonly files: readonly SnapshotFile[]
  readonly excluded: readonly ExcludedPath[]
  /** Untracked, not ignored files that were left out. */
  readonly untrackedSkipped: number
  /** Exclusion rules that matched nothing. */
  readonly unmatchedRules: readonly string[]
}
