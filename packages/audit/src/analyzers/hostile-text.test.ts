import { expect, test } from 'vitest'

import { loadAnalyzers } from './registry.ts'
import { analyseText } from './testing/analyse-text.ts'

/** Pieces that make a careless pattern start again at every character, repeated to half a megabyte. */
const pieces = [
  ' ',
  '\t',
  '\r',
  '/',
  '/[',
  '(/a',
  '\\',
  '"',
  '`${',
  '${{',
  'a',
  'a.',
  'a=',
  'eval ',
  'eval\t\t',
  'catch(',
  '://a:',
  'curl ',
  'node -e ',
  'SG.a',
  'xoxb-1-',
  'select ',
  '.exec',
  '= Function',
  'PRIVATE KEY-----',
  'npm_',
  '--a ',
  'FROM a\n',
  'a: ',
  '- ',
]
const size = 200_000

/** One file for each thing an analyzer takes a file for. */
const paths = [
  'a.js',
  'a.ts',
  'a.py',
  'a.go',
  'A.java',
  '.github/workflows/a.yml',
  'Dockerfile',
  'compose.yml',
  'package.json',
  '.env',
  '.netrc',
]

test(
  'text that is made to be slow takes a bounded time in every analyzer',
  { timeout: 120_000 },
  async () => {
    const analyzers = (await loadAnalyzers({})).filter(({ id }) => id !== 'oxlint')
    const slow: string[] = []
    for (const analyzer of analyzers) {
      for (const path of analyzer.id === 'secrets' ? ['a.js', 'a.json', '.npmrc'] : paths) {
        for (const piece of pieces) {
          const text = piece.repeat(Math.ceil(size / piece.length))
          const startedAt = performance.now()
          await analyseText(analyzer, path, text, 'config')
          const ms = performance.now() - startedAt
          if (ms > 2500)
            slow.push(`${analyzer.id} ${path} ${JSON.stringify(piece)} ${Math.round(ms)} ms`)
        }
      }
    }
    expect(slow).toEqual([])
  },
)
