import type { Lens } from '@audit-tools/shared/findings'

/*
 * What a prompt costs, from sizes alone: no text is read to plan. Tokenisers of today make 3 to 4 bytes of code one
 * token; a pool's own ratio is learned from its usage.
 */
const BYTES_PER_TOKEN = 3.5

/** Instructions, schema of the answer and section titles; a test holds it against the real prompt. */
const INSTRUCTION_BYTES = 2950
/** Name and guide of one lens. */
const LENS_BYTES = 175
/** Title, fences and the place in the list of files, beside the path that appears twice. */
const FILE_BYTES = 80
const RANGE_BYTES = 35
/** A line number, and what parts a lead from the next. */
const LEAD_BYTES = 10

/** Room kept in every packet for neighbours and for leads. */
export const CONTEXT_TOKENS = 1500

export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN)
}

/** Bytes that a prompt of these lenses has before any file. */
export function measureInstructions(lenses: readonly Lens[]): number {
  return INSTRUCTION_BYTES + LENS_BYTES * lenses.length
}

/** Bytes of a file, or of some of its lines, in a prompt that numbers every line. */
export function measureShown(shown: {
  readonly path: string
  readonly bytes: number
  readonly first: number
  readonly last: number
  readonly isRange: boolean
}): number {
  const { path, bytes, first, last, isRange } = shown
  const framing = FILE_BYTES + 2 * Buffer.byteLength(path) + (isRange ? RANGE_BYTES : 0)
  return bytes + measureLineNumbers(first, last) + framing
}

/** Digits of the numbers from `first` to `last`, and a space after each. */
function measureLineNumbers(first: number, last: number): number {
  let bytes = Math.max(0, last - first + 1)
  for (let power = 1; power <= last; power *= 10) {
    bytes += last - Math.max(first, power) + 1
  }
  return bytes
}

export function measureNeighbours(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + Buffer.byteLength(path) + 2, 0)
}

export function measureLeads(
  leads: readonly { readonly path: string; readonly text: string }[],
): number {
  return leads.reduce(
    (sum, { path, text }) => sum + Buffer.byteLength(path) + Buffer.byteLength(text) + LEAD_BYTES,
    0,
  )
}
