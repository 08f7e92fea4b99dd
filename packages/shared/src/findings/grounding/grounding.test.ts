import { expect, test } from 'vitest'

import { makeDraft, makeTree } from '../fixtures/drafts.ts'
import type { FindingDraft } from '../finding.ts'
import { createGrounder, type GroundingResult } from './grounding.ts'

const cache = [
  'export class Cache {',
  '  get(key: string) {',
  '    const found = this.values.get(key)',
  '    return found ?? this.load(key)',
  '  }',
  ...Array.from({ length: 84 }, (_, index) => `  // row ${index}`),
  '  peek(key: string) {',
  '    return cache.get(key)',
  '  }',
  '}',
].join('\n')

const tree = makeTree({ 'src/cache.ts': cache, 'src/core/a.ts': 'const a = 1\n' }, '/work/app')

function ground(draft: FindingDraft): GroundingResult {
  return createGrounder(tree)(draft)
}

function located(
  result: GroundingResult,
): Extract<GroundingResult, { kind: 'located' }>['located'] {
  if (result.kind === 'rejected') throw new Error(result.reason)
  return result.located
}

test('J02 a directory is no place for a finding, and nothing fails', () => {
  const { grounding } = located(ground(makeDraft({ path: 'src/core/' })))
  expect(grounding).toEqual({
    status: 'ungrounded',
    reason: 'src/core is a directory; a finding needs a file',
  })
})

test('J03 a file that is not in the tree leaves the finding ungrounded', () => {
  const { grounding } = located(
    ground(
      makeDraft({ path: 'src/validation/grounding.ts', quoted_text: 'return cache.get(key)' }),
    ),
  )
  expect(grounding.status).toBe('ungrounded')
  expect(grounding.reason).toContain('src/validation/grounding.ts is not among the files in scope')
})

test('J04 a quote on other lines is anchored again and marked as moved', () => {
  const quoted = { quoted_text: 'return cache.get(key)', line_start: 40, line_end: 44 }
  const { draft, grounding } = located(ground(makeDraft(quoted)))
  expect(grounding).toEqual({ status: 'grounded', moved_from: 40 })
  expect(draft.affected_files[0]).toMatchObject({
    line_start: 91,
    line_end: 91,
    symbol: 'Cache.peek',
  })
})

test('J04 a quote that is nowhere in the file is ungrounded', () => {
  const { grounding } = located(ground(makeDraft({ quoted_text: 'return memo.fetch(key)' })))
  expect(grounding).toEqual({
    status: 'ungrounded',
    reason: 'its quote does not stand in src/cache.ts',
  })
})

test('J05 lines that name nothing mean the whole file, with a note where they are past its end', () => {
  const read = (place: Record<string, unknown>) =>
    located(ground({ ...makeDraft(place), source: 'import' }))
  expect(read({ line_start: 0, line_end: -1 }).draft.affected_files).toEqual([
    { path: 'src/cache.ts' },
  ])
  expect(read({ line_start: '42' }).draft.affected_files[0]).toMatchObject({
    line_start: 42,
    line_end: 42,
  })
  const past = read({ line_start: 99_999 })
  expect(past.draft.affected_files).toEqual([{ path: 'src/cache.ts' }])
  expect(past.grounding).toEqual({
    status: 'grounded',
    reason: 'line 99999 is past the end of src/cache.ts (93 lines)',
  })
})

test('J19 paths outside the root reject the finding and nothing is read', () => {
  const reads: string[] = []
  const watched = createGrounder({
    ...tree,
    readText: (path) => {
      reads.push(path)
      return undefined
    },
  })
  const draft = makeDraft(
    {},
    { affected_files: [{ path: '../../home/user/.ssh/config' }, { path: '/etc/passwd' }] },
  )
  expect(watched(draft)).toEqual({
    kind: 'rejected',
    reason: 'every path it names leads outside the root',
  })
  expect(reads).toEqual([])
})

test('a path outside the root beside a good one is dropped and named', () => {
  const places = [
    { path: '/work/app/src/cache.ts', quoted_text: 'return cache.get(key)' },
    { path: '/etc/passwd' },
  ]
  const { draft, grounding } = located(ground(makeDraft({}, { affected_files: places })))
  expect(draft.affected_files.map(({ path }) => path)).toEqual(['src/cache.ts'])
  expect(grounding.reason).toBe('1 of the named paths lead outside the root')
})

