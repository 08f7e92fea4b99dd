import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { onTestFinished } from 'vitest'

export interface TestDirectory {
  readonly root: string
  write(files: Readonly<Record<string, string | Buffer>>): void
  git(...args: readonly string[]): string
}

/** A directory with these files; removed when the test ends. */
export function makeDirectory(
  files: Readonly<Record<string, string | Buffer>> = {},
): TestDirectory {
  const root = mkdtempSync(join(tmpdir(), 'audit-test-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const directory: TestDirectory = {
    root,
    write(entries) {
      for (const [path, content] of Object.entries(entries)) {
        mkdirSync(dirname(join(root, path)), { recursive: true })
        writeFileSync(join(root, path), content)
      }
    },
    git: (...args) =>
      execFileSync(
        'git',
        [
          '-c',
          'user.name=t',
          '-c',
          'user.email=t@example.org',
          '-c',
          'protocol.file.allow=always',
          ...args,
        ],
        {
          cwd: root,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      ),
  }
  directory.write(files)
  return directory
}

/** A git repository whose only commit holds these files. */
export function makeRepository(
  files: Readonly<Record<string, string | Buffer>> = {},
): TestDirectory {
  const directory = makeDirectory(files)
  directory.git('init', '-q', '-b', 'main')
  directory.git('add', '-A')
  directory.git('commit', '-q', '--allow-empty', '-m', 'first')
  return directory
}
