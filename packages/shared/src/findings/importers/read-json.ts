import { readErrorMessage } from '../../core/index.ts'

/** Larger files are refused: they do not fit into one string with room to work. */
const MAX_IMPORT_BYTES = 256 * 1024 * 1024

export type JsonReading =
  | { readonly kind: 'ok'; readonly value: unknown }
  | { readonly kind: 'invalid'; readonly reason: string }

/** Reads JSON in UTF-8, with or without a byte order mark. Anything else gets a reason that says what it is. */
export function readJson(input: string | Uint8Array): JsonReading {
  const size = typeof input === 'string' ? input.length : input.byteLength
  if (size > MAX_IMPORT_BYTES) {
    return { kind: 'invalid', reason: `it has ${size} bytes; at most ${MAX_IMPORT_BYTES} are read` }
  }
  const head =
    typeof input === 'string'
      ? input.slice(0, 4)
      : Buffer.from(input.slice(0, 4)).toString('latin1')
  if (isUtf16(head)) {
    return {
      kind: 'invalid',
      reason: 'it is UTF-16; convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)',
    }
  }
  const text = typeof input === 'string' ? input : Buffer.from(input).toString('utf8')
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  if (body.trim() === '') return { kind: 'invalid', reason: 'it is empty' }
  try {
    return { kind: 'ok', value: JSON.parse(body) as unknown }
  } catch (error) {
    return { kind: 'invalid', reason: `it is not JSON: ${readErrorMessage(error)}` }
  }
}

/** By byte order mark, by the marks as a UTF-8 reader leaves them, or by zero bytes beside ASCII. */
function isUtf16(head: string): boolean {
  if (head.startsWith('\u00FF\u00FE') || head.startsWith('\u00FE\u00FF')) return true
  if (head.startsWith('\uFFFD\uFFFD') || head.startsWith('\uFFFE')) return true
  return head[0] === '\0' || head[1] === '\0'
}
