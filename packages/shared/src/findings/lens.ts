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
