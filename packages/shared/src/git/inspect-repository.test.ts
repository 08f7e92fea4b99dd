import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import {
  commitAll,
  git,
  inspect,
  makeRepository,
  makeTemporaryDirectory,
  writeFiles,
} from './fixtures/make-repository.ts'
import { inspectRepository, listTrackedFiles, MINIMUM_GIT_VERSION, runGit } from './index.ts'
import { isAtLeast, parseGitVersion } from './git-version.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

test('a repository is described from its top', async () => {
  const root = makeRepository()
  expect(await inspect(root)).toEqual({
    root,
    gitDir: join(root, '.git'),
    commonDir: join(root, '.git'),
    head: git(root, 'rev-parse', 'HEAD').trim(),
    objectFormat: 'sha1',
    bare: false,
    shallow: false,
    prefix: '',
    overrides: [],
  })
})

test('a subdirectory belongs to the repository around it', async () => {
  const root = makeRepository({ 'packages/a/x.txt': '' })
  expect(await inspect(join(root, 'packages', 'a'))).toMatchObject({ root, prefix: 'packages/a' })
})

test('a path through a link is described by where it leads', async () => {
  const root = makeRepository()
  const link = join(makeTemporaryDirectory(), 'link')
  symlinkSync(root, link)
  expect(await inspect(link)).toMatchObject({ root, gitDir: join(root, '.git') })
})

test('a root whose name holds a newline is described', async () => {
  const root = join(makeTemporaryDirectory(), 'two\nlines\n')
  mkdirSync(root)
  git(root, 'init', '--quiet')
  expect(await inspect(root)).toMatchObject({ root, gitDir: join(root, '.git') })
})

test('before the first commit there is no head', async () => {
  const root = makeTemporaryDirectory()
  git(root, 'init', '--quiet')
  expect((await inspect(root)).head).toBeNull()
})

