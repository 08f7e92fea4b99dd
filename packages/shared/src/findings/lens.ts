import { z } from 'zod'

/** The angles of review, in the order in which reports list them. */
export const lenses = [
  'correctness',
  'security',
  'reliability',
  'data_integrity',
  'architecture',
  'maintainability',
  'performance',
  'tests',
  'operability',
  'config_deployment',
  'observability',
] as const

export type Lens = (typeof lenses)[number]

/** The lenses that every source file is reviewed through, at any depth. */
export const coreLenses = [
  'correctness',
  'security',
  'reliability',
  'data_integrity',
] as const satisfies readonly Lens[]

export const LensSchema = z.enum(lenses).describe('Angle of review')

/** Reads a lens as a reporter writes it (`Data Integrity`), or undefined when there is no such lens. */
export function parseLens(value: unknown): Lens | undefined {
  if (typeof value !== 'string') return undefined
  const name = value
    .trim()
    .toLowerCase()
    .replaceAll(/[\s/-]+/g, '_')
  return lenses.find((lens) => lens === name)
}
