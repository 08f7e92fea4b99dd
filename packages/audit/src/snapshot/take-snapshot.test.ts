import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { isAuditToolsError } from '@audit-tools/shared/core'
import { expect, test } from 'vitest'

import { makeDirectory, makeRepository } from '../../test/support/make-repository.ts'
import { snapshotOf } from '../../test/support/snapshot-of.ts'
import { readSnapshotText } from './read-snapshot-text.ts'
import type { Snapshot, SnapshotFile } from './snapshot.ts'

function pathsOf(snapshot: Snapshot): string[] {
  return snapshot.files.map((file) => file.path)
}

function reasonOf(snapshot: Snapshot, path: string): string | undefined {
  return snapshot.excluded.find((entry) => entry.path === path)?.reason
}

function fileOf(snapshot: Snapshot, path: string): SnapshotFile {
  const file = snapshot.files.find((candidate) => candidate.path === path)
  if (!file) throw new Error(`${path} is not in the snapshot`)
  return file
}

test('R01 untracked files are counted and stay out of scope unless asked for', async () => {
  const repository = makeRepository({ 'src/a.ts': 'export const a = 1\n', '.gitignore': 'out/\n' })
  for (let index = 0; index < 40; index += 1) {
    repository.write({ [`tmp/agent-notes/${index}.md`]: 'note\n' })
  }
  repository.write({ 'out/built.js': 'built\n', '.audit-tools/audit/run.json': '{}\n' })

  const snapshot = await snapshotOf(repository.root)
  expect(pathsOf(snapshot)).toEqual(['.gitignore', 'src/a.ts'])
  expect(snapshot.untrackedSkipped).toBe(40)

  const all = await snapshotOf(repository.root, { includeUntracked: true, exclude: ['1*.md'] })
  expect(all.files).toHaveLength(2 + 29)
  expect(all.untrackedSkipped).toBe(0)
  expect(reasonOf(all, 'tmp/agent-notes/10.md')).toBe('excluded by config: 1*.md')
})

test('R03 order of listing and new modification times change nothing', async () => {
  const files = { 'b.ts': 'b\n', 'a/c.ts': 'c\n', 'a.ts': 'a\r\n' }
  const repository = makeRepository(files)
  const before = await snapshotOf(repository.root)
  for (const path of Object.keys(files)) utimesSync(join(repository.root, path), 1, 1)
  const after = await snapshotOf(repository.root)
  const plain = await snapshotOf(makeDirectory(files).root)
  expect(after).toEqual(before)
  expect(plain.treeHash).toBe(before.treeHash)
  expect(pathsOf(before)).toEqual(['a.ts', 'a/c.ts', 'b.ts'])
})

test('R12 excluded files are listed with their rule and a rule that matched nothing is reported', async () => {
  const repository = makeRepository({
    '.auditignore': '# ours\n*.gen.ts\n!keep.gen.ts\nnowhere/\n',
    'vendor/lib/x.js': 'x\n',
    'src/a.gen.ts': 'a\n',
    'src/keep.gen.ts': 'k\n',
    'src/vendor.ts': 'v\n',
  })
  const snapshot = await snapshotOf(repository.root, { exclude: ['vendor/**', '/missing.ts'] })
  expect(pathsOf(snapshot)).toEqual(['.auditignore', 'src/keep.gen.ts', 'src/vendor.ts'])
  expect(reasonOf(snapshot, 'vendor/lib/x.js')).toBe('excluded by config: vendor/**')
  expect(reasonOf(snapshot, 'src/a.gen.ts')).toBe('excluded by .auditignore: *.gen.ts')
  expect(snapshot.unmatchedRules).toEqual(['.auditignore: nowhere/', 'config: /missing.ts'])
})

