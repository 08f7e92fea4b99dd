import fc from 'fast-check'
import { expect, test } from 'vitest'

import { parseReply } from './parse-reply.ts'

const result = { files_reviewed: [{ path: 'a.ts', note: 'ok' }], findings: [{ title: 'one' }] }

test('a bare document, a fenced one and one with prose around it are read alike', () => {
  const json = JSON.stringify(result)
  const replies = [
    json,
    `Here it is:\n\`\`\`json\n${json}\n\`\`\`\nHope it helps.`,
    `Sure. ${json} Done.`,
  ]
  for (const reply of replies) {
    expect(parseReply(reply)).toEqual({ kind: 'parsed', values: [result], truncated: false })
  }
})

test('backticks inside a string do not end a fenced document', () => {
  const value = { findings: [{ quote: 'a\n```\nb' }] }
  const reply = `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
  expect(parseReply(reply)).toEqual({ kind: 'parsed', values: [value], truncated: false })
})

test('brackets in a sentence are not data', () => {
  expect(parseReply('Status [published] for {3} files. {"findings":[{"id":"a"}]}')).toEqual({
    kind: 'parsed',
    values: [{ findings: [{ id: 'a' }] }],
    truncated: false,
  })
})

test('several documents come in order', () => {
  expect(parseReply('{"findings":[]}\n{"findings":[{"a":1}]}')).toMatchObject({
    values: [{ findings: [] }, { findings: [{ a: 1 }] }],
  })
})

test('a cut reply keeps its whole elements and says that it was cut', () => {
  const four = { findings: [{ a: 1 }, { a: 2 }, { a: { deep: [3] } }, { a: 4, long: 'text' }] }
  const json = JSON.stringify(four)
  expect(parseReply(json.slice(0, json.indexOf('text')))).toEqual({
    kind: 'parsed',
    values: [{ findings: four.findings.slice(0, 3) }],
    truncated: true,
  })
})

test('wherever a reply is cut, what is kept is a prefix of what was sent', () => {
  const json = JSON.stringify({
    packet_id: 'p',
    files_reviewed: [{ path: 'a' }, { path: 'b' }],
    findings: [{ t: '}"]' }, { t: '\\"' }, { t: [1, { x: 2 }] }],
  })
  const sent = JSON.parse(json) as { findings: unknown[] }
  for (let length = 1; length < json.length; length += 1) {
    const reply = parseReply(json.slice(0, length))
    if (reply.kind !== 'parsed') continue
    const kept = (reply.values[0] as { findings?: unknown[] }).findings ?? []
    expect(kept).toEqual(sent.findings.slice(0, kept.length))
    expect(reply.truncated).toBe(true)
  }
})

test('trailing commas and raw newlines in strings are read as meant', () => {
  expect(parseReply('{"findings": [{"title": "a\nb",},],}')).toMatchObject({
    values: [{ findings: [{ title: 'a\nb' }] }],
  })
})

test('an empty reply is empty and prose is unparsable, not clean', () => {
  expect(parseReply(' \n ')).toEqual({ kind: 'empty' })
  expect(parseReply('No issues found.')).toMatchObject({ kind: 'unparsable', byteOffset: 0 })
})

test('a broken document is refused with the byte at which it breaks', () => {
  expect(parseReply('é {"findings": nope}')).toMatchObject({ kind: 'unparsable', byteOffset: 16 })
})

test('no text makes the parser throw', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ',',
    ':',
    'a',
    '1',
    '```json\n',
    '"findings":[',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      expect(['empty', 'parsed', 'unparsable']).toContain(parseReply(parts.join('')).kind)
    }),
  )
})
