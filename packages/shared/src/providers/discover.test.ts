import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

import { expect, test } from 'vitest'

import { discoverProviders } from './discover.ts'

/** A directory with programs that answer by their first argument. */
function makePrograms(answers: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'discover-'))
  for (const [name, replies] of Object.entries(answers)) {
    const lines = Object.entries(replies).map(([word, reply]) => `${word}) echo '${reply}' ;;`)
    const path = join(directory, name)
    writeFileSync(path, `#!/bin/sh\ncase "$1" in\n${lines.join('\n')}\n*) exit 1 ;;\nesac\n`)
    chmodSync(path, 0o755)
  }
  return directory
}

test('what is on PATH is found with its version and login, as each CLI says itself', async () => {
  const directory = makePrograms({
    claude: { '--version': '2.1.332 (Claude Code)', auth: '{ "loggedIn": true }' },
    codex: { '--version': 'codex-cli 0.171.0', login: 'Not logged in' },
    opencode: { '--version': '1.18.33', auth: '2 credentials' },
  })
  const PATH = [directory, dirname('/bin/sh')].join(delimiter)
  const found = await discoverProviders({ environment: { PATH, CLAUDECODE: '1' } })
  expect(found.map(({ id, version, login, selfMark }) => [id, version, login, selfMark])).toEqual([
    ['claude-code', '2.1.332', 'logged_in', 'CLAUDECODE'],
    ['codex', '0.171.0', 'logged_out', null],
    ['opencode', '1.18.33', 'logged_in', null],
  ])
})

test('a program that does not answer is found without version, and an absent one is not', async () => {
  const PATH = [makePrograms({ codex: {} }), dirname('/bin/sh')].join(delimiter)
  const found = await discoverProviders({ environment: { PATH } })
  expect(found.map(({ id, version, login }) => [id, version, login])).toEqual([
    ['codex', null, 'unknown'],
  ])
})