test('what is no text of this tree is listed with its reason and never followed', async () => {
  const outside = makeDirectory({ 'secret.ts': 'outside\n' })
  const repository = makeRepository({
    'a.ts': 'a\n',
    'image.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]),
    'latin.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9]),
    'model.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
    'gone.ts': 'gone\n',
    'big.sql': 'x',
    'pipe.ts': 'p\n',
    'moved/secret.ts': 'inside\n',
    'locked.ts': 'locked\n',
  })
  symlinkSync('loop', join(repository.root, 'loop'))
  symlinkSync(join(outside.root, 'secret.ts'), join(repository.root, 'link.ts'))
  repository.git('-c', 'core.symlinks=true', 'add', '-A')
  repository.git(
    '-c',
    'protocol.file.allow=always',
    'submodule',
    'add',
    '-q',
    makeRepository().root,
    'sub',
  )
  rmSync(join(repository.root, 'gone.ts'))
  truncateSync(join(repository.root, 'big.sql'), 100 * 1024 * 1024)
  rmSync(join(repository.root, 'pipe.ts'))
  execFileSync('mkfifo', [join(repository.root, 'pipe.ts')])
  rmSync(join(repository.root, 'moved'), { recursive: true })
  symlinkSync(outside.root, join(repository.root, 'moved'))
  chmodSync(join(repository.root, 'locked.ts'), 0)

  const snapshot = await snapshotOf(repository.root)
  const isRoot = process.getuid?.() === 0
  expect(pathsOf(snapshot)).toEqual(
    isRoot ? ['.gitmodules', 'a.ts', 'locked.ts'] : ['.gitmodules', 'a.ts'],
  )
  expect(snapshot.excluded.filter((entry) => entry.path !== 'locked.ts')).toEqual([
    { path: 'big.sql', reason: 'larger than 5 MB' },
    { path: 'gone.ts', reason: 'missing from the working tree' },
    { path: 'image.png', reason: 'binary' },
    { path: 'latin.txt', reason: 'not UTF-8 text' },
    { path: 'link.ts', reason: 'symbolic link' },
    { path: 'loop', reason: 'symbolic link' },
    { path: 'model.bin', reason: 'Git LFS pointer: the content is not here' },
    { path: 'moved/secret.ts', reason: 'below a symbolic link' },
    { path: 'pipe.ts', reason: 'not a regular file' },
    { path: 'sub', reason: 'submodule' },
  ])
  if (!isRoot) expect(reasonOf(snapshot, 'locked.ts')).toBe('unreadable (EACCES)')
})

test('lines are counted alike for every line end, and hashes are those of git', async () => {
  const repository = makeRepository({
    'crlf.ts': 'a\r\nb\r\n',
    'cr.ts': 'a\rb\rc',
    'one.ts': 'a',
    'empty.ts': '',
    'utf16.ts': Buffer.from('\uFEFFa\nb\n', 'utf16le'),
    'bom.ts': '\uFEFFa\n',
  })
  const snapshot = await snapshotOf(repository.root)
  expect(snapshot.files.map(({ path, lines, bytes }) => [path, lines, bytes])).toEqual([
    ['bom.ts', 1, 5],
    ['cr.ts', 3, 5],
    ['crlf.ts', 2, 6],
    ['empty.ts', 0, 0],
    ['one.ts', 1, 1],
    ['utf16.ts', 2, 10],
  ])
  for (const file of snapshot.files) {
    expect(file.hash).toBe(repository.git('hash-object', file.path).trim())
  }
})

test('a checkout with CRLF has the hashes of the checkout with LF', async () => {
  const repository = makeRepository({ '.gitattributes': '*.ts text eol=crlf\n', 'a.ts': 'a\nb\n' })
  const before = await snapshotOf(repository.root)
  repository.write({ 'a.ts': 'a\r\nb\r\n' })
  const after = await snapshotOf(repository.root)
  expect(after.treeHash).toBe(before.treeHash)
  expect(readSnapshotText(after, fileOf(after, 'a.ts'))).toEqual({ kind: 'ok', text: 'a\r\nb\r\n' })
})

test('a file that changed after the snapshot is never taken for what the snapshot saw', async () => {
  const repository = makeRepository({ 'a.ts': 'a\n', 'b.ts': 'b\n' })
  const snapshot = await snapshotOf(repository.root)
  repository.write({ 'a.ts': 'b\n' })
  rmSync(join(repository.root, 'b.ts'))
  expect(readSnapshotText(snapshot, fileOf(snapshot, 'a.ts'))).toEqual({ kind: 'changed' })
  expect(readSnapshotText(snapshot, fileOf(snapshot, 'b.ts'))).toEqual({ kind: 'changed' })
})

test('names in NFD are known by their NFC form and still read; a twin is listed as one', async () => {
  const decomposed = 'cafe\u0301.ts'
  const repository = makeRepository({ [decomposed]: 'nfd\n', 'a\nb.ts': 'newline\n' })
  const snapshot = await snapshotOf(repository.root)
  expect(pathsOf(snapshot)).toEqual(['a\nb.ts', 'caf\u00e9.ts'])
  const file = fileOf(snapshot, 'caf\u00e9.ts')
  expect(file.diskPath).toBe(decomposed)
  expect(readSnapshotText(snapshot, file)).toEqual({ kind: 'ok', text: 'nfd\n' })

  repository.write({ 'caf\u00e9.ts': 'nfc\n' })
  repository.git('add', '-A')
  const twins = await snapshotOf(repository.root)
  const kept = fileOf(twins, 'caf\u00e9.ts')
  expect(readSnapshotText(twins, kept)).toEqual({ kind: 'ok', text: 'nfc\n' })
  expect(reasonOf(twins, 'caf\u00e9.ts')).toBe('same name as another file after NFC')
})

