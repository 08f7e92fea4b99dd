import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeTail, TailBuffer } from './tail-buffer.ts'

test('a tail buffer holds exactly the last bytes of whatever went through it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 40 }),
      fc.integer({ min: 0, max: 120 }),
      (chunks, maxBytes) => {
        const tail = new TailBuffer(maxBytes)
        for (const chunk of chunks) tail.push(chunk)
        const all = Buffer.concat(chunks)
        expect(tail.read()).toEqual(all.subarray(Math.max(0, all.byteLength - maxBytes)))
        expect(tail.totalBytes).toBe(all.byteLength)
        expect(tail.truncated).toBe(all.byteLength > maxBytes)
      },
    ),
  )
})

test('text that was cut at the front is a suffix of the whole text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), (text, random) => {
      const bytes = Buffer.from(text)
      expect(text.endsWith(decodeTail(bytes.subarray(random % bytes.byteLength)))).toBe(true)
    }),
  )
})
