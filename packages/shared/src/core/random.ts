import { randomBytes } from 'node:crypto'

/** A source of numbers in [0, 1) and of ids; injected so that plans and tests are repeatable. */
export interface Random {
  next(): number
  /** Lower-case hexadecimal text of `length` characters. */
  hex(length: number): string
}

export const systemRandom: Random = {
  next: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
  hex: (length) =>
    randomBytes(Math.ceil(length / 2))
      .toString('hex')
      .slice(0, length),
}

/** Repeatable numbers from a seed (mulberry32). Not for secrets. */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    hex: (length) => Array.from({ length }, () => Math.floor(next() * 16).toString(16)).join(''),
  }
}
