import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { errorInfo } from './errors.ts'

const pages = fileURLToPath(new URL('../../../../docs/errors/', import.meta.url))

test('every error code has a page, and every page has its code', () => {
  const names = readdirSync(pages).map((name) => name.replace(/\.md$/, ''))
  expect(names.toSorted()).toEqual(Object.keys(errorInfo).toSorted())
})

test.each(Object.entries(errorInfo))(
  'the page of %s says what it means, its exit code and what to do',
  (code, { title, exitCode }) => {
    const page = readFileSync(`${pages}${code}.md`, 'utf8')
    expect(page.startsWith(`# ${code}\n\n${title}. Exit code ${exitCode}.\n\n`)).toBe(true)
    expect(page).toMatch(/\n## Usual causes\n\n- [^]*\n## What to do\n\n- /)
  },
)
