import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { chooseDirectory } from './agent-directory.ts'

const environment = { AUDIT_TOOLS_HOME: mkdtempSync(join(tmpdir(), 'state-')) }
const codePaths = ['.tool', 'tool.json']

function makeRepository(files: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'code-'))
  mkdirSync(join(root, '.git'))
  mkdirSync(join(root, 'src'))
  for (const file of files) writeFileSync(join(root, file), '')
  return root
}

const choose = (repoRoot: string, mode: 'review' | 'edit') =>
  chooseDirectory({ repoRoot, mode }, codePaths, { environment })

test('a repository without code for the client is where it runs', () => {
  const root = makeRepository(['src/tool.json'])
  expect(choose(root, 'review')).toEqual({ kind: 'chosen', directory: root })
  expect(choose(root, 'edit')).toEqual({ kind: 'chosen', directory: root })
})

test.each(['tool.json', '.tool'])(
  'with %s, in it or above it, a review runs in an empty directory and an edit not at all',
  (file) => {
    const root = makeRepository([file])
    for (const start of [root, join(root, 'src')]) {
      const choice = choose(start, 'review')
      expect(choice).toEqual({
        kind: 'chosen',
        directory: join(environment.AUDIT_TOOLS_HOME, 'empty'),
      })
      expect(choose(start, 'edit')).toEqual({ kind: 'refused', found: join(root, file) })
    }
    expect(readdirSync(join(environment.AUDIT_TOOLS_HOME, 'empty'))).toEqual([])
  },
)
