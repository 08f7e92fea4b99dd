/** Turns UTF-16 offsets into 1-based lines; LF, CRLF and a lone CR each end a line. */
export function createLineIndex(text: string): (offset: number) => number {
  const starts = listLineStarts(text)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

/** Offsets at which lines start; a line end at the end of the text starts no further line. */
export function listLineStarts(text: string): number[] {
  const starts = [0]
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length)
  if (starts.length > 1 && starts.at(-1) === text.length) starts.pop()
  return starts
}
