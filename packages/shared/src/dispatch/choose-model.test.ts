import { expect, test } from 'vitest'
import { makePool } from './fixtures/world.ts'
import { parseHostModelRoster } from './host-roster.ts'
import { InFlightTokenTracker } from './in-flight-token-tracker.ts'
import { selectProvider } from './select-provider.ts'
import { compareTier, mostCapableTier, tierRank } from './tier.ts'

test('ranks are ordered from least to most able', () => {
  expect(
    ['deep', 'small', 'standard'].toSorted((a, b) => compareTier(a as 'deep', b as 'small')),
  ).toEqual(['small', 'standard', 'deep'])
  expect(tierRank(undefined)).toBe(0)
  expect(mostCapableTier(['small', 'deep', 'standard'])).toBe('deep')
  expect(mostCapableTier([])).toBeUndefined()
})

test('the least able pool that is able enough is selected, else the most able', () => {
  const pools = [
    makePool('deep', { rank: 'deep' }),
    makePool('small', { rank: 'small' }),
    makePool('standard', { rank: 'standard' }),
  ]
  expect(selectProvider(pools, 'standard')?.id).toBe('standard')
  expect(selectProvider(pools, undefined)?.id).toBe('small')
  expect(selectProvider(pools.slice(1, 2), 'deep')?.id).toBe('small')
  expect(selectProvider([], 'deep')).toBeUndefined()
})

test('a host roster is read as it is, lowest rank first', () => {
  const text =
    '[{"rank":"small","context_tokens":200000,"model_id":"x y/z"},{"rank":"deep","model_id":"q"}]'
  expect(parseHostModelRoster(text)).toEqual([
    { rank: 'small', context_tokens: 200_000, model_id: 'x y/z' },
    { rank: 'deep', model_id: 'q' },
  ])
})

test.each([
  ['not JSON', 'no'],
  ['no list', '{"rank":"small","model_id":"x"}'],
  ['an empty list', '[]'],
  ['an unknown rank', '[{"rank":"huge","model_id":"x"}]'],
  ['an unknown key', '[{"rank":"small","model_id":"x","tier":1}]'],
  ['ranks out of order', '[{"rank":"deep","model_id":"x"},{"rank":"small","model_id":"y"}]'],
  ['a model twice', '[{"rank":"small","model_id":"x"},{"rank":"deep","model_id":"x"}]'],
])('a host roster that is %s is refused', (_, text) => {
  expect(() => parseHostModelRoster(text)).toThrow("the host's models are not understood")
})

test('tokens in flight are counted once per work item', () => {
  const tracker = new InFlightTokenTracker()
  tracker.start('a', 'one', 100)
  tracker.start('a', 'one', 100)
  tracker.start('b', 'two', 50)
  expect([tracker.sum(), tracker.sum('one'), tracker.count]).toEqual([150, 100, 2])
  tracker.end('a')
  tracker.end('a')
  expect([tracker.sum(), tracker.count]).toEqual([50, 1])
})
