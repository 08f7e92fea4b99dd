/** What one sample weighs after the next one came: about the last fifty decide. */
const KEPT_PER_SAMPLE = 0.98

/** Sums over finished work of one pool, weighted towards the latest. */
export interface Experience {
  weight: number
  sizes: number
  durations: number
  sizesSquared: number
  sizesTimesDurations: number
  outputs: number
  outputWeight: number
}

export function createExperience(): Experience {
  return {
    weight: 0,
    sizes: 0,
    durations: 0,
    sizesSquared: 0,
    sizesTimesDurations: 0,
    outputs: 0,
    outputWeight: 0,
  }
}

export interface Sample {
  /** Input tokens as estimated before the start. */
  readonly size: number
  readonly durationMs: number
  /** Undefined when the provider did not report it. */
  readonly outputTokens: number | undefined
}

export function addSample(experience: Experience, sample: Sample): void {
  const { size, durationMs, outputTokens } = sample
  experience.weight = experience.weight * KEPT_PER_SAMPLE + 1
  experience.sizes = experience.sizes * KEPT_PER_SAMPLE + size
  experience.durations = experience.durations * KEPT_PER_SAMPLE + durationMs
  experience.sizesSquared = experience.sizesSquared * KEPT_PER_SAMPLE + size * size
  experience.sizesTimesDurations =
    experience.sizesTimesDurations * KEPT_PER_SAMPLE + size * durationMs
  if (outputTokens === undefined) return
  experience.outputs = experience.outputs * KEPT_PER_SAMPLE + outputTokens
  experience.outputWeight = experience.outputWeight * KEPT_PER_SAMPLE + 1
}

/** Expected duration of work of a size: a line through what was seen, never falling; undefined before the first sample. */
export function expectDurationMs(experience: Experience, size: number): number | undefined {
  const { weight, sizes, durations, sizesSquared, sizesTimesDurations } = experience
  if (weight === 0) return undefined
  const meanSize = sizes / weight
  const meanDuration = durations / weight
  const variance = sizesSquared / weight - meanSize * meanSize
  const covariance = sizesTimesDurations / weight - meanSize * meanDuration
  const slope = variance > 1 ? Math.max(0, covariance / variance) : 0
  return Math.max(1, meanDuration + slope * (size - meanSize))
}

/** Mean answer length; undefined before the first one was reported. */
export function expectOutputTokens({ outputs, outputWeight }: Experience): number | undefined {
  return outputWeight === 0 ? undefined : outputs / outputWeight
}
