import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createSeededRandom, type Random, readEnvironment } from '../../core/index.ts'
import { classifyFailure } from './classify.ts'
import { isWholeNotice } from './notice.ts'
import type { FailureKind } from './signal.ts'
import { parseReset } from './time/index.ts'

const isFull = readEnvironment()['FULL'] === '1'
const TEXTS = isFull ? 1_000_000 : 30_000
const NOW = Date.parse('2026-08-14T21:00:00Z')
const TERMINAL: ReadonlySet<FailureKind> = new Set(['credit', 'auth', 'model_gone'])

/** Every text of the corpus: the hardest ones to tell from a limit when a reviewer quotes them. */
const limitTexts = readFileSync(new URL('fixtures/limits.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { input: string }).input)

const WORDS = [
  'rate', 'limit', 'quota', 'reached', 'exceeded', 'resets', 'reset', 'try again in', 'at', '3pm', '(Asia/Seoul)', '429',
  '529', 'HTTP', 'status', 'overloaded', 'model', 'not found', 'your', 'you', 'hit', 'weekly', 'session', 'usage', '\u00b7',
  '{"error":', '{"type":"error"', '}', '"', '{', '[', '\\', '\n', 'tokens per minute', 'Limit 30000', '6m0s', 'Oct 9', '-5s',
  'retry-after: ', '1786806000', '|', 'credit', 'balance', 'api key', 'context', 'too long', '\u001b[31m', '\u0000', '\ud800',
  '\uff14\uff12\uff19', '\u2019', 'src/a.ts:429', 'function', '=>', '\u5c0f\u65f6', '\u91cd\u7f6e',
] // prettier-ignore

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[Math.floor(random.next() * items.length)] as Item
}

function makeJunk(random: Random): string {
  const length = Math.floor(random.next() * 120)
  const base = random.next() < 0.5 ? 0x20 : 0
  const span = random.next() < 0.5 ? 0x60 : 0xffff
  return Array.from({ length }, () =>
    String.fromCharCode(base + Math.floor(random.next() * span)),
  ).join('')
}

function makeWordSalad(random: Random): string {
  const length = 1 + Math.floor(random.next() * 25)
  return Array.from({ length }, () => pick(WORDS, random)).join(random.next() < 0.7 ? ' ' : '')
}

function makeMutant(random: Random): string {
  const text = pick(limitTexts, random)
  const at = Math.floor(random.next() * text.length)
  const cut = Math.floor(random.next() * 20)
  return (
    text.slice(0, at) +
    (random.next() < 0.5 ? pick(WORDS, random) : makeJunk(random)) +
    text.slice(at + cut)
  )
}

const MAKERS = [makeJunk, makeWordSalad, makeMutant]

/** Ways in which a reviewer's result holds a text from the code it reviewed. */
const EMBEDDINGS: readonly ((text: string) => string)[] = [
  (text) => JSON.stringify({ findings: [{ title: 'Limit is not handled', summary: text }] }),
  (text) => JSON.stringify([{ quoted_text: text, severity: 'high' }]),
  (text) => `Reviewed src/quota.ts. The code prints ${text} and goes on.`,
  (text) => `- ${text}: not handled in parse()`,
  (text) => `\`\`\`json\n{"summary": ${JSON.stringify(text)}}\n\`\`\``,
]

test('Result-channel immunity: any payload, with all texts of the corpus, inside the output of an item causes no limit', () => {
  const random = createSeededRandom(17)
  const falseLimits: string[] = []
  for (let index = 0; index < TEXTS; index += 1) {
    const payload =
      index < limitTexts.length ? (limitTexts[index] ?? '') : pick(MAKERS, random)(random)
    const text = pick(EMBEDDINGS, random)(payload)
    const { kind } = classifyFailure({ text, channel: 'result', now: NOW, timeZone: 'UTC' })
    if (kind !== 'none') falseLimits.push(text)
  }
  expect(falseLimits).toEqual([])
}, 1_800_000)

test('random and adversarial texts of an error channel never throw, and junk never closes a pool', () => {
  const random = createSeededRandom(18)
  const closed: string[] = []
  for (let index = 0; index < TEXTS; index += 1) {
    const make = pick(MAKERS, random)
    const text = make(random)
    const { kind, until } = classifyFailure({ text, channel: 'error', now: NOW, timeZone: 'UTC' })
    if (make === makeJunk && TERMINAL.has(kind)) closed.push(text)
    if (until !== null && until <= NOW) closed.push(`ends in the past: ${text}`)
    if (isWholeNotice(text) && make === makeJunk) closed.push(`is a notice: ${text}`)
    parseReset(text, { now: NOW, timeZone: 'UTC' })
  }
  expect(closed).toEqual([])
}, 1_800_000)

/** Texts that make careless parsers slow, as a function of their length. */
const SLOW_TEXTS: readonly (readonly [name: string, make: (length: number) => string])[] = [
  ['open braces', (length) => '{'.repeat(length)],
  ['closing braces', (length) => '}'.repeat(length)],
  ['nested objects', (length) => '{"error":'.repeat(length / 9)],
  ['many objects', (length) => '{"error":{"message":"rate limit"}}\n'.repeat(length / 35)],
  ['quotes', (length) => '"{'.repeat(length / 2)],
  ['cues', (length) => 'resets in '.repeat(length / 10)],
  ['cues with times', (length) => 'resets 3pm (Asia/Seoul) '.repeat(length / 24)],
  ['digits', (length) => '1'.repeat(length)],
  ['durations', (length) => '1h'.repeat(length / 2)],
  ['spaces', (length) => `429${' '.repeat(length)}`],
  ['letters', (length) => 'a'.repeat(length)],
  ['paths', (length) => 'a/'.repeat(length / 2)],
  ['words', (length) => 'you have hit your '.repeat(length / 18)],
  ['compatibility forms', (length) => '\ufdfa'.repeat(length)],
]

function measureMs(work: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round += 1) {
    const startedAt = performance.now()
    work()
    best = Math.min(best, performance.now() - startedAt)
  }
  return best
}

test.each(SLOW_TEXTS)(
  'twice the length of %s takes less than three times as long',
  (_name, make) => {
    const [short, long] = [make(200_000), make(400_000)]
    const classify = (text: string): void => {
      classifyFailure({ text, channel: 'error', now: NOW, timeZone: 'UTC' })
      classifyFailure({ text, channel: 'result', now: NOW, timeZone: 'UTC' })
      classifyFailure({ body: text, channel: 'log', now: NOW, timeZone: 'UTC' })
      parseReset(text, { now: NOW, timeZone: 'UTC' })
    }
    classify(short)
    const shortMs = measureMs(() => classify(short))
    const longMs = measureMs(() => classify(long))
    // A fixed millisecond keeps a ratio of two times near the clock's grain from deciding.
    expect(longMs / (shortMs + 1)).toBeLessThan(3)
  },
)
