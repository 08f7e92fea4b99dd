import { isUtf8 } from 'node:buffer'

/** Files above this size are listed, never read. */
export const MAX_TEXT_BYTES = 5 * 1024 * 1024

/** Where git looks for a NUL to call a file binary. */
const BINARY_PROBE_BYTES = 8192

const LFS_POINTER = 'version https://git-lfs.github.com/spec/v1\n'
const MAX_LFS_POINTER_BYTES = 1024

type Utf16 = 'utf-16le' | 'utf-16be'

export type ContentClass =
  | { readonly kind: 'text'; readonly text: string; readonly lines: number }
  | { readonly kind: 'other'; readonly reason: string }

/** Text with its number of lines, or why these bytes are not audited. */
export function classifyContent(bytes: Buffer): ContentClass {
  if (bytes.length <= MAX_LFS_POINTER_BYTES && bytes.toString('latin1').startsWith(LFS_POINTER)) {
    return { kind: 'other', reason: 'Git LFS pointer: the content is not here' }
  }
  const text = decodeText(bytes)
  return text === undefined
    ? { kind: 'other', reason: describeBinary(bytes) }
    : { kind: 'text', text, lines: countLines(text) }
}

/**
 * The text of a file, byte order mark kept so that offsets stay true; undefined for what is not UTF-8, nor UTF-16 with
 * a mark.
 */
export function decodeText(bytes: Buffer): string | undefined {
  const encoding = detectUtf16(bytes)
  if (encoding) return decodeUtf16(bytes, encoding)
  return isBinary(bytes) || !isUtf8(bytes) ? undefined : bytes.toString('utf8')
}

function detectUtf16(bytes: Buffer): Utf16 | undefined {
  if (bytes.length < 2) return undefined
  const mark = bytes.readUInt16BE(0)
  return mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : undefined
}

function decodeUtf16(bytes: Buffer, encoding: Utf16): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)
}

function describeBinary(bytes: Buffer): string {
  return isBinary(bytes) ? 'binary' : 'not UTF-8 text'
}

/** LF, CRLF and a lone CR each end a line; a last line without an end counts too. */
function countLines(text: string): number {
  let ends = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) ends += 1
  for (let at = text.indexOf('\r'); at !== -1; at = text.indexOf('\r', at + 1)) {
    if (text.charCodeAt(at + 1) !== 0x0a) ends += 1
  }
  const last = text.charCodeAt(text.length - 1)
  return text === '' || last === 0x0a || last === 0x0d ? ends : ends + 1
}