test.each([
  'The file src/core/a.ts is referenced but missing',
  'Missing file: src/core/a.ts',
  '`src/core/a.ts` does not exist in the repository',
  'Imports core/a.ts, but core/a.ts cannot be found',
  'There is no file src/core/a.ts.',
  'src/core/a.ts is missing from the diff',
])('J21 a claim that an existing file is missing is refuted: %s', (summary) => {
  const { grounding } = located(ground(makeDraft({ path: 'src/cache.ts' }, { summary })))
  expect(grounding).toEqual({
    status: 'refuted',
    reason: 'it says that src/core/a.ts is missing, but it exists',
  })
})

test.each([
  'src/core/a.ts is missing a check for empty input',
  'A null check is missing in src/core/a.ts',
  'The file src/core/b.ts is missing',
  'src/core/a.ts: missing validation',
  'a.ts is missing a semicolon',
  'There is no src/core/a.ts import',
  'Missing import of src/core/a.ts',
])('a claim about something else than a missing file stands: %s', (summary) => {
  const quoted = { quoted_text: 'return cache.get(key)' }
  expect(located(ground(makeDraft(quoted, { summary }))).grounding.status).toBe('grounded')
})

test('J22 a quote of the prompt’s own mark is refuted', () => {
  const { grounding } = located(ground(makeDraft({ quoted_text: '// row 83\n…[truncated]' })))
  expect(grounding.status).toBe('refuted')
})

test('a file that really holds such a mark grounds its quote', () => {
  const marked = makeTree({ 'src/cache.ts': "const mark = '…[truncated]'\n" })
  const draft = makeDraft({ quoted_text: "const mark = '…[truncated]'" })
  expect(located(createGrounder(marked)(draft)).grounding.status).toBe('grounded')
})

test('a quote is found whatever its white space, and with line numbers or backticks around it', () => {
  for (const quoted_text of [
    'get(key: string)   {\n\n const found = this.values.get(key)',
    '2 | get(key: string) {\n3 | const found = this.values.get(key)',
    '`const found = this.values.get(key)`',
    '```ts\nconst found = this.values.get(key)\n```',
  ]) {
    const { draft, grounding } = located(ground(makeDraft({ quoted_text })))
    expect(grounding.status, quoted_text).toBe('grounded')
    expect(draft.affected_files[0]?.line_end).toBe(3)
  }
})

test('a short quote proves nothing unless it is a whole line that is cited or the only one', () => {
  const short = makeTree({ 'a.ts': 'x = 1\nlet y = x = 1 + x\n}\n}\n' })
  const read = (place: object) =>
    located(createGrounder(short)(makeDraft({ path: 'a.ts', ...place }))).grounding.status
  expect(read({ quoted_text: 'x = 1' })).toBe('grounded')
  expect(read({ quoted_text: '1 + x' })).toBe('ungrounded')
  expect(read({ quoted_text: '}', line_start: 4 })).toBe('grounded')
  expect(read({ quoted_text: '}', line_start: 1 })).toBe('ungrounded')
})

test('a reviewer without a quote is ungrounded, an analyzer with a masked one is trusted', () => {
  const line = { line_start: 91, line_end: 91 }
  expect(located(ground(makeDraft(line))).grounding.reason).toBe('it has no quote')
  const masked = makeDraft({ ...line, quoted_text: 'AKIA****' }, { source: 'analyzer' })
  const { draft, grounding } = located(ground(masked))
  expect(grounding.status).toBe('grounded')
  expect(draft.affected_files[0]?.quoted_text).toBe('AKIA****')
})

test('the text of cited lines gives identity but is never stored', () => {
  const found = located(ground(makeDraft({ line_start: 91 }, { source: 'analyzer' })))
  expect(found.place?.window).toContain('cache . get')
  expect(found.draft.affected_files[0]).not.toHaveProperty('quoted_text')
})

test('a symbol that the file does not hold makes the finding ungrounded', () => {
  const quoted = { quoted_text: 'return cache.get(key)', symbol: 'Cache.evictAll' }
  expect(located(ground(makeDraft(quoted))).grounding.reason).toBe(
    'evictAll does not occur in src/cache.ts',
  )
})

test('an endless summary does not keep the search for claims busy', () => {
  for (const summary of [`${'a/'.repeat(50_000)} is missing`, 'a.b'.repeat(50_000)]) {
    expect(located(ground(makeDraft({}, { summary }))).grounding.reason).toBe('it has no quote')
  }
})
