import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import type { Analyzer, AnalyzerResult } from '../analyzers/index.ts'
import type { SnapshotFile } from '../snapshot/index.ts'
import { openAnalysisCache } from './analysis-cache.ts'

function makeFile(path: string, hash: string): SnapshotFile {
  return { path, hash, bytes: 1, lines: 1, language: null, kind: 'source', kindReason: 'x' }
}

const analyzer: Analyzer = {
  id: 'rules',
  version: '1',
  title: 'Rules',
  scope: 'file',
  covers: () => true,
  run: () => Promise.resolve({ kind: 'not_applicable' }),
}

function makeResult(path: string): AnalyzerResult {
  return {
    ruleId: 'r',
    title: 't',
    category: 'c',
    lens: 'security',
    severity: 'low',
    confidence: 'high',
    path,
    summary: 's',
    standing: 'finding',
  }
}

const files = [makeFile('a.js', 'h1'), makeFile('b.js', 'h2'), makeFile('c.js', 'h3')]

function fill(directory: string): void {
  const cache = openAnalysisCache(directory, '1')
  cache.lookUp(analyzer, files)
  cache.add(analyzer, files, {
    results: [makeResult('b.js')],
    skipped: [{ path: 'c.js', reason: 'too long' }],
  })
  cache.save()
}

test('results, clean files and skipped files come back without another look', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cache-'))
  fill(directory)
  expect(openAnalysisCache(directory, '1').lookUp(analyzer, files)).toEqual({
    open: [],
    results: [makeResult('b.js')],
    skipped: [{ path: 'c.js', reason: 'too long' }],
  })
})

test('only a file whose content or name changed is open again', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cache-'))
  fill(directory)
  const [first, , third] = files
  const now = [first, makeFile('b.js', 'h9'), makeFile('renamed.js', 'h3')] as SnapshotFile[]
  expect(third?.hash).toBe('h3')
  const open = openAnalysisCache(directory, '1').lookUp(analyzer, now).open
  expect(open.map(({ path }) => path)).toEqual(['b.js', 'renamed.js'])
})

test('another version of the tool or of the analyzer looks at everything again', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cache-'))
  fill(directory)
  expect(openAnalysisCache(directory, '2').lookUp(analyzer, files).open).toHaveLength(3)
  const newer = { ...analyzer, version: '2' }
  expect(openAnalysisCache(directory, '1').lookUp(newer, files).open).toHaveLength(3)
})

test('a damaged cache is an empty one, and what a run does not touch is dropped', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cache-'))
  writeFileSync(join(directory, 'analysis.json'), '{"cut')
  expect(openAnalysisCache(directory, '1').lookUp(analyzer, files).open).toHaveLength(3)
  fill(directory)
  const cache = openAnalysisCache(directory, '1')
  cache.lookUp(analyzer, files.slice(1))
  cache.save()
  const stored = readFileSync(join(directory, 'analysis.json'), 'utf8')
  expect(stored).toContain('"clean":[]')
})
