import { join } from 'node:path'

import { groupBy, hashParts } from '@audit-tools/shared/core'
import { readJsonFile, writeFileAtomic } from '@audit-tools/shared/store'
import { z } from 'zod'

import type { Analyzer, AnalyzerResult, SkippedFile } from '../analyzers/index.ts'
import type { SnapshotFile } from '../snapshot/index.ts'

/** What a file-scoped analyzer said about some files. */
export interface Verdicts {
  readonly results: readonly AnalyzerResult[]
  readonly skipped: readonly SkippedFile[]
}

/** What the analyzers said about each file, by its content. A cache: whatever is wrong with it, it starts empty. */
export interface AnalysisCache {
  /** What is known of `files`, and which of them the analyzer still has to look at. */
  lookUp(
    analyzer: Analyzer,
    files: readonly SnapshotFile[],
  ): Verdicts & { readonly open: readonly SnapshotFile[] }
  add(analyzer: Analyzer, files: readonly SnapshotFile[], verdicts: Verdicts): void
  /** Writes what this run used or added; entries that it did not touch are dropped. */
  save(): void
}

interface FileVerdict {
  readonly results: readonly AnalyzerResult[]
  /** Why the analyzer could not look at the file. */
  readonly skipped?: string | undefined
}

const VerdictSchema = z.strictObject({
  results: z.array(z.custom<AnalyzerResult>()),
  skipped: z.string().optional(),
})

/** Per analyzer and version: the keys of files without any result, and the others with what was said. */
const CacheSchema = z.record(
  z.string(),
  z.strictObject({ clean: z.array(z.string()), verdicts: z.record(z.string(), VerdictSchema) }),
)

const CLEAN: FileVerdict = { results: [] }

/** 64 bits tell the files of one repository apart; whole hashes would make the cache larger than small sources. */
const KEY_LENGTH = 16

export function openAnalysisCache(directory: string, toolVersion: string): AnalysisCache {
  const path = join(directory, 'analysis.json')
  const reading = readJsonFile(path, CacheSchema)
  const stored = reading.kind === 'ok' ? reading.value : {}
  const used = new Map<string, Map<string, FileVerdict>>()
  let changed = reading.kind !== 'ok'

  const readUsed = (name: string): Map<string, FileVerdict> => {
    const entries = used.get(name) ?? new Map<string, FileVerdict>()
    used.set(name, entries)
    return entries
  }

  return {
    lookUp(analyzer, files) {
      const name = nameAnalyzer(analyzer, toolVersion)
      const known = unpack(stored[name])
      const entries = readUsed(name)
      const open: SnapshotFile[] = []
      const results: AnalyzerResult[] = []
      const skipped: SkippedFile[] = []
      for (const file of files) {
        const key = makeKey(file)
        const verdict = known.get(key)
        if (verdict === undefined) {
          open.push(file)
          continue
        }
        entries.set(key, verdict)
        results.push(...verdict.results)
        if (verdict.skipped !== undefined)
          skipped.push({ path: file.path, reason: verdict.skipped })
      }
      changed ||= entries.size !== known.size
      return { open, results, skipped }
    },
    add(analyzer, files, { results, skipped }) {
      const entries = readUsed(nameAnalyzer(analyzer, toolVersion))
      const byPath = groupBy(results, (result) => result.path)
      const reasons = new Map(skipped.map(({ path: skippedPath, reason }) => [skippedPath, reason]))
      changed ||= files.length > 0
      for (const file of files) {
        const reason = reasons.get(file.path)
        entries.set(makeKey(file), {
          results: byPath.get(file.path) ?? [],
          ...(reason === undefined ? {} : { skipped: reason }),
        })
      }
    },
    save() {
      if (!changed) return
      const value = Object.fromEntries([...used].map(([name, entries]) => [name, pack(entries)]))
      writeFileAtomic(path, `${JSON.stringify(value)}\n`)
    },
  }
}

function nameAnalyzer({ id, version }: Analyzer, toolVersion: string): string {
  return `${toolVersion} ${id} ${version}`
}

/** A file's results depend on its path too: what a file is for is decided by its name. */
function makeKey(file: SnapshotFile): string {
  return hashParts([file.path, file.hash]).slice(0, KEY_LENGTH)
}

type PackedVerdicts = z.infer<typeof CacheSchema>[string]

function unpack(packed: PackedVerdicts | undefined): Map<string, FileVerdict> {
  const entries = new Map<string, FileVerdict>(Object.entries(packed?.verdicts ?? {}))
  for (const key of packed?.clean ?? []) entries.set(key, CLEAN)
  return entries
}

function pack(entries: ReadonlyMap<string, FileVerdict>): PackedVerdicts {
  const isClean = ({ results, skipped }: FileVerdict): boolean =>
    results.length === 0 && skipped === undefined
  const all = [...entries]
  const told = all.filter(([, verdict]) => !isClean(verdict))
  return {
    clean: all.filter(([, verdict]) => isClean(verdict)).map(([key]) => key),
    verdicts: Object.fromEntries(
      told.map(([key, verdict]) => [key, { ...verdict, results: [...verdict.results] }]),
    ),
  }
}
