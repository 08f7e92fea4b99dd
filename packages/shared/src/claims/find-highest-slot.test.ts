import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findHighestSlot } from './find-highest-slot.ts'

test('the highest slot is found with a logarithm of probes', () => {
  fc.assert(
    fc.property(fc.nat(100_000), (highest) => {
      let probes = 0
      const found = findHighestSlot((slot) => {
        probes += 1
        return slot <= highest
      })
      expect(found).toBe(highest)
      expect(probes).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(highest + 1)))
    }),
  )
})

test('slots that others take while it looks are found or left to the exclusive link', () => {
  fc.assert(
    fc.property(fc.nat(50), fc.array(fc.nat(3), { maxLength: 30 }), (before, arrivals) => {
      let highest = before
      const pending = [...arrivals]
      const found = findHighestSlot((slot) => {
        highest += pending.shift() ?? 0
        return slot <= highest
      })
      expect(found).toBeGreaterThanOrEqual(before)
      expect(found).toBeLessThanOrEqual(highest)
    }),
  )
})
