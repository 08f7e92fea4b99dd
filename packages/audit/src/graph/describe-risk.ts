import { z } from 'zod'

import { type RiskFactor, type RiskRegister, riskWeights } from './assess-risk.ts'

const RISK_VERSION = 'audit-code-risk/v1alpha1'

const factors = Object.keys(riskWeights) as RiskFactor[]

/** `risk_register.json`: how much there is to lose in each file and unit. */
export const RiskRegisterSchema = z.strictObject({
  contract_version: z.literal(RISK_VERSION).describe('Shape of this file'),
  factors: z
    .array(z.tuple([z.string(), z.number()]))
    .describe('Factors in order, and their weights'),
  files: z
    .array(z.tuple([z.string(), z.number(), z.array(z.number())]))
    .describe('Path, score, factors'),
  units: z.array(z.tuple([z.string(), z.number()])).describe('Unit, score'),
})

export type RiskRegisterFile = z.infer<typeof RiskRegisterSchema>

export function describeRisk(register: RiskRegister): RiskRegisterFile {
  return {
    contract_version: RISK_VERSION,
    factors: factors.map((factor) => [factor, riskWeights[factor]]),
    files: register.files.map(({ path, score, factors: values }) => [
      path,
      round(score),
      factors.map((factor) => round(values[factor])),
    ]),
    units: register.units.map(({ id, score }) => [id, round(score)]),
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
