import { hashContent } from '../core/index.ts'

/*
 * One record is one line of valid JSON: {"sum":"<16 hex>","bytes":<n>,"event":<json>}, where sum and bytes are those of
 * the event's JSON. The length tells a record that was cut (the writer died; it was never acknowledged) from one that
 * was damaged later (news that must not be hidden).
 */
const headerStart = '{"sum":"'
const headerPattern = /^\{"sum":"(?<sum>[0-9a-f]{16})","bytes":(?<bytes>\d{1,15}),"event":/
const longestHeader = 60
const recordEnd = '}'

export type LineReading =
  | { readonly kind: 'event'; readonly event: unknown }
  | { readonly kind: 'torn'; readonly bytes: number }
  | { readonly kind: 'damaged'; readonly reason: string }

/** The line of one event, with its newline. */
export function renderEventLine(event: object): Buffer {
  const json = Buffer.from(JSON.stringify(event))
  const header = `${headerStart}${sumOf(json)}","bytes":${json.byteLength},"event":`
  return Buffer.concat([Buffer.from(header), json, Buffer.from(`${recordEnd}\n`)])
}

/**
 * Reads what stands between two newlines. That is one record, except after a crash: the next writer's record then
 * follows the cut one on the same line.
 */
export function parseEventLine(line: Buffer): LineReading[] {
  const whole = parseRecord(line)
  if (whole.kind === 'event') return [whole]
  for (
    let start = line.indexOf(headerStart, 1);
    start !== -1;
    start = line.indexOf(headerStart, start + 1)
  ) {
    const rest = parseRecord(line.subarray(start))
    if (rest.kind === 'event') return [...parseEventLine(line.subarray(0, start)), rest]
  }
  return [whole]
}

function parseRecord(line: Buffer): LineReading {
  const header = headerPattern.exec(line.subarray(0, longestHeader).toString('latin1'))
  if (header === null) return readHeaderless(line)
  const bytes = Number(header.groups?.['bytes'])
  const bodyStart = header[0].length
  const recordBytes = bodyStart + bytes + recordEnd.length
  if (line.byteLength < recordBytes) return { kind: 'torn', bytes: line.byteLength }
  if (line.byteLength > recordBytes) {
    return { kind: 'damaged', reason: 'it is longer than its record' }
  }
  const json = line.subarray(bodyStart, bodyStart + bytes)
  if (sumOf(json) !== header.groups?.['sum'] || !line.toString('latin1').endsWith(recordEnd)) {
    return { kind: 'damaged', reason: 'its checksum does not match' }
  }
  const event: unknown = JSON.parse(json.toString('utf8'))
  return { kind: 'event', event }
}

function readHeaderless(line: Buffer): LineReading {
  const text = line.toString('latin1')
  const startsLikeHeader = headerStart.startsWith(text) || text.startsWith(headerStart)
  return startsLikeHeader && text.length < longestHeader
    ? { kind: 'torn', bytes: line.byteLength }
    : { kind: 'damaged', reason: 'it does not start like a record' }
}

function sumOf(json: Uint8Array): string {
  return hashContent(json).slice(0, 16)
}
