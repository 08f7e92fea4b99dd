import { expect, test } from 'vitest'

import { systemClock } from '../core/index.ts'
import { isRefusal, judgeText } from './judge-text.ts'

const context = {
  source: { provider: 'subprocess-template' },
  context: { clock: systemClock, environment: {} },
} as const

test.each([
  "I'm sorry, but I can't assist with that request.",
  'I’m sorry, I cannot help with reviewing this code.',
  "Sorry, I can't help with that.",
  'I cannot assist with exploiting vulnerabilities.',
  'I am unable to help with this.',
  'Your request was flagged as potentially violating our usage policy. Please try again with a different prompt.',
  'This request violates the content policy.',
])('a reply that only declines is a refusal: %s', (reply) => {
  expect(isRefusal(reply)).toBe(true)
  expect(judgeText(reply, {}, context)).toMatchObject({ class: 'refused', text: null })
})

test.each([
  '{"findings": [], "note": "I cannot help with that"}',
  'I cannot find any defect in these files.',
  'Sorry for the noise; here is the review:\n{"findings": []}',
  'I can help with that. {"findings": []}',
  'The function cannot assist callers that pass null.',
])('a reply that answers is none: %s', (reply) => {
  expect(isRefusal(reply)).toBe(false)
  expect(judgeText(reply, {}, context).class).toBe('ok')
})

test('a limit notice in the place of an answer is a limit, and its text is no result (E03)', () => {
  const reply = "You've hit your session limit · resets 10:30pm"
  const outcome = judgeText(reply, {}, context)
  expect(outcome).toMatchObject({ class: 'window', text: null })
  expect(outcome.until).toBeGreaterThan(Date.now())
})

test('a result that quotes a limit notice is a result (E04)', () => {
  const text = `{"findings": [{"title": "Shows \\"You've hit your session limit · resets 3:30pm\\""}]}`
  expect(judgeText(text, {}, context)).toMatchObject({ class: 'ok', text })
})
