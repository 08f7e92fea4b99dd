import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { classifyFailure } from './classify.ts'
import { readUsageReport } from './usage-report.ts'

const RUNS = { numRuns: 1_000 }
const NOW = Date.parse('2026-08-14T21:00:00Z')

const limitTexts = readFileSync(new URL('fixtures/limits.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { input: string }).input)

const payload = fc.oneof(
  fc.constantFrom(...limitTexts),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .tuple(fc.constantFrom(...limitTexts), fc.string(), fc.constantFrom(...limitTexts))
    .map((parts) => parts.join('')),
)

test('Result-channel immunity: any payload (with all texts of the corpus) inside the output of a successful item causes no limit', () => {
  const finding = payload.map((text) =>
    JSON.stringify({ findings: [{ title: text, evidence: [text], severity: 'high' }] }),
  )
  const prose = payload.map((text) => `The code prints "${text}" and then goes on.`)
  const provider = fc.constantFrom(undefined, 'claude-code', 'codex', 'gemini', 'openai-compatible')
  fc.assert(
    fc.property(fc.oneof(finding, prose), provider, (text, name) => {
      const signal = classifyFailure({ text, provider: name, channel: 'result', now: NOW })
      expect(signal.kind, text).toBe('none')
    }),
    RUNS,
  )
})

test('Result-channel immunity: what a model or a tool said within a stream of events causes no limit', () => {
  const line = fc
    .tuple(
      fc.constantFrom(
        'assistant',
        'user',
        'item.completed',
        'tool_use',
        'tool_result',
        'text',
        'stream_event',
      ),
      payload,
    )
    .map(([type, text]) =>
      JSON.stringify({
        type,
        is_error: true,
        message: { content: [{ type: 'text', text }] },
        item: { type: 'error', message: text },
        error: { message: text, code: 'insufficient_quota' },
        part: { text },
      }),
    )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
      const text = lines.join('\n')
      const signal = classifyFailure({ text, channel: 'error', now: NOW })
      expect(signal.kind, text).toBe('none')
    }),
    RUNS,
  )
})

test('Duration round trip: random junk yields no closed pool, never an exception', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.anything(),
      fc.dictionary(fc.string(), fc.anything()),
      (text, body, headers) => {
        const signal = classifyFailure({ text, body, headers, channel: 'error', now: NOW })
        expect(['credit', 'auth', 'model_gone']).not.toContain(signal.kind)
      },
    ),
    RUNS,
  )
})

/** Names that readers of documents look for. */
const KEYS =
  'type error message code status headers responseHeaders details violations metadata raw retry_after resets_at retryDelay rate_limit_info unifiedWindows properties next is_error rate_limits rate_limit primary_window models quotaInfo five_hour resetsAt level __proto__'.split(
    ' ',
  )

const { document } = fc.letrec<{ document: unknown; value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      null,
      true,
      0,
      -1,
      429,
      1e18,
      '429',
      '',
      'rejected',
      'retry',
      'error',
      'rate_limit_event',
      '34s',
      '{"error":{}}',
    ),
    fc.string({ maxLength: 10 }),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('document'),
  ),
  document: fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 6 }),
}))

test('documents of any shape under the names that providers use are read without an exception', () => {
  fc.assert(
    fc.property(document, (body) => {
      const text = JSON.stringify(body)
      const fromBody = classifyFailure({ body, channel: 'error', now: NOW })
      const fromText = classifyFailure({ text, channel: 'error', now: NOW })
      expect(fromText.kind).toBe(fromBody.kind)
      expect(Array.isArray(readUsageReport(body, { receivedAt: NOW }))).toBe(true)
    }),
    RUNS,
  )
})

test('an end is null or after now, whatever the evidence says', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...limitTexts),
      fc.dictionary(
        fc.constantFrom(
          'retry-after',
          'x-ratelimit-reset',
          'anthropic-ratelimit-unified-5h-reset',
          'date',
        ),
        fc.oneof(
          fc.integer().map(String),
          fc.constantFrom('Fri, 14 Aug 2026 20:59:00 GMT', '-1', '0', '1e9'),
        ),
      ),
      fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2028, 0) }),
      (text, headers, now) => {
        const { until } = classifyFailure({ text, headers, status: 429, channel: 'error', now })
        expect(until === null || until > now).toBe(true)
      },
    ),
    RUNS,
  )
})
