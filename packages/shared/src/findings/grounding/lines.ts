export interface LineRange {
  readonly line_start?: number
  readonly line_end?: number
}

/**
 * Reads a line number as a reporter writes it: `42` and `"42"` are 42; anything that names no line (0, -1, null,
 * `"top"`) is undefined.
 */
export function parseLine(value: unknown): number | undefined {
  const number =
    typeof value === 'string' && /^\s*L?\d{1,9}\s*$/i.test(value)
      ? Number(value.replaceAll(/\D/g, ''))
      : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0
    ? number
    : undefined
}

/** Reads a range of lines; without a valid first line it is about the whole file, and ends in wrong order are swapped. */
export function parseLineRange(start: unknown, end: unknown): LineRange {
  const [first, last] = [parseLine(start), parseLine(end)]
  if (first === undefined) return {}
  if (last === undefined) return { line_start: first, line_end: first }
  return { line_start: Math.min(first, last), line_end: Math.max(first, last) }
}
