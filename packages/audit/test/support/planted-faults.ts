import { cpSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

import { commitAll, git, makeDirectory, writeFiles } from '../harness.ts'

/** A fault that somebody planted: one line that stands nowhere else. */
export interface PlantedFault {
  readonly path: string
  readonly quote: string
}

/** A copy of a real code base, committed, with one fault in each of `count` source files. */
export function makePlantedRepository(count: number): {
  readonly root: string
  readonly faults: readonly PlantedFault[]
} {
  const require = createRequire(join(import.meta.dirname, '../../../shared/package.json'))
  const source = dirname(realpathSync(require.resolve('undici/package.json')))
  const root = makeDirectory('planted')
  git(root, 'init', '-q', '-b', 'main')
  cpSync(join(source, 'lib'), join(root, 'lib'), { recursive: true })
  const files = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('lib', name))
    .filter((name) => name.endsWith('.js') && !name.includes('llhttp'))
    .toSorted()
  const faults = files.slice(0, count).map((path, index) => plant(root, path, index))
  commitAll(root)
  return { root, faults }
}

function plant(root: string, path: string, index: number): PlantedFault {
  const quote = `module.exports.lastOf${index} = (items) => items[items.length + ${index}]`
  const text = readFileSync(join(root, path), 'utf8')
  writeFileSync(join(root, path), `${text}\n${quote}\n`)
  return { path, quote }
}

/** What a careful reviewer answers to a prompt: exactly the planted faults that stand in it. */
export function reviewPrompt(prompt: string, faults: readonly PlantedFault[]): string {
  const findings = faults.flatMap(({ path, quote }) => {
    const line = findLine(prompt, path, quote)
    if (line === undefined) return []
    return [
      {
        title: `Reads past the end in ${path}`,
        lens: 'correctness',
        severity: 'high',
        path,
        line_start: line,
        quote,
        summary: 'The index is not below the length.',
      },
    ]
  })
  return JSON.stringify({
    findings,
    files_reviewed: listShownFiles(prompt).map((path) => ({ path })),
  })
}

export function listShownFiles(prompt: string): string[] {
  return [...new Set([...prompt.matchAll(/^File (\S+)/gm)].map(([, path = '']) => path))]
}

function findLine(prompt: string, path: string, quote: string): number | undefined {
  if (!listShownFiles(prompt).includes(path)) return undefined
  const line = prompt.split('\n').find((text) => text.endsWith(` ${quote}`))
  return line === undefined ? undefined : Number.parseInt(line, 10)
}

/** A configuration file outside the repository, as a person keeps it. */
export function writeConfig(config: object): string {
  const directory = makeDirectory('config')
  writeFiles(directory, { 'config.json': JSON.stringify(config) })
  return join(directory, 'config.json')
}
