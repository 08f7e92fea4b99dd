import { createSeededRandom, type Random } from '../core/index.ts'
import type { Distribution } from './scenario.ts'

/** Standard deviations between the median and the 95th percentile of a normal distribution. */
const Z_95 = 1.6448536269514722

/** Numbers that depend on their key alone, so that every policy meets the same world in whatever order it acts. */
export function createDraws(...key: readonly (string | number)[]): Random {
  const text = key.join('\u0000')
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return createSeededRandom(hash)
}

/** One value of a log-normal distribution, clipped to its range. */
export function drawValue({ lognormal }: Distribution, random: Random): number {
  const { median, p95, min, max } = lognormal
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()))
  const normal = radius * Math.cos(2 * Math.PI * random.next())
  const value = median * Math.exp((Math.log(p95 / median) / Z_95) * normal)
  return Math.min(max, Math.max(min, value))
}
