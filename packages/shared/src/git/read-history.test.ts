import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  commitAll,
  git,
  inspect,
  makeRepository,
  makeTemporaryDirectory,
  writeFiles,
} from './fixtures/make-repository.ts'
import { readHistory } from './index.ts'

async function readFiles(root: string, maxCommits = 100): Promise<(readonly string[])[]> {
  const { commits } = await readHistory(await inspect(root), { maxCommits })
  return commits.map(({ files }) => files)
}

test('commits are told newest first, with their time and the files they touched', async () => {
  const root = makeRepository({ 'a.txt': '1', 'docs/設計.md': '1' })
  writeFiles(root, { 'a.txt': '2', 'with\nnewline :x': '1' })
  commitAll(root)
  git(root, 'mv', 'a.txt', 'b.txt')
  commitAll(root)
  git(root, 'rm', '--quiet', 'b.txt')
  commitAll(root)
  expect(await readFiles(root)).toEqual([
    ['b.txt'],
    ['a.txt', 'b.txt'],
    ['a.txt', 'with\nnewline :x'],
    ['a.txt', 'docs/設計.md'],
  ])
  const { commits } = await readHistory(await inspect(root), { maxCommits: 1 })
  const [id, seconds] = git(root, 'log', '-1', '--format=%H %ct').trim().split(' ')
  expect(commits).toEqual([{ id, at: Number(seconds) * 1000, files: ['b.txt'] }])
})

test('a commit without files is told without files, and a merge only by the commits it brings', async () => {
  const root = makeRepository()
  commitAll(root, 'empty')
  git(root, 'switch', '--quiet', '-c', 'side')
  writeFiles(root, { 'side.txt': '' })
  commitAll(root)
  git(root, 'switch', '--quiet', 'main')
  writeFiles(root, { 'main.txt': '' })
  commitAll(root)
  git(root, 'merge', '--quiet', '--no-edit', 'side')
  const files = await readFiles(root)
  expect(files).toHaveLength(4)
  expect(files.flat().toSorted()).toEqual(['a.txt', 'main.txt', 'side.txt'])
})

test('where a shallow clone ends, files are not taken for changed', async () => {
  const origin = makeRepository()
  writeFiles(origin, { 'b.txt': '' })
  commitAll(origin)
  writeFiles(origin, { 'c.txt': '' })
  commitAll(origin)
  const directory = makeTemporaryDirectory()
  git(directory, 'clone', '--quiet', '--depth=2', `file://${origin}`, 'shallow')
  expect(await readFiles(join(directory, 'shallow'))).toEqual([['c.txt'], []])
})

test('before the first commit there is no history', async () => {
  const root = makeTemporaryDirectory()
  git(root, 'init', '--quiet')
  expect(await readFiles(root)).toEqual([])
})

test('settings of the repository do not change what is told', async () => {
  const root = makeRepository()
  writeFiles(root, { 'b.txt': 'two\n' })
  commitAll(root)
  const before = await readFiles(root)
  for (const [key, value] of [
    ['log.showRoot', 'false'],
    ['log.diffMerges', 'combined'],
    ['log.follow', 'true'],
    ['log.excludeDecoration', 'x'],
    ['format.pretty', 'oneline'],
    ['diff.renames', 'copies'],
    ['diff.relative', 'true'],
    ['diff.noprefix', 'true'],
    ['diff.orderFile', '/dev/null'],
    ['core.quotePath', 'true'],
    ['color.ui', 'always'],
    ['core.abbrev', '4'],
  ] as const) {
    git(root, 'config', key, value)
  }
  expect(await readFiles(root)).toEqual(before)
})
