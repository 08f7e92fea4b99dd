import fc from 'fast-check'
import { expect, test } from 'vitest'

import { formatKeyPath } from './config-keys.ts'
import { type ConfigLayer, listValues, mergeLayers, type Table } from './config-layer.ts'

const number = fc.nat(99)
const values: fc.Arbitrary<Table> = fc.record(
  {
    depth: fc.constantFrom('quick', 'deep'),
    exclude: fc.array(fc.string()),
    coordination: fc.constantFrom({ kind: 'file' }, { kind: 'redis', url: 'redis://x' }),
    budget: fc.record({ usd: number, tokens: fc.constant(undefined) }, { requiredKeys: [] }),
    quota: fc.record(
      {
        safety_margin: number,
        models: fc.dictionary(
          fc.constantFrom('a', 'b', 'c.d', '__proto__', 'constructor'),
          fc.record({ context_tokens: number, output_tokens: number }, { requiredKeys: [] }),
        ),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)
const layers = fc
  .array(values, { maxLength: 4 })
  .map((list) => list.map((table): ConfigLayer => ({ origin: { kind: 'flag' }, values: table })))

function listByKey(table: Table): Map<string, unknown> {
  return new Map(listValues(table).map(({ path, value }) => [formatKeyPath(path), value]))
}

test('each key has the value of the strongest origin that sets it, and nothing else is set', () => {
  fc.assert(
    fc.property(layers, (list) => {
      const strongestLast = list.toReversed().flatMap((layer) => [...listByKey(layer.values)])
      expect(listByKey(mergeLayers(list))).toEqual(new Map(strongestLast))
    }),
  )
})
