import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

import { type ProviderReply, startProviderServer } from '@audit-tools/shared/testing'
import { expect, onTestFinished, test } from 'vitest'

import { type CliResult, makeDirectory, makeRepository } from './harness.ts'
import { startAuditCode } from './support/start-audit-code.ts'
import { writeConfig } from './support/planted-faults.ts'

const root = makeRepository({ 'a.ts': 'export const one = 1\n' })

/** A program on PATH that answers what Codex does about itself, and leaves a mark when it is asked to work. */
function makeCodex(): { readonly path: string; readonly mark: string } {
  const directory = makeDirectory('codex')
  const mark = join(directory, 'launched')
  const script = `#!/bin/sh
case "$1" in
--version) echo 'codex-cli 0.171.0' ;;
login) echo 'Logged in using an API key' ;;
*) touch '${mark}' ;;
esac
`
  writeFileSync(join(directory, 'codex'), script)
  chmodSync(join(directory, 'codex'), 0o755)
  const path = [directory, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter)
  return { path, mark }
}

interface Setting {
  readonly config: string
  readonly env: Readonly<Record<string, string>>
}

function run(args: readonly string[], { config, env }: Setting): Promise<CliResult> {
  return startAuditCode([...args, '--root', root, '--config', config], { env }).result
}

async function serve(reply: ProviderReply): Promise<{ url: string; calls: readonly unknown[] }> {
  const server = await startProviderServer(() => reply)
  onTestFinished(() => server.close())
  return server
}

const source = (id: string, endpoint: string): object => ({
  id,
  provider: 'openai-compatible',
  endpoint,
  model: 'big',
})

test('what could review is listed, confirmed once for a repository, and asked about again when there is more', async () => {
  const { path: PATH } = makeCodex()
  const env = { PATH, HOME: makeDirectory('home') }
  const config = writeConfig({ sources: [source('mine', 'http://127.0.0.1:9/v1')] })
  const setting = { config, env }
  const before = await run(['providers', 'list'], setting)
  expect(before.stdout).toContain('mine (big)')
  expect(before.stdout).toContain('codex: Codex 0.171.0, logged in')
  expect(before.stdout).toContain('Not all of this is confirmed')

  expect(await run(['providers', 'confirm'], setting)).toMatchObject({ code: 30 })
  expect(await run(['providers', 'confirm', '--yes', '--except', 'codex'], setting)).toMatchObject({
    code: 0,
  })
  expect((await run(['providers', 'list'], setting)).stdout).toContain('All of this is confirmed')
  const more = writeConfig({
    sources: [source('mine', 'http://127.0.0.1:9/v1'), source('new', 'http://127.0.0.1:9/v1')],
  })
  const after = await run(['providers', 'list', '--json'], { config: more, env })
  expect(JSON.parse(after.stdout)).toMatchObject({ confirmation: 'reconfirm' })
})

test('a canary opens what answers right, names what does not, and tells which model answered', async () => {
  const good = await serve({ kind: 'answer', text: '{"sum": 42}', model: 'small' })
  const bad = await serve({ kind: 'answer', text: '<html>' })
  const config = writeConfig({ sources: [source('good', good.url), source('bad', bad.url)] })
  const setting = { config, env: { HOME: makeDirectory('home') } }
  const both = await run(['providers', 'canary'], setting)
  expect(both.code).toBe(1)
  expect(both.stdout).toContain('good: usable, small answered, though big was asked for')
  expect(both.stdout).toContain('bad: not usable: bad_output')
  expect(await run(['providers', 'canary', 'good'], setting)).toMatchObject({ code: 0 })
  expect([good.calls.length, bad.calls.length]).toEqual([2, 1])
  expect(await run(['providers', 'canary', 'other'], setting)).toMatchObject({ code: 2 })
})

test('what is excluded is never launched, whoever asks', async () => {
  const { path: PATH, mark } = makeCodex()
  const api = await serve({ kind: 'answer', text: '{"sum": 42}' })
  const config = writeConfig({
    sources: [source('mine', api.url), { provider: 'codex' }],
    exclude: ['mine', 'codex'],
  })
  const setting = { config, env: { PATH, HOME: makeDirectory('home') } }
  const listed = await run(['providers', 'list'], setting)
  expect(listed.stdout).toContain('Excluded: mine, codex')
  await run(['providers', 'canary'], setting)
  await run(['run'], setting)
  expect(api.calls).toEqual([])
  expect(() => chmodSync(mark, 0o644)).toThrow('ENOENT')
})

test('inside Codex, Codex is refused with the reason', async () => {
  const { path: PATH, mark } = makeCodex()
  const config = writeConfig({ sources: [{ id: 'inner', provider: 'codex' }] })
  const env = { PATH, HOME: makeDirectory('home'), CODEX_THREAD_ID: 't' }
  const { stdout } = await run(['providers', 'canary'], { config, env })
  expect(stdout).toContain('inner: not usable')
  expect(stdout).toContain('CODEX_THREAD_ID')
  expect(() => chmodSync(mark, 0o644)).toThrow('ENOENT')
})
