import { type ParseError, parse as parseWithErrors, printParseErrorCode } from 'jsonc-parser'

import { scanJson } from './scan-json.ts'

/** What a reviewer's reply held. `truncated`: the end was missing and only whole elements were taken. */
export type ParsedReply =
  | { readonly kind: 'empty' }
  | { readonly kind: 'parsed'; readonly values: readonly unknown[]; readonly truncated: boolean }
  | { readonly kind: 'unparsable'; readonly byteOffset: number; readonly problem: string }

/**
 * Finds the JSON in a reply: a bare document, one in a fence, one with prose around it, several after one another, or
 * one whose tail is missing. Only objects, and arrays that hold objects, count; `[published]` in a sentence does not.
 * Trailing commas and raw newlines in strings are read as meant. Nothing is guessed at the end of a cut reply: the
 * element that was being written is left out.
 */
export function parseReply(text: string): ParsedReply {
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  if (trimmed === '') return { kind: 'empty' }
  const whole = tryParse(trimmed)
  if (whole !== undefined && isDocument(whole)) {
    return { kind: 'parsed', values: [whole], truncated: false }
  }
  const found = collectDocuments(trimmed)
  if (found.values.length > 0) return { kind: 'parsed', ...found }
  return { kind: 'unparsable', ...locateProblem(text) }
}

/** Brackets that turn out to be prose cost a scan each; a reply with more of them is not an answer. */
const MAX_SCANS = 500

function collectDocuments(text: string): { values: unknown[]; truncated: boolean } {
  const values: unknown[] = []
  let truncated = false
  let from = 0
  for (let scans = 0; scans < MAX_SCANS; scans += 1) {
    const start = findOpening(text, from)
    if (start === -1) break
    const extent = scanJson(text, start)
    const value = tryParse(extent.text)
    if (value === undefined || !isDocument(value)) {
      // Prose such as `[see below]` or `{...}`: look again right behind its opening.
      from = start + 1
      continue
    }
    values.push(value)
    truncated ||= extent.truncated
    from = extent.end
  }
  return { values, truncated }
}

function findOpening(text: string, from: number): number {
  const openings = /[{[](?=\s*(?:["{[\]}]|$))/g
  openings.lastIndex = from
  return openings.exec(text)?.index ?? -1
}

function isDocument(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'object' && item !== null)
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Where a strict parser stops; JSON.parse itself does not always say. */
function locateProblem(text: string): { byteOffset: number; problem: string } {
  const start = text.search(/[{[]/)
  if (start === -1) return { byteOffset: 0, problem: 'the reply holds no JSON object' }
  const errors: ParseError[] = []
  parseWithErrors(text.slice(start), errors, { disallowComments: true })
  const [first] = errors
  const offset = start + (first?.offset ?? 0)
  const problem = first === undefined ? 'no object in it' : printParseErrorCode(first.error)
  return { byteOffset: Buffer.byteLength(text.slice(0, offset)), problem }
}
