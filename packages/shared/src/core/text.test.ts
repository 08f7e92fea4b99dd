import fc from 'fast-check'
import { expect, test } from 'vitest'

import { escapeControls, findNearest, formatCount, formatStableJson } from './text.ts'

test('equal values give equal JSON bytes whatever the order of their keys', () => {
  expect(formatStableJson({ b: [{ d: 1, c: 2 }], a: null })).toBe(
    formatStableJson({ a: null, b: [{ c: 2, d: 1 }] }),
  )
})

test('no text can address a terminal after escaping', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      // oxlint-disable-next-line no-control-regex -- the characters that must be gone
      expect(escapeControls(text)).not.toMatch(
        /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
      )
    }),
  )
})

test('an escape sequence stays readable', () => {
  expect(escapeControls('red \u001b[31m bell\u0007')).toBe('red \\u{1b}[31m bell\\u{7}')
  expect(escapeControls('a\n\tb', { multiline: true })).toBe('a\n\tb')
  expect(escapeControls('a\r\nb', { multiline: true })).toBe('a\\u{d}\nb')
})

test('a slip finds its nearest word and nonsense finds none', () => {
  const words = ['exclude', 'prefer', 'sources']
  expect(findNearest('exlude', words)).toBe('exclude')
  expect(findNearest('zzzzzz', words)).toBeUndefined()
  expect(findNearest('x', [])).toBeUndefined()
})

test('counts carry their noun', () => {
  expect([formatCount(1, 'file'), formatCount(27_000, 'file')]).toEqual(['1 file', '27,000 files'])
  expect(formatCount(0, 'entry', 'entries')).toBe('0 entries')
})
