import { z } from 'zod'

/** From worst to mildest. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const

export type Severity = (typeof severities)[number]

export const SeveritySchema = z.enum(severities).describe('How bad it is when it happens')

/** Orders the worst first: negative when `left` is worse than `right`. */
export function compareSeverity(left: Severity, right: Severity): number {
  return severities.indexOf(left) - severities.indexOf(right)
}

/** The worst of some severities; `info` for none. */
export function findWorstSeverity(values: readonly Severity[]): Severity {
  return values.toSorted(compareSeverity)[0] ?? 'info'
}

/** Reads a severity as a reporter writes it (`High `), or undefined for a word that is not one of ours. */
export function parseSeverity(value: unknown): Severity | undefined {
  if (typeof value !== 'string') return undefined
  const word = value.trim().toLowerCase()
  return severities.find((severity) => severity === word)
}

export const confidences = ['high', 'medium', 'low'] as const

export type Confidence = (typeof confidences)[number]

export const ConfidenceSchema = z.enum(confidences).describe('How sure the reporters are')

export function compareConfidence(left: Confidence, right: Confidence): number {
  return confidences.indexOf(left) - confidences.indexOf(right)
}

/** Reads a confidence as a reporter writes it (`HIGH`), or undefined for a word that is not one of ours. */
export function parseConfidence(value: unknown): Confidence | undefined {
  if (typeof value !== 'string') return undefined
  const word = value.trim().toLowerCase()
  return confidences.find((confidence) => confidence === word)
}
