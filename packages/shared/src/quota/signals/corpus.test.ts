import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { classifyFailure } from './classify.ts'

interface Row {
  readonly id: string
  readonly input: string
  readonly now: string
  readonly provider?: string
  readonly expect_class: string
  readonly expect_until?: string
  readonly right: string
}

const TOLERANCE_MS = 60_000

const rows = readFileSync(new URL('fixtures/limits.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row)

test.each(rows)('$id: $right', (row) => {
  const signal = classifyFailure({
    text: row.input,
    provider: row.provider,
    channel: 'error',
    now: Date.parse(row.now),
    timeZone: 'UTC',
  })
  expect(signal.kind).toBe(row.expect_class)
  if (row.expect_until === undefined) {
    expect(signal.until).toBeNull()
  } else {
    const lateMs = (signal.until ?? 0) - Date.parse(row.expect_until)
    expect(lateMs).toBeGreaterThanOrEqual(0)
    expect(lateMs).toBeLessThanOrEqual(TOLERANCE_MS)
  }
})
