import fc from 'fast-check'
import { expect, test } from 'vitest'

import { findJsonFault } from './find-json-fault.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError)
    return false
  }
}

const characters = '{}[]",:\\ \n0-.eE+tnu/#\u0001a'.split('')

/** Texts near JSON: a value written out, with a few characters cut, doubled or replaced. */
const nearJson = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom(...characters)), {
      maxLength: 3,
    }),
  )
  .map(([json, edits]) =>
    edits.reduce((text, [place, cut, character]) => {
      const at = place % (text.length + 1)
      return text.slice(0, at) + character + text.slice(at + cut)
    }, json),
  )

test('a fault is found exactly where JSON.parse refuses, or a key stands twice', () => {
  fc.assert(
    fc.property(fc.oneof(nearJson, fc.string({ unit: 'binary' })), (text) => {
      const fault = findJsonFault(text)
      if (fault?.message.endsWith('is there twice')) return
      expect({ text, isFaulty: fault !== undefined }).toEqual({ text, isFaulty: !isJson(text) })
    }),
    { numRuns: 2000 },
  )
})

test('the place of a fault lies in the text or at its end', () => {
  fc.assert(
    fc.property(nearJson, (text) => {
      const fault = findJsonFault(text)
      if (!fault) return
      const line = text.split('\n')[fault.line - 1]
      expect(line).toBeDefined()
      expect(fault.column).toBeGreaterThan(0)
      expect(fault.column).toBeLessThanOrEqual((line ?? '').length + 1)
    }),
  )
})

test('brackets without end do not exhaust the stack', () => {
  expect(findJsonFault('['.repeat(1_000_000))).toEqual({
    line: 1,
    column: 66,
    message: 'too many levels of brackets',
  })
})
