import type { Lens, Severity } from '@audit-tools/shared/findings'

import type { SnapshotFile } from '../snapshot/index.ts'

/** What one analyzer says about one place, before the tool gives it an identity and grounds it. */
export interface AnalyzerResult {
  readonly ruleId: string
  readonly title: string
  readonly category: string
  readonly lens: Lens
  readonly severity: Severity
  readonly confidence: 'high' | 'medium' | 'low'
  /** `CWE-79` form. */
  readonly cwe?: string
  readonly path: string
  /** 1-based; absent for a finding about the whole file. */
  readonly lineStart?: number
  readonly lineEnd?: number
  /** The exact text of the file at that place, one line or a few. Never contains a secret in clear. */
  readonly quote?: string
  /** The quote was masked, so it does not stand in the file; nor may the text around it be shown. */
  readonly isRedacted?: boolean
  readonly summary: string
  readonly suggestion?: string
  readonly fix?: AnalyzerFix
  /** A finding stands on its own; a lead is a hint that raises a packet's priority and goes to its reviewer. */
  readonly standing: 'finding' | 'lead'
}

/** A mechanical repair. Offsets are UTF-16 indices into the file's text, end exclusive. */
export interface AnalyzerFix {
  readonly description: string
  readonly edits: readonly {
    readonly path: string
    readonly start: number
    readonly end: number
    readonly text: string
  }[]
}

export interface AnalyzerContext {
  readonly root: string
  /** The files this analyzer said it covers, sorted by path. */
  readonly files: readonly SnapshotFile[]
  /** Text of a file of the snapshot (UTF-8). */
  readText(file: SnapshotFile): string
  readonly signal: AbortSignal
}

/** Missing, failed and not applicable are three different things in the report. */
export type AnalyzerOutcome =
  | {
      readonly kind: 'ran'
      readonly results: readonly AnalyzerResult[]
      /** Files that it covers and could not look at. */
      readonly skipped?: readonly SkippedFile[]
    }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'not_applicable' }

export interface SkippedFile {
  readonly path: string
  readonly reason: string
}

/** One adapter file per analyzer; the registry lists them. None of them executes repository code. */
export interface Analyzer {
  readonly id: string
  /** Shown in the report and part of the cache key: change it when results may change. */
  readonly version: string
  readonly title: string
  /**
   * `file`: results of a file depend on its content and path alone and are cached by them;
   * `tree`: results depend on the whole snapshot.
   */
  readonly scope: 'file' | 'tree'
  covers(file: SnapshotFile): boolean
  run(context: AnalyzerContext): Promise<AnalyzerOutcome>
}
