import { extname } from 'node:path'

import type { HiddenRange } from '../mask-ranges.ts'

/** A secret in a text, without its value. */
export interface FoundSecret {
  /** `@secretlint/secretlint-rule-github` */
  readonly ruleId: string
  readonly messageId: string
  /** UTF-16 offsets of what was recognised, end exclusive. */
  readonly start: number
  readonly end: number
  /** Everything that must not be shown of the text: the reported range is not always where the value stands. */
  readonly hidden: readonly HiddenRange[]
}

export type SecretScanner = (path: string, text: string) => Promise<FoundSecret[]>

/**
 * Loads secretlint with its recommended rules. Its rule about comments is left out: a comment in the repository must
 * not silence a finding.
 */
export async function loadSecretScanner(): Promise<SecretScanner> {
  const [{ lintSource }, { rules }, { secretLintProfiler }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
    import('@secretlint/profiler'),
  ])
  // Every mark is compared with all marks before it, so the time of a run would grow with the square of its files.
  secretLintProfiler.mark = () => {}
  const scanners = rules
    .filter((rule) => !rule.meta.id.endsWith('filter-comments'))
    .map((rule) => ({ id: rule.meta.id, rule }))
  return async (path, text) => {
    const { messages } = await lintSource({
      source: { filePath: path, content: text, ext: extname(path), contentType: 'text' },
      options: { config: { rules: scanners }, noPhysicFilePath: true },
    })
    return messages.map(({ ruleId, messageId, range: [start, end], data }) => {
      const values = Object.values(data ?? {}).filter((value) => typeof value === 'string')
      const hidden = [{ start, end }, ...values.flatMap((value) => findAll(text, value))]
      return { ruleId, messageId, start, end, hidden }
    })
  }
}

/** Shorter values are names of files and the like. */
const shortestValue = 8

function findAll(text: string, value: string): HiddenRange[] {
  const ranges: HiddenRange[] = []
  if (value.length < shortestValue) return ranges
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    ranges.push({ start: at, end: at + value.length })
  }
  return ranges
}
