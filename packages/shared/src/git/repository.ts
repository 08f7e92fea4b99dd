import type { ConfigOverride } from './git-environment.ts'

/** A git repository, as found from a path. All paths are absolute and real. */
export interface GitRepository {
  /** Top of the work tree; the git directory itself when `bare`. */
  readonly root: string
  /** This work tree's git directory. */
  readonly gitDir: string
  /** The git directory that all work trees share. */
  readonly commonDir: string
  /** Commit id of HEAD; null while there is no commit. */
  readonly head: string | null
  readonly objectFormat: 'sha1' | 'sha256'
  readonly bare: boolean
  readonly shallow: boolean
  /** Path of the inspected directory below `root`, with `/`; empty at the top. */
  readonly prefix: string
  /** Settings that keep this repository's own drivers from running. */
  readonly overrides: readonly ConfigOverride[]
}
