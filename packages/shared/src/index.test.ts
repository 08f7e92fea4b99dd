import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as root from './index.ts'

const readText = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

const names = JSON.parse(readText('fixtures/names-from-before.json')) as string[]

/** Everything that the root entry exports, types included: those exist in its text alone. */
const exported = new Set(
  Array.from(readText('index.ts').matchAll(/export \{([^}]*)\}/g), ([, list = '']) =>
    list.split(',').map((name) => name.trim().replace(/^type /, '')),
  ).flat(),
)

/** Names that the page has a row for, with what the row says. */
const explained = new Map(
  Array.from(
    readText('../../../docs/reference/names-from-before.md').matchAll(/^\| `(\w+)` \| (.+) \|$/gm),
    ([, name = '', explanation = '']) => [name, explanation] as const,
  ),
)

test('each name that other tools call is exported, or the page says what does its job', () => {
  expect(names.filter((name) => !exported.has(name) && !explained.has(name))).toEqual([])
})

test('the page explains no name that is exported, and no other name', () => {
  expect(
    [...explained.keys()].filter((name) => exported.has(name) || !names.includes(name)),
  ).toEqual([])
  for (const explanation of explained.values()) expect(explanation.length).toBeGreaterThan(20)
})

test('what the root entry names as a value is one', () => {
  const values = Object.entries(root).filter(([, value]) => value === undefined)
  expect(values).toEqual([])
  expect(Object.keys(root).every((name) => exported.has(name))).toBe(true)
})