test('objects named by SHA-256, shallow clones and bare repositories are told', async () => {
  expect(await inspect(makeRepository({}, '--object-format=sha256'))).toMatchObject({
    objectFormat: 'sha256',
    head: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const origin = makeRepository()
  commitAll(origin, 'second')
  const directory = makeTemporaryDirectory()
  git(directory, 'clone', '--quiet', '--depth=1', `file://${origin}`, 'shallow')
  git(directory, 'clone', '--quiet', '--bare', origin, 'bare.git')
  expect(await inspect(join(directory, 'shallow'))).toMatchObject({ shallow: true })
  const bare = join(directory, 'bare.git')
  expect(await inspect(bare)).toMatchObject({
    bare: true,
    root: bare,
    gitDir: bare,
    head: git(origin, 'rev-parse', 'HEAD').trim(),
  })
})

test('a linked work tree has a git directory of its own and shares the common one', async () => {
  const main = makeRepository()
  const linked = join(makeTemporaryDirectory(), 'linked')
  git(main, 'worktree', 'add', '--quiet', linked)
  expect(await inspect(linked)).toMatchObject({
    root: linked,
    gitDir: join(main, '.git', 'worktrees', 'linked'),
    commonDir: join(main, '.git'),
  })
})

test('a submodule is a repository of its own', async () => {
  const inner = makeRepository()
  const outer = makeRepository()
  git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub')
  expect(await inspect(join(outer, 'sub'))).toMatchObject({
    root: join(outer, 'sub'),
    gitDir: join(outer, '.git', 'modules', 'sub'),
  })
})

test('a directory outside any repository is told from a repository that git cannot read', async () => {
  expect(await inspectRepository(makeTemporaryDirectory())).toEqual({ kind: 'not_a_repository' })
  const root = makeRepository()
  writeFileSync(join(root, '.git', 'config'), '[broken')
  expect(await inspectRepository(root)).toEqual({
    kind: 'failed',
    message: expect.stringContaining('bad config line'),
  })
  expect(await inspectRepository(join(root, 'none'))).toMatchObject({ kind: 'failed' })
})

test('a repository whose settings lead to another work tree is refused', async () => {
  const root = makeRepository()
  git(root, 'config', 'core.worktree', makeTemporaryDirectory())
  expect(await inspectRepository(root)).toEqual({
    kind: 'failed',
    message: expect.stringContaining('core.worktree'),
  })
})

test('settings that come into force only under conditions are refused', async () => {
  const root = makeRepository()
  git(root, 'config', 'includeIf.onbranch:audit/**.path', 'other')
  expect(await inspectRepository(root)).toEqual({
    kind: 'failed',
    message: expect.stringContaining('includeIf'),
  })
})

test('variables of git from outside change nothing', async () => {
  const [root, other] = [makeRepository(), makeRepository({ 'other.txt': '' })]
  vi.stubEnv('GIT_DIR', join(other, '.git'))
  vi.stubEnv('GIT_INDEX_FILE', join(other, '.git', 'index'))
  vi.stubEnv('LANG', 'de_DE.UTF-8')
  const repository = await inspect(root)
  expect(repository.root).toBe(root)
  expect((await listTrackedFiles(repository)).map(({ path }) => path)).toEqual(['a.txt'])
})

test.runIf(process.getuid?.() === 0)(
  'a repository that belongs to another user can be read',
  async () => {
    const root = makeRepository()
    for (const name of ['', ...readdirSync(root, { recursive: true, encoding: 'utf8' })]) {
      chownSync(join(root, name), 12_345, 12_345)
    }
    expect(() => git(root, 'rev-parse', 'HEAD')).toThrow(/Command failed/)
    expect(await listTrackedFiles(await inspect(root))).toHaveLength(1)
  },
)

test('a directory that only looks like a repository does not rule the files in it', async () => {
  const root = makeRepository()
  const trap = join(root, 'trap')
  git(root, 'init', '--quiet', '--bare', 'trap')
  mkdirSync(join(trap, 'src'))
  expect(await inspectRepository(join(trap, 'src'))).toMatchObject({ kind: 'failed' })
})

test('git that is missing or too old is told', async () => {
  const root = makeRepository()
  const directory = makeTemporaryDirectory()
  vi.stubEnv('PATH', directory)
  expect(await inspectRepository(root)).toEqual({ kind: 'git_missing' })
  writeFiles(directory, { git: '#!/bin/sh\necho git version 2.37.4\n' })
  chmodSync(join(directory, 'git'), 0o755)
  expect(await inspectRepository(root)).toEqual({ kind: 'git_too_old', version: '2.37.4' })
})

test.each([
  ['git version 2.39.5', '2.39.5'],
  ['git version 2.39.5 (Apple Git-154)', '2.39.5'],
  ['git version 2.45.1.windows.1\n', '2.45.1'],
  ['git version 2.47', '2.47'],
  ['hub version 1', undefined],
])('%j is version %s', (text, version) => {
  expect(parseGitVersion(text)).toBe(version)
})

test('versions are compared by their numbers', () => {
  expect(isAtLeast('2.38.0', MINIMUM_GIT_VERSION)).toBe(true)
  expect(isAtLeast('2.100', MINIMUM_GIT_VERSION)).toBe(true)
  expect(isAtLeast('3.0.0', MINIMUM_GIT_VERSION)).toBe(true)
  expect(isAtLeast('2.37.9', MINIMUM_GIT_VERSION)).toBe(false)
  expect(isAtLeast('2.4', MINIMUM_GIT_VERSION)).toBe(false)
})

test('a command that fails says which, where and why', async () => {
  const repository = await inspect(makeRepository())
  await expect(runGit(repository, ['cat-file', '-p', 'none'])).rejects.toMatchObject({
    code: 'git-unusable',
    message: expect.stringMatching(/git cat-file failed in .*Not a valid object name none/),
  })
  await expect(
    runGit(repository, ['log'], { signal: AbortSignal.abort(new Error('stop')) }),
  ).rejects.toThrow('stop')
})
