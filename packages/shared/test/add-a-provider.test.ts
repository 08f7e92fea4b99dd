import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { SessionConfigSchema } from '@audit-tools/shared/config'
import { readEnvironment, systemClock } from '@audit-tools/shared/core'
import { findProvider } from '@audit-tools/shared/providers'
import { startCliWorker } from '@audit-tools/shared/testing'
import { expect, test } from 'vitest'

import { type AgentCli, createAgentProvider } from '../src/providers/agent-cli.ts'

const here = dirname(fileURLToPath(import.meta.url))
const sources = join(here, '../src/providers')
const guide = readFileSync(join(here, '../../../docs/guides/add-a-provider.md'), 'utf8')

function readBlocks(language: string): string[] {
  return [...guide.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  )
}

/** The descriptor of the guide, loaded as if it stood beside the others. */
async function loadDescriptor(directory: string): Promise<AgentCli> {
  const [code = ''] = readBlocks('ts')
  const path = join(directory, 'gemini-cli.ts')
  const folder = pathToFileURL(sources).href
  writeFileSync(path, code.replaceAll("from './", `from '${folder}/`))
  const module = (await import(/* @vite-ignore */ path)) as { geminiCli: AgentCli }
  return module.geminiCli
}

test('the provider of the guide works as it stands there', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'guide-'))
  const cli = await loadDescriptor(directory)
  const worker = await startCliWorker(directory, () => ({ stdout: readBlocks('jsonl')[0] ?? '' }))
  const outcome = await createAgentProvider(cli).launch(
    { provider: cli.name, command: [...worker.command] },
    {
      prompt: 'Review.',
      promptPath: join(directory, 'prompt.md'),
      resultPath: join(directory, 'result.json'),
      stdoutPath: join(directory, 'out.log'),
      stderrPath: join(directory, 'err.log'),
      repoRoot: directory,
      maxOutputTokens: 1000,
      timeoutMs: 20_000,
      signal: new AbortController().signal,
    },
    { clock: systemClock, environment: readEnvironment() },
  )
  await worker.close()
  expect(outcome).toMatchObject({
    class: 'ok',
    text: '{"findings": []}',
    answeredModel: 'gemini-pro',
    usage: { inputTokens: 900, outputTokens: 12, cachedInputTokens: 300 },
  })
  expect(worker.calls[0]?.argv).toEqual([
    '--output-format',
    'stream-json',
    '--approval-mode',
    'plan',
  ])
})

test('the registry line of the guide is the one in the code with one name more', () => {
  const [, line = ''] = readBlocks('ts')
  const registry = readFileSync(join(sources, 'registry.ts'), 'utf8')
  expect(registry).toContain(line.trim().replace(', geminiCli]', ']'))
})

test('the recipe without code is a valid source that its provider takes', () => {
  const config = SessionConfigSchema.parse(JSON.parse(readBlocks('json')[0] ?? ''))
  const [source] = config.sources
  if (source === undefined) throw new Error('the recipe has no source')
  const context = { clock: systemClock, environment: { GEMINI_API_KEY: 'x' } }
  expect(findProvider(source.provider)?.checkSource(source, context)).toBeNull()
})
