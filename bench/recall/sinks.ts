import { readFileSync } from 'node:fs'

/** A published package with a known vulnerability, and where it is. */
export interface Sink {
  readonly package: string
  readonly version: string
  readonly class: string
  readonly cwe: string
  readonly file: string
  readonly line: number
  /** Rules are developed on two thirds of each class; the rest only checks them. */
  readonly part: 'develop' | 'check'
}

/** Reads the list of known sinks; the third, sixth, ... of each class is for checking. */
export function readSinks(path: URL): Sink[] {
  const seen = new Map<string, number>()
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const sink = JSON.parse(line) as Omit<Sink, 'part'>
      const count = (seen.get(sink.class) ?? 0) + 1
      seen.set(sink.class, count)
      return { ...sink, part: count % 3 === 0 ? 'check' : 'develop' }
    })
}
