import type { Environment } from '../core/index.ts'

export function isTerminal(stream: object): boolean {
  return 'isTTY' in stream && stream.isTTY === true
}

/** Width in characters, or undefined where there is no terminal. */
export function readColumns(stream: object): number | undefined {
  if (!('columns' in stream) || typeof stream.columns !== 'number') return undefined
  return stream.columns > 0 ? stream.columns : undefined
}

/** FORCE_COLOR beats NO_COLOR, which beats what the terminal can do: the order in which Node itself decides. */
export function decideColor(stream: object, environment: Environment): boolean {
  const forced = environment['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  if (environment['NO_COLOR']) return false
  return isTerminal(stream) && environment['TERM'] !== 'dumb'
}
