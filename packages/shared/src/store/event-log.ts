import { appendWhole, type WriteOptions } from './atomic-file.ts'
import { parseEventLine, renderEventLine } from './event-record.ts'
import { describeReadFailure } from './failures.ts'
import { readFileBytes } from './read-file.ts'

export interface DamagedLine {
  /** Counted from 1, over the part that was read. */
  readonly line: number
  readonly reason: string
}

export interface EventLogReading {
  readonly events: readonly unknown[]
  /** Bytes of records that were cut because their writer died; those events were never acknowledged. */
  readonly tornBytes: number
  /** Lines that were whole once and are not any more. The caller must not take the log for complete. */
  readonly damaged: readonly DamagedLine[]
  /** Where the last finished line ends: start the next reading here to see only what is new. */
  readonly endByte: number
}

export interface EventLog {
  /** Appends one event in one write; safe beside appenders in other processes. Throws `store-unwritable`. */
  append(event: object): void
  /** Reads the events from `fromByte` on; a log that does not exist is empty. Throws `store-unreadable`. */
  read(fromByte?: number): EventLogReading
}

/** A log with one checksummed JSON line per event. Nothing is created before the first `append`. */
export function openEventLog(path: string, { durable = false }: WriteOptions = {}): EventLog {
  return {
    append(event) {
      appendWhole(path, renderEventLine(event), durable)
    },
    read(fromByte = 0) {
      const reading = readFileBytes(path, fromByte)
      if (reading.kind === 'unreadable') throw describeReadFailure(path, reading.cause)
      return reading.kind === 'ok'
        ? parseEvents(reading.bytes, fromByte)
        : { events: [], tornBytes: 0, damaged: [], endByte: fromByte }
    },
  }
}

function parseEvents(bytes: Buffer, fromByte: number): EventLogReading {
  const events: unknown[] = []
  const damaged: DamagedLine[] = []
  let tornBytes = 0
  let start = 0
  for (let line = 1; ; line += 1) {
    const end = bytes.indexOf('\n', start)
    if (end === -1) break
    for (const reading of parseEventLine(bytes.subarray(start, end))) {
      if (reading.kind === 'event') events.push(reading.event)
      else if (reading.kind === 'torn') tornBytes += reading.bytes
      else damaged.push({ line, reason: reading.reason })
    }
    start = end + 1
  }
  tornBytes += bytes.byteLength - start
  return { events, tornBytes, damaged, endByte: fromByte + start }
}
