import { execFileSync } from 'node:child_process'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { quoteCommand } from './quote-command.ts'

test('a POSIX shell reads back exactly the words that were quoted', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', ' ', "'", '"', '$', '\\', '`', '*', '\n', 'é'),
  })
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
      const program = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))'
      const line = quoteCommand([process.execPath, '-e', program, '--', ...words], 'linux')
      const read = execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' })
      expect(JSON.parse(read)).toEqual(words)
    }),
    { numRuns: 20 },
  )
})

test('plain words stay as they are and paths with spaces are quoted for Windows', () => {
  expect(quoteCommand(['audit-code', 'submit', '--root', 'C:\\My Code\\'], 'win32')).toBe(
    'audit-code submit --root "C:\\My Code\\\\"',
  )
  expect(quoteCommand(['say "hi"'], 'win32')).toBe('"say \\"hi\\""')
  expect(quoteCommand(['audit-code', '--a=b', './x'], 'linux')).toBe('audit-code --a=b ./x')
})