test('a name that is not UTF-8 is listed, not guessed', async () => {
  const repository = makeRepository({ 'a.ts': 'a\n' })
  writeFileSync(Buffer.concat([Buffer.from(`${repository.root}/b`), Buffer.from([0xff])]), 'b\n')
  repository.git('add', '-A')
  const snapshot = await snapshotOf(repository.root)
  expect(pathsOf(snapshot)).toEqual(['a.ts'])
  expect(snapshot.excluded).toEqual([{ path: 'b\uFFFD', reason: 'its name is not UTF-8' }])
})

test('a subdirectory as root sees its own files only, by paths relative to it', async () => {
  const repository = makeRepository({ 'app/src/a.ts': 'a\n', 'app/b.ts': 'b\n', 'other.ts': 'o\n' })
  repository.write({ 'app/new.ts': 'n\n', 'new.ts': 'n\n' })
  const snapshot = await snapshotOf(join(repository.root, 'app'))
  expect(pathsOf(snapshot)).toEqual(['b.ts', 'src/a.ts'])
  expect(snapshot.untrackedSkipped).toBe(1)
  expect(snapshot.commit).toBe(repository.git('rev-parse', 'HEAD').trim())
})

test('before the first commit the index decides, and an empty index leaves nothing but a count', async () => {
  const directory = makeDirectory({ 'a.ts': 'a\n', 'b.ts': 'b\n' })
  directory.git('init', '-q')
  const none = await snapshotOf(directory.root)
  expect([pathsOf(none), none.untrackedSkipped, none.commit]).toEqual([[], 2, null])
  directory.git('add', 'a.ts')
  const staged = await snapshotOf(directory.root)
  expect([pathsOf(staged), staged.untrackedSkipped]).toEqual([['a.ts'], 1])
})

test('a file in conflict is listed once', async () => {
  const repository = makeRepository({ 'a.ts': 'base\n' })
  repository.git('checkout', '-q', '-b', 'other')
  repository.write({ 'a.ts': 'other\n' })
  repository.git('commit', '-qam', 'other')
  repository.git('checkout', '-q', 'main')
  repository.write({ 'a.ts': 'main\n' })
  repository.git('commit', '-qam', 'main')
  expect(() => repository.git('merge', 'other')).toThrow()
  expect(pathsOf(await snapshotOf(repository.root))).toEqual(['a.ts'])
})

test('without git a walk applies nested ignore files and names what it skips', async () => {
  const directory = makeDirectory({
    '.gitignore': '*.log\nbuild/\n',
    'a.ts': 'a\n',
    'a.log': 'l\n',
    'build/out.js': 'o\n',
    'pkg/.gitignore': '!keep.log\n',
    'pkg/keep.log': 'k\n',
    'pkg/b.log': 'b\n',
    'node_modules/x/index.js': 'x\n',
    '.audit-tools/state.json': '{}\n',
  })
  symlinkSync('..', join(directory.root, 'pkg', 'up'))
  mkdirSync(join(directory.root, 'empty'))
  const snapshot = await snapshotOf(directory.root)
  expect(pathsOf(snapshot)).toEqual(['.gitignore', 'a.ts', 'pkg/.gitignore', 'pkg/keep.log'])
  expect(snapshot.commit).toBeNull()
  expect(snapshot.excluded).toEqual([
    { path: '.audit-tools', reason: "the tool's own folder" },
    { path: 'a.log', reason: 'ignored by .gitignore: *.log' },
    { path: 'build', reason: 'ignored by .gitignore: build/' },
    { path: 'node_modules', reason: 'directory of installed packages' },
    { path: 'pkg/b.log', reason: 'ignored by .gitignore: *.log' },
    { path: 'pkg/up', reason: 'symbolic link' },
  ])
})

test('names that objects have by nature are ordinary names', async () => {
  const names = ['__proto__', 'constructor', 'toString/hasOwnProperty.ts']
  const repository = makeRepository(Object.fromEntries(names.map((name) => [name, 'x\n'])))
  expect(pathsOf(await snapshotOf(repository.root))).toEqual(names)
})

test('a root that is no directory of files is refused', async () => {
  const directory = makeDirectory({ 'a.ts': 'a\n' })
  directory.git('init', '-q', '--bare', 'bare.git')
  for (const root of [join(directory.root, 'a.ts'), join(directory.root, 'missing')]) {
    const failure = await snapshotOf(root, { repository: null }).catch((error: unknown) => error)
    expect(isAuditToolsError(failure) && failure.code).toBe('root-invalid')
  }
})

test('cancelling ends the snapshot', async () => {
  const directory = makeDirectory({ 'a.ts': 'a\n' })
  const controller = new AbortController()
  controller.abort()
  await expect(snapshotOf(directory.root, { signal: controller.signal })).rejects.toThrow('aborted')
})
