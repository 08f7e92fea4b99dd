import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  describeTree,
  git,
  inspect,
  makeRepository,
  makeTemporaryDirectory,
  writeFiles,
} from './fixtures/make-repository.ts'
import {
  listModified,
  listTrackedFiles,
  listUntrackedFiles,
  readHistory,
  runGit,
  tryGit,
} from './index.ts'

/** A repository whose settings, attributes and hooks name a program wherever git would run one. */
function makeHostileRepository() {
  const root = makeRepository({
    'a.txt': 'one\n',
    '.gitattributes': '* filter=evil diff=evil merge=evil text\n*.odd filter=e=v.i"l\n',
    'b.odd': 'one\n',
  })
  const proof = join(makeTemporaryDirectory(), 'proof')
  const evil = join(makeTemporaryDirectory(), 'evil')
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> '${proof}'\ncat\n`)
  chmodSync(evil, 0o755)
  const hooks = join(root, 'hooks')
  for (const directory of [hooks, join(root, '.git', 'hooks')]) {
    mkdirSync(directory, { recursive: true })
    for (const hook of [
      'post-index-change',
      'post-checkout',
      'pre-commit',
      'post-commit',
      'reference-transaction',
    ]) {
      writeFileSync(join(directory, hook), `#!/bin/sh\necho ${hook} >> '${proof}'\n`)
      chmodSync(join(directory, hook), 0o755)
    }
  }
  git(root, 'branch', 'side')
  for (const branch of ['side', 'main']) {
    git(root, 'symbolic-ref', 'HEAD', `refs/heads/${branch}`)
    writeFiles(root, { 'a.txt': `${branch}\n` })
    git(root, 'add', 'a.txt')
    git(root, 'commit', '--quiet', '-m', branch)
  }
  rmSync(proof, { force: true })
  const settings: Record<string, string> = {
    'core.fsmonitor': evil,
    'core.hooksPath': hooks,
    'core.pager': evil,
    'core.editor': evil,
    'core.sshCommand': evil,
    'core.gitProxy': evil,
    'core.askPass': evil,
    'core.alternateRefsCommand': evil,
    'credential.helper': evil,
    'diff.external': evil,
    'gpg.program': evil,
    'commit.gpgSign': 'true',
    'log.showSignature': 'true',
    'extensions.partialClone': 'origin',
    'remote.origin.url': `ext::${evil}`,
    'remote.origin.promisor': 'true',
    'protocol.ext.allow': 'always',
  }
  for (const name of ['filter.evil', 'filter.e=v.i"l']) {
    for (const key of ['clean', 'smudge', 'process']) settings[`${name}.${key}`] = evil
    settings[`${name}.required`] = 'true'
  }
  Object.assign(settings, {
    'diff.evil.command': evil,
    'diff.evil.textconv': evil,
    'merge.evil.driver': `${evil} %A`,
  })
  git(root, 'config', 'core.repositoryFormatVersion', '1')
  for (const [key, value] of Object.entries(settings)) git(root, 'config', key, value)
  appendFileSync(join(root, 'a.txt'), 'changed\n')
  return { root, proof }
}

test('git as it is runs the programs that a hostile repository names', () => {
  const { root, proof } = makeHostileRepository()
  try {
    git(root, 'status')
  } catch {
    // What it says does not matter here.
  }
  expect(existsSync(proof)).toBe(true)
})

test('nothing that a hostile repository names runs by reading it', async () => {
  const { root, proof } = makeHostileRepository()
  const repository = await inspect(root)
  expect((await listTrackedFiles(repository)).map(({ path }) => path)).toEqual([
    '.gitattributes',
    'a.txt',
    'b.odd',
  ])
  expect((await listModified(repository)).map(({ path }) => path)).toContain('a.txt')
  expect((await listUntrackedFiles(repository)).length).toBe(5)
  expect((await readHistory(repository, { maxCommits: 10 })).commits).toHaveLength(2)
  expect(existsSync(proof)).toBe(false)
})

test('nothing that a hostile repository names runs by the commands that landing needs', async () => {
  const { root, proof } = makeHostileRepository()
  const repository = await inspect(root)
  const variables = {
    GIT_INDEX_FILE: join(makeTemporaryDirectory(), 'index'),
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.org',
  }
  const run = async (...args: string[]) =>
    (await runGit(repository, args, { variables })).toString().trim()
  await run('read-tree', 'HEAD')
  await run('add', '--all')
  const tree = await run('write-tree')
  const commit = await run('commit-tree', tree, '-p', 'HEAD', '-m', 'change')
  await run('update-ref', 'refs/heads/result', commit)
  await run('diff', '--no-ext-diff', '--no-textconv', 'HEAD', commit)
  await run('show', '--no-textconv', commit)
  await run('log', '--patch', '--no-textconv', commit)
  await run('status', '--porcelain=v2', '-z')
  await run('cat-file', '--filters', `${commit}:a.txt`)
  await run(
    'worktree',
    'add',
    '--quiet',
    '--detach',
    join(makeTemporaryDirectory(), 'linked'),
    commit,
  )
  await run('stash', 'create')
  expect(await tryGit(repository, ['merge-tree', '--write-tree', 'main', 'side'])).toMatchObject({
    kind: 'failed',
    exitCode: 1,
  })
  expect(
    await tryGit(repository, ['cat-file', '-p', '0123456789012345678901234567890123456789']),
  ).toMatchObject({ kind: 'failed' })
  expect(await tryGit(repository, ['fetch', 'origin'])).toMatchObject({ kind: 'failed' })
  expect(await tryGit(repository, ['diff', 'HEAD', commit])).toMatchObject({ kind: 'failed' })
  expect(existsSync(proof)).toBe(false)
})

test('nothing under .git changes by reading, not even a time', async () => {
  const root = makeRepository({ 'a.txt': '1', 'b.txt': '1' })
  writeFiles(root, { 'a.txt': '2', 'new.txt': '' })
  git(root, 'config', 'core.untrackedCache', 'true')
  git(root, 'config', 'feature.manyFiles', 'true')
  const before = describeTree(join(root, '.git'))
  const repository = await inspect(root)
  await listTrackedFiles(repository)
  await listModified(repository)
  await listUntrackedFiles(repository)
  await readHistory(repository, { maxCommits: 10 })
  await runGit(repository, ['status', '--porcelain=v2', '-z'])
  expect(describeTree(join(root, '.git'))).toEqual(before)
})

test('a named pipe that the settings lead to does not block git', async () => {
  const root = makeRepository()
  const pipe = join(makeTemporaryDirectory(), 'pipe')
  execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', pipe])
  git(root, 'config', 'core.excludesFile', pipe)
  git(root, 'config', 'core.attributesFile', pipe)
  const repository = await inspect(root)
  expect(await listUntrackedFiles(repository)).toEqual([])
  expect(await listModified(repository)).toEqual([])
})
