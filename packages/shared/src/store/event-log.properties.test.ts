import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openEventLog } from './index.ts'

const eventArbitrary = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue(), {
  maxKeys: 4,
})
const directory = mkdtempSync(join(tmpdir(), 'log-'))
let logCount = 0

function writeLog(events: readonly object[]) {
  logCount += 1
  const path = join(directory, String(logCount))
  const log = openEventLog(path)
  for (const event of events) log.append(event)
  return { path, log, bytes: readFileSync(path) }
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('cut at any byte, also inside a character, a log loses only the event that was cut, and goes on', () => {
  fc.assert(
    fc.property(
      fc.array(eventArbitrary, { minLength: 1, maxLength: 5 }),
      fc.array(eventArbitrary, { minLength: 1, maxLength: 2 }),
      fc.nat(),
      (events, later, random) => {
        const { path, log, bytes } = writeLog(events)
        const cutAt = random % bytes.byteLength
        writeFileSync(path, bytes.subarray(0, cutAt))
        const kept = bytes.subarray(0, cutAt).filter((byte) => byte === 0x0a).byteLength
        const cut = log.read()
        expect(cut.events).toEqual(events.slice(0, kept).map(asJson))
        expect(cut.endByte + cut.tornBytes).toBe(cutAt)

        for (const event of later) log.append(event)
        const { events: read, damaged } = log.read()
        // A record that lacked nothing but its newline is whole again once something follows.
        const isWhole = bytes[cutAt] === 0x0a
        const before = events.slice(0, isWhole ? kept + 1 : kept)
        expect(read).toEqual([...before, ...later].map(asJson))
        expect(damaged).toEqual([])
      },
    ),
  )
})

test('a flipped bit is never read as an event, and what is not read is reported', () => {
  fc.assert(
    fc.property(
      fc.array(eventArbitrary, { minLength: 2, maxLength: 5 }),
      fc.nat(),
      fc.nat(7),
      (events, random, bit) => {
        const { path, log, bytes } = writeLog(events)
        const at = random % bytes.byteLength
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
        writeFileSync(path, bytes)
        const { events: read, damaged, tornBytes } = log.read()
        const originals = events.map((event) => JSON.stringify(asJson(event)))
        for (const event of read) expect(originals).toContain(JSON.stringify(event))
        expect(read.length).toBeGreaterThanOrEqual(events.length - 2)
        if (read.length < events.length) expect(damaged.length + tornBytes).toBeGreaterThan(0)
      },
    ),
  )
})
