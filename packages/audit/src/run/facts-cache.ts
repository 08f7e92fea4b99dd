import { join } from 'node:path'

import { readJsonFile, writeFileAtomic } from '@audit-tools/shared/store'
import { z } from 'zod'

import { type FileFacts, FileFactsSchema } from '../graph/index.ts'

const FactsSchema = z.record(z.string(), FileFactsSchema)

/** Facts of files by their content keys, from the run before. A cache: whatever is wrong with it, it is empty. */
export function readFactsCache(directory: string): ReadonlyMap<string, FileFacts> {
  const reading = readJsonFile(join(directory, 'facts.json'), FactsSchema)
  return new Map(reading.kind === 'ok' ? Object.entries(reading.value) : [])
}

export function writeFactsCache(directory: string, facts: ReadonlyMap<string, FileFacts>): void {
  writeFileAtomic(join(directory, 'facts.json'), `${JSON.stringify(Object.fromEntries(facts))}\n`)
}
