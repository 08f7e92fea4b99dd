import { expect, test } from 'vitest'

import { makeOutcome } from './outcome.ts'
import { matchModel, refuseDowngrade } from './model-match.ts'

test.each([
  ['big', 'big', 'same'],
  ['big', 'small', 'different'],
  ['gpt-5', 'gpt-5-2025-08-07', 'same'],
  ['gpt-5', 'gpt-5-mini', 'different'],
  ['gpt-5-mini', 'gpt-5', 'different'],
  ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929', 'same'],
  ['opus', 'claude-opus-4-8', 'same'],
  ['opus', 'claude-haiku-4-5', 'different'],
  ['openrouter/meta/llama-4:free', 'meta/llama-4:free', 'same'],
  ['gemini-pro-latest', 'gemini-pro', 'same'],
  ['m', null, 'unknown'],
  [undefined, 'm', 'unknown'],
] as const)('asked for %s, answered by %s: %s', (asked, answered, expected) => {
  expect(matchModel(asked, answered)).toBe(expected)
})

test('of 133 replies the 27 of another model are told, and refused where that is the policy (E16)', () => {
  const replies = Array.from({ length: 133 }, (_, index) =>
    makeOutcome('ok', { text: '{}', answeredModel: index % 5 === 0 ? 'small' : 'big' }),
  )
  const refused = replies
    .map((reply) => refuseDowngrade(reply, 'big'))
    .filter(({ fault }) => fault === 'downgraded')
  expect(refused).toHaveLength(27)
  expect(refused[0]).toMatchObject({
    class: 'bad_output',
    text: '{}',
    message: 'asked for big, answered by small',
  })
})
