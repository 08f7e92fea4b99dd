import { readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { git, inspect, makeRepository, writeFiles } from './fixtures/make-repository.ts'
import { hashBlob, listModified, listTrackedFiles, listUntrackedFiles } from './index.ts'

const onLinux = test.runIf(process.platform === 'linux')

test('tracked files come with their mode and the id of their content', async () => {
  const root = makeRepository({ 'docs/設計.md': 'x', 'a "b"\n\t.txt': 'y', 'run.sh': 'z' })
  symlinkSync('run.sh', join(root, 'link'))
  git(root, 'add', 'link')
  git(root, 'update-index', '--chmod=+x', 'run.sh')
  const commit = git(root, 'rev-parse', 'HEAD').trim()
  git(root, 'update-index', '--add', '--cacheinfo', `160000,${commit},sub`)
  const plain = { stage: 0, unwatched: false }
  expect(await listTrackedFiles(await inspect(root))).toEqual([
    { path: 'a "b"\n\t.txt', mode: '100644', hash: hashBlob('y', 'sha1'), ...plain },
    { path: 'docs/設計.md', mode: '100644', hash: hashBlob('x', 'sha1'), ...plain },
    { path: 'link', mode: '120000', hash: hashBlob('run.sh', 'sha1'), ...plain },
    { path: 'run.sh', mode: '100755', hash: hashBlob('z', 'sha1'), ...plain },
    { path: 'sub', mode: '160000', hash: commit, ...plain },
  ])
})

onLinux('a name that is not UTF-8 keeps its bytes', async () => {
  const root = makeRepository({})
  const name = Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])])
  writeFileSync(name, '')
  expect(await listUntrackedFiles(await inspect(root))).toEqual([
    { path: 'caf\u{fffd}', rawPath: name.subarray(-4), repository: false },
  ])
  git(root, 'add', '--all')
  rmSync(name)
  const repository = await inspect(root)
  expect(await listTrackedFiles(repository)).toMatchObject([{ rawPath: name.subarray(-4) }])
  expect(await listModified(repository)).toEqual([
    { path: 'caf\u{fffd}', rawPath: name.subarray(-4), state: 'deleted' },
  ])
})

test('the three sides of an unresolved merge are three entries', async () => {
  const root = makeRepository()
  git(root, 'switch', '--quiet', '-c', 'side')
  writeFiles(root, { 'a.txt': 'two\n' })
  git(root, 'commit', '--quiet', '-am', 'side')
  git(root, 'switch', '--quiet', 'main')
  writeFiles(root, { 'a.txt': 'three\n' })
  git(root, 'commit', '--quiet', '-am', 'main')
  expect(() => git(root, 'merge', 'side')).toThrow(/Command failed/)
  const repository = await inspect(root)
  expect((await listTrackedFiles(repository)).map(({ stage }) => stage)).toEqual([1, 2, 3])
  expect(await listModified(repository)).toEqual([{ path: 'a.txt', state: 'changed' }])
})

test('of an untouched checkout nothing is modified', async () => {
  const root = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
  expect(await listModified(await inspect(root))).toEqual([])
})

test('changed and deleted files are modified, also when size and time stayed the same', async () => {
  const root = makeRepository({
    'kept.txt': '1',
    'same-size.txt': '1',
    'longer.txt': '1',
    'gone.txt': '1',
  })
  const { atime, mtime } = statSync(join(root, 'same-size.txt'))
  writeFiles(root, { 'same-size.txt': '2', 'longer.txt': '22' })
  utimesSync(join(root, 'same-size.txt'), atime, mtime)
  rmSync(join(root, 'gone.txt'))
  git(root, 'config', 'core.checkStat', 'minimal')
  git(root, 'config', 'core.trustctime', 'false')
  expect(await listModified(await inspect(root))).toEqual([
    { path: 'gone.txt', state: 'deleted' },
    { path: 'longer.txt', state: 'changed' },
    { path: 'same-size.txt', state: 'changed' },
  ])
})

test('a file that git was told not to look at is not vouched for', async () => {
  const root = makeRepository({ 'assumed.txt': '1', 'sparse.txt': '1', 'z.txt': '1' })
  git(root, 'update-index', '--assume-unchanged', 'assumed.txt')
  git(root, 'update-index', '--skip-worktree', 'sparse.txt')
  writeFiles(root, { 'assumed.txt': '2', 'sparse.txt': '2' })
  const repository = await inspect(root)
  expect(await listModified(repository)).toEqual([
    { path: 'assumed.txt', state: 'unwatched' },
    { path: 'sparse.txt', state: 'unwatched' },
  ])
  const tracked = await listTrackedFiles(repository)
  expect(tracked.map(({ unwatched }) => unwatched)).toEqual([true, true, false])
})

test('every file that is not listed as modified has the content that the index says', async () => {
  const root = makeRepository(
    Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.txt`, `${index}`])),
  )
  for (let index = 0; index < 40; index += 3)
    writeFiles(root, { [`${index}.txt`]: `${99 - index}` })
  const repository = await inspect(root)
  const modified = new Set((await listModified(repository)).map(({ path }) => path))
  expect(modified.size).toBe(14)
  for (const { path, hash } of await listTrackedFiles(repository)) {
    const isCurrent = hashBlob(readFileSync(join(root, path)), 'sha1') === hash
    expect({ path, isCurrent }).toEqual({ path, isCurrent: !modified.has(path) })
  }
})

test('untracked files are those that no rule of the repository ignores, also with a hostile ignore setting', async () => {
  const root = makeRepository({ '.gitignore': '*.log\n' })
  writeFiles(root, { 'new.ts': '', 'deep/er.ts': '', 'x.log': '' })
  git(root, 'config', 'core.excludesFile', join(root, 'all'))
  writeFiles(root, { '.git/info/exclude': 'private\n', private: '', all: '*\n' })
  git(root, 'init', '--quiet', 'nested')
  writeFiles(root, { 'nested/x.txt': '' })
  expect(await listUntrackedFiles(await inspect(root))).toEqual([
    { path: 'all', repository: false },
    { path: 'deep/er.ts', repository: false },
    { path: 'nested/', repository: true },
    { path: 'new.ts', repository: false },
  ])
})

test('from a subdirectory the whole repository is listed', async () => {
  const root = makeRepository({ 'a/x.txt': '', 'b/y.txt': '' })
  const tracked = await listTrackedFiles(await inspect(join(root, 'a')))
  expect(tracked.map(({ path }) => path)).toEqual(['a/x.txt', 'b/y.txt'])
})

test.each(['sha1', 'sha256'] as const)(
  'blob ids of %s are those that git gives',
  async (format) => {
    const contents = ['', 'x', '設計\n', '\0'.repeat(100_000)]
    const root = makeRepository(
      Object.fromEntries(contents.map((content, index) => [String(index), content])),
      `--object-format=${format}`,
    )
    const tracked = await listTrackedFiles(await inspect(root))
    expect(tracked.map(({ hash }) => hash)).toEqual(
      contents.map((content) => hashBlob(content, format)),
    )
  },
)
