import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startScript } from './fixtures/start-script.ts'
import { openEventLog } from './index.ts'

const makePath = (): string => join(mkdtempSync(join(tmpdir(), 'log-')), 'run', 'events.jsonl')

test('a log that does not exist is empty and is not created by reading it', () => {
  const path = makePath()
  expect(openEventLog(path).read()).toEqual({ events: [], tornBytes: 0, damaged: [], endByte: 0 })
  expect(() => readFileSync(path)).toThrow('ENOENT')
})

test('events are read back in order, one line of JSON each', () => {
  const path = makePath()
  const log = openEventLog(path, { durable: true })
  const events = [{ text: 'a\nb' }, { text: '設計' }, { sum: '{"sum":"x"}' }]
  for (const event of events) log.append(event)
  expect(log.read()).toMatchObject({ events, tornBytes: 0, damaged: [] })
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { event: unknown }).event)).toEqual(events)
})

test('a reading that starts where the last one ended sees only what is new', () => {
  const log = openEventLog(makePath())
  log.append({ index: 1 })
  const first = log.read()
  log.append({ index: 2 })
  expect(log.read(first.endByte).events).toEqual([{ index: 2 }])
})

test('a changed byte in the middle is reported with its line and hides no other event', () => {
  const path = makePath()
  const log = openEventLog(path)
  for (const index of [1, 2, 3]) log.append({ index, text: 'word' })
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace('"index":2,"text":"word"', '"index":2,"text":"worm"'),
  )
  expect(log.read()).toMatchObject({
    events: [
      { index: 1, text: 'word' },
      { index: 3, text: 'word' },
    ],
    damaged: [{ line: 2, reason: 'its checksum does not match' }],
    tornBytes: 0,
  })
})

test('a line of someone else is reported', () => {
  const path = makePath()
  openEventLog(path).append({ index: 1 })
  appendFileSync(path, 'hello\n')
  expect(openEventLog(path).read().damaged).toEqual([{ line: 2, reason: expect.any(String) }])
})

test('several processes that append at once lose nothing', async () => {
  const path = makePath()
  const names = ['a', 'b', 'c']
  const scripts = names.map((name) =>
    startScript(import.meta.resolve('./fixtures/append-events.ts'), [path, name, '300']),
  )
  for (const script of scripts) expect(await script.ended).toMatchObject({ exitCode: 0 })
  const { events, damaged, tornBytes } = openEventLog(path).read()
  expect({ damaged, tornBytes }).toEqual({ damaged: [], tornBytes: 0 })
  for (const name of names) {
    const own = (events as { name: string; index: number }[]).filter((event) => event.name === name)
    expect(own.map(({ index }) => index)).toEqual(Array.from({ length: 300 }, (_, index) => index))
  }
})

test('a log that cannot be read is an error, never an empty log', () => {
  const path = makePath()
  mkdirSync(path, { recursive: true })
  expect(() => openEventLog(path).read()).toThrow(
    expect.objectContaining({ code: 'store-unreadable' }),
  )
})
