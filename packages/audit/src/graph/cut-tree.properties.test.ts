import { compareText, hashParts } from '@audit-tools/shared/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { cutTree, type TreeItem } from './cut-tree.ts'

const limit = 100

const itemsArbitrary = fc.uniqueArray(
  fc.record({
    place: fc.array(fc.constantFrom('a', 'b', 'c.ts', 'c.css', 'd', 'e'), {
      minLength: 1,
      maxLength: 5,
    }),
    weight: fc.integer({ min: 0, max: 150 }),
  }),
  { selector: (item) => item.place.join('/'), minLength: 1, maxLength: 60 },
)

function nameGroups(items: readonly TreeItem[]): string[] {
  return cutTree(items, limit).map((group) => group.map((item) => item.place.join('/')).join(' '))
}

test('every item is in exactly one group, and no group but a single item is above the limit', () => {
  fc.assert(
    fc.property(itemsArbitrary, (items) => {
      const groups = cutTree(items, limit)
      expect(groups.flat()).toHaveLength(items.length)
      expect(new Set(groups.flat())).toEqual(new Set(items))
      for (const group of groups) {
        const weight = group.reduce((sum, item) => sum + item.weight, 0)
        expect(group.length === 1 || weight <= limit).toBe(true)
      }
    }),
  )
})

test('the order in which items come changes nothing', () => {
  fc.assert(
    fc.property(itemsArbitrary, fc.nat(), (items, seed) => {
      const shuffled = items.toSorted((left, right) =>
        compareText(hash(left, seed), hash(right, seed)),
      )
      expect(nameGroups(shuffled)).toEqual(nameGroups(items))
    }),
  )
})

function hash({ place }: TreeItem, seed: number): string {
  return hashParts([String(seed), ...place])
}

test('a changed weight changes no group, but the one of its item and those that this one takes in', () => {
  fc.assert(
    fc.property(
      itemsArbitrary,
      fc.nat(),
      fc.integer({ min: 0, max: 300 }),
      (items, pick, weight) => {
        const changed = items[pick % items.length]
        if (!changed) return
        const name = changed.place.join('/')
        const before = nameGroups(items)
        const after = nameGroups(
          items.map((item) => (item === changed ? { ...item, weight } : item)),
        )
        const lost = before.filter((group) => !after.includes(group))
        const own = after.find((group) => group.split(' ').includes(name)) ?? ''
        for (const group of lost) {
          const members = group.split(' ')
          const isTakenIn = members.every((member) => own.split(' ').includes(member))
          expect(members.includes(name) || isTakenIn).toBe(true)
          if (weight >= changed.weight) expect(members).toContain(name)
        }
      },
    ),
  )
})
