import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { measureGrowth } from '../../test/support/measure-growth.ts'
import { createRuleMatcher, parseIgnoreRules } from './ignore-rules.ts'

let repository: string

beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), 'ignore-rules-'))
  execFileSync('git', ['init', '-q'], { cwd: repository })
})
afterAll(() => rmSync(repository, { recursive: true }))

// Names are ASCII: git's `?` and `[..]` take one byte, ours one character.

/** The paths that git itself ignores under these rules. */
function askGit(rules: string, paths: readonly string[]): string[] {
  writeFileSync(join(repository, '.gitignore'), rules)
  try {
    const output = execFileSync('git', ['check-ignore', '--no-index', '--stdin', '-z'], {
      cwd: repository,
      input: paths.join('\0'),
    })
    return output
      .toString()
      .split('\0')
      .filter((path) => path !== '')
  } catch (error) {
    // Exit code 1: git ignores none of them.
    if (error instanceof Error && 'status' in error && error.status === 1) return []
    throw error
  }
}

const nameArbitrary = fc
  .array(fc.constantFrom('a', 'b', '.', '-', '~', '!', '#', ' '), { minLength: 1, maxLength: 4 })
  .map((characters) => characters.join(''))
  .filter((name) => !/^\.+$/.test(name))
const pathArbitrary = fc
  .array(nameArbitrary, { minLength: 1, maxLength: 4 })
  .map((names) => names.join('/'))
const ruleArbitrary = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      '.',
      '-',
      '~',
      '*',
      '**',
      '?',
      '/',
      '[ab]',
      '[!a]',
      '[^b-z]',
      '[a-]',
      '[]a]',
      '[',
      '\\*',
      '\\a',
      '!',
      '#',
      ' ',
      '[[:alpha:]]',
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''))
const ruleListArbitrary = fc.array(
  fc.tuple(fc.constantFrom('', '', '!', '/'), ruleArbitrary, fc.constantFrom('', '', '/')),
  { minLength: 1, maxLength: 5 },
)

test('rules exclude exactly what git ignores under them', () => {
  fc.assert(
    fc.property(
      ruleListArbitrary,
      fc.uniqueArray(pathArbitrary, { maxLength: 12 }),
      (parts, paths) => {
        const rules = parts.map((part) => part.join('')).join('\n')
        const matcher = createRuleMatcher(parseIgnoreRules({ origin: 'test', text: rules }))
        const excluded = paths.filter((path) => matcher.findExclusion(path) !== undefined)
        expect(excluded).toEqual(askGit(`${rules}\n`, paths))
      },
    ),
    { numRuns: 300 },
  )
})

test('a rule made to backtrack costs no more than pattern times path', async () => {
  const text = `${'*a'.repeat(40)}*b\n${'**/a/'.repeat(40)}b`
  const matcher = createRuleMatcher(parseIgnoreRules({ origin: 'test', text }))
  const path = `${'a/'.repeat(2000)}${'a'.repeat(2000)}`
  expect(matcher.findExclusion(path)).toBeUndefined()
  expect(await measureGrowth(path, (part) => matcher.findExclusion(part))).toBeLessThan(10)
})
