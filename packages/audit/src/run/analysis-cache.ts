import { join } from 'node:path'

import { groupBy, hashParts } from '@audit-tools/shared/core'
import { readJsonFile, writeFileAtomic } from '@audit-tools/shared/store'
import { z } from 'zod'

import type { Analyzer, AnalyzerResult } from '../analyzers/index.ts'
import type { SnapshotFile } from '../snapshot/index.ts'

/** What the analyzers said about each file, by its content. A cache: whatever is wrong with it, it starts empty. */
export interface AnalysisCache {
  /** Known results for those of `files` whose content the analyzer has seen. */
  readResults(analyzer: Analyzer, files: readonly SnapshotFile[]): AnalyzerResult[]
  /** Those of `files` that the analyzer has to look at. */
  listOpen(analyzer: Analyzer, files: readonly SnapshotFile[]): SnapshotFile[]
  addResults(
    analyzer: Analyzer,
    files: readonly SnapshotFile[],
    results: readonly AnalyzerResult[],
  ): void
  /** Writes what this run used or added; entries that it did not touch are dropped. */
  save(): void
}

/** Per analyzer and version, content keys of clean files, and of others with their results as they were given. */
const CacheSchema = z.record(
  z.string(),
  z.strictObject({
    clean: z.array(z.string()),
    results: z.record(z.string(), z.array(z.custom<AnalyzerResult>())),
  }),
)

/** 64 bits tell the files of one repository apart; whole hashes would make the cache larger than small sources. */
const KEY_LENGTH = 16

export function openAnalysisCache(directory: string, toolVersion: string): AnalysisCache {
  const path = join(directory, 'analysis.json')
  const reading = readJsonFile(path, CacheSchema)
  const stored = reading.kind === 'ok' ? reading.value : {}
  const used = new Map<string, Map<string, readonly AnalyzerResult[]>>()
  const known = new Map<string, Map<string, readonly AnalyzerResult[]>>()
  const name = (analyzer: Analyzer): string => `${toolVersion} ${analyzer.id} ${analyzer.version}`

  const lookUp = (analyzer: Analyzer): Map<string, readonly AnalyzerResult[]> => {
    const key = name(analyzer)
    const found = known.get(key) ?? readEntries(stored[key])
    known.set(key, found)
    if (!used.has(key)) used.set(key, new Map())
    return found
  }

  return {
    readResults(analyzer, files) {
      const entries = lookUp(analyzer)
      return files.flatMap((file) => {
        const results = entries.get(makeKey(file))
        if (results === undefined) return []
        used.get(name(analyzer))?.set(makeKey(file), results)
        return results
      })
    },
    listOpen(analyzer, files) {
      const entries = lookUp(analyzer)
      return files.filter((file) => !entries.has(makeKey(file)))
    },
    addResults(analyzer, files, results) {
      lookUp(analyzer)
      const byPath = groupBy(results, (result) => result.path)
      for (const file of files) {
        used.get(name(analyzer))?.set(makeKey(file), byPath.get(file.path) ?? [])
      }
    },
    save() {
      const value = Object.fromEntries(
        [...used].map(([key, entries]) => [key, packEntries(entries)]),
      )
      writeFileAtomic(path, `${JSON.stringify(value)}\n`)
    },
  }
}

/** A file's results depend on its path too: what a file is for is decided by its name. */
function makeKey(file: SnapshotFile): string {
  return hashParts([file.path, file.hash]).slice(0, KEY_LENGTH)
}

type PackedEntries = z.infer<typeof CacheSchema>[string]

function readEntries(packed: PackedEntries | undefined): Map<string, readonly AnalyzerResult[]> {
  const entries = new Map<string, readonly AnalyzerResult[]>(Object.entries(packed?.results ?? {}))
  for (const key of packed?.clean ?? []) entries.set(key, [])
  return entries
}

function packEntries(entries: ReadonlyMap<string, readonly AnalyzerResult[]>): PackedEntries {
  const all = [...entries]
  return {
    clean: all.filter(([, results]) => results.length === 0).map(([key]) => key),
    results: Object.fromEntries(
      all.filter(([, results]) => results.length > 0).map(([key, results]) => [key, [...results]]),
    ),
  }
}
