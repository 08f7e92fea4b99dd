import { expect, test } from 'vitest'

import { makeDirectory } from '../../test/support/make-repository.ts'
import { snapshotOf } from '../../test/support/snapshot-of.ts'
import {
  describeDisposition,
  describeManifest,
  FileDispositionSchema,
  RepoManifestSchema,
} from './describe-manifest.ts'

test('the manifest has a row for each file, and the disposition holds each path once', async () => {
  const code = 'export const value = compute(1)\n'.repeat(20)
  const directory = makeDirectory({
    'src/a.ts': code,
    'src/b.ts': code,
    'src/a.test.ts': code,
    'README.md': 'text\n',
    'logo.png': '\0',
    'dist/x.js': code,
    '.gitignore': 'dist/\n',
  })
  const snapshot = await snapshotOf(directory.root)
  const manifest = RepoManifestSchema.parse(describeManifest(snapshot))
  const disposition = FileDispositionSchema.parse(describeDisposition(snapshot))
  expect(manifest.files.map(([path]) => path)).toEqual(snapshot.files.map(({ path }) => path))
  expect([manifest.file_count, manifest.line_count]).toEqual([5, 62])
  expect(disposition.in_scope.map(({ kind, paths }) => `${kind}: ${paths.join(' ')}`)).toEqual([
    'source: src/a.ts src/b.ts',
    'test: src/a.test.ts',
    'config: .gitignore',
    'docs: README.md',
  ])
  expect(disposition.excluded).toEqual([
    { reason: 'binary', paths: ['logo.png'] },
    { reason: 'ignored by .gitignore: dist/', paths: ['dist'] },
  ])
  expect(JSON.stringify(manifest).length).toBeLessThan(manifest.byte_count)
})
