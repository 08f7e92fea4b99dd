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

export const confidences = ['high', 'medium', 'low'] as const

export type Confidence = (typeof confidences)[number]

export const ConfidenceSchema = z.enum(confidences).describe('How sure the reporters are')
