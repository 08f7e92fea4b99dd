import { join } from 'node:path'

import { z } from 'zod'

import { compareText, type Environment, formatStableJson, hashParts } from '../core/index.ts'
import { readOptionalJsonFile, resolveStateDirectory, writeJsonFile } from '../store/index.ts'
import { formatKeyPath, type KeyPath } from './config-keys.ts'

interface TrustRule {
  /** Keys separated by dots; `*` stands for any key or index. A key includes what is below it. */
  readonly pattern: string
  /** Values that let a run do no more than it does anyway. */
  readonly harmless?: readonly unknown[]
}

/**
 * What a repository could use to start programs, to send code or keys elsewhere, to speak to reviewers in our name, or
 * to pass a gate before spending.
 */
export const trustRules: readonly TrustRule[] = [
  { pattern: 'analyzers.*', harmless: ['auto', 'skip'] },
  { pattern: 'antigravity' },
  { pattern: 'claude_code.bypass_permissions', harmless: [false] },
  { pattern: 'claude_code.command' },
  { pattern: 'claude_code.extra_args' },
  { pattern: 'codex.bypass_permissions', harmless: [false] },
  { pattern: 'codex.command' },
  { pattern: 'codex.extra_args' },
  { pattern: 'coordination.password_env' },
  { pattern: 'coordination.url' },
  { pattern: 'dispatch.confirm_threshold' },
  { pattern: 'lenses.*.instructions' },
  { pattern: 'openai_compatible.api_key_env' },
  { pattern: 'openai_compatible.base_url' },
  { pattern: 'openai_compatible.headers' },
  { pattern: 'opencode.bypass_permissions', harmless: [false] },
  { pattern: 'opencode.command' },
  { pattern: 'opencode.extra_args' },
  { pattern: 'quota.enabled', harmless: [true] },
  { pattern: 'report.promote', harmless: [false] },
  { pattern: 'sources.*.api_key_env' },
  { pattern: 'sources.*.command' },
  { pattern: 'sources.*.endpoint' },
  { pattern: 'sources.*.parameters' },
  { pattern: 'subprocess_template' },
  { pattern: 'vscode_task' },
]

/** Values of a configuration that need trust, by their key as messages show it. */
export type SensitiveValues = ReadonlyMap<string, unknown>

export function readSensitiveValues(config: unknown): SensitiveValues {
  const found = trustRules.flatMap(({ pattern, harmless = [] }) =>
    matchPattern(config, pattern.split('.'), []).filter(
      ({ value }) => !harmless.includes(value) && !isEmpty(value),
    ),
  )
  const entries = found.map(({ path, value }) => [formatKeyPath(path), value] as const)
  return new Map(entries.toSorted(([left], [right]) => compareText(left, right)))
}

function matchPattern(
  value: unknown,
  [first, ...rest]: readonly string[],
  path: KeyPath,
): { path: KeyPath; value: unknown }[] {
  if (first === undefined) return [{ path, value }]
  if (typeof value !== 'object' || value === null) return []
  const children = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return children
    .filter(([key]) => first === '*' || key === first)
    .flatMap(([key, child]) => matchPattern(child, rest, [...path, key]))
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

const TrustRecordSchema = z.strictObject({
  version: z.literal(1),
  root: z.string().describe('Real path of the repository'),
  keys: z.array(z.string()).describe('What was trusted, for people who look'),
})

/** Whether the user trusts exactly these values for this repository. Throws store-corrupt on a damaged record. */
export function isTrusted(
  root: string,
  values: SensitiveValues,
  environment: Environment,
): boolean {
  const path = resolveTrustPath(root, values, environment)
  return readOptionalJsonFile(path, TrustRecordSchema) !== undefined
}

/** Remembers in the user's state directory that these values are trusted for this repository. */
export function recordTrust(root: string, values: SensitiveValues, environment: Environment): void {
  const record: z.output<typeof TrustRecordSchema> = { version: 1, root, keys: [...values.keys()] }
  writeJsonFile(resolveTrustPath(root, values, environment), record, { durable: true })
}

/** The root is part of it: the same relative command in another repository is another program. */
function resolveTrustPath(root: string, values: SensitiveValues, environment: Environment): string {
  const hash = hashParts([root, formatStableJson(Object.fromEntries(values))])
  return join(resolveStateDirectory(environment), 'trust', `${hash}.json`)
}
