import type { z } from 'zod'
import { AuditToolsError, formatStableJson, readErrorMessage } from '../core/index.ts'
import { writeFileAtomic, type WriteOptions } from './atomic-file.ts'
import { describeReadFailure } from './failures.ts'
import { decodeText, type Missing, readFileBytes, type Unreadable } from './read-file.ts'

export type JsonReading<Value> =
  | { readonly kind: 'ok'; readonly value: Value }
  | Missing
  | { readonly kind: 'empty' }
  | Unreadable
  | {
      readonly kind: 'invalid'
      /** One sentence per problem, with the place in the file. */
      readonly problems: readonly string[]
      /** The parsed JSON where it was JSON, else its text. */
      readonly raw: unknown
    }

/** Reads a JSON file and checks it. Missing, empty, unreadable and invalid are different answers; never throws. */
export function readJsonFile<Value>(path: string, schema: z.ZodType<Value>): JsonReading<Value> {
  const reading = readFileBytes(path)
  if (reading.kind !== 'ok') return reading
  return parseJson(reading.bytes, schema)
}

function parseJson<Value>(bytes: Uint8Array, schema: z.ZodType<Value>): JsonReading<Value> {
  let text: string
  try {
    text = decodeText(bytes)
  } catch (error) {
    const raw = Buffer.from(bytes).toString('latin1')
    return { kind: 'invalid', problems: [`not UTF-8: ${readErrorMessage(error)}`], raw }
  }
  if (text.trim() === '') return { kind: 'empty' }

  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch (error) {
    return { kind: 'invalid', problems: [`not JSON: ${readErrorMessage(error)}`], raw: text }
  }
  const parsed = schema.safeParse(raw)
  if (parsed.success) return { kind: 'ok', value: parsed.data }
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.map(String).join('.') || 'the value'}: ${issue.message}`,
  )
  return { kind: 'invalid', problems, raw }
}

/**
 * The checked content of a JSON file, or undefined when there is none. Throws `store-unreadable` when it cannot be read
 * and `store-corrupt` when it is empty or invalid: neither is ever taken for absence.
 */
export function readOptionalJsonFile<Value>(
  path: string,
  schema: z.ZodType<Value>,
): Value | undefined {
  const reading = readJsonFile(path, schema)
  if (reading.kind === 'ok') return reading.value
  if (reading.kind === 'missing') return undefined
  if (reading.kind === 'unreadable') throw describeReadFailure(path, reading.cause)
  throw describeCorruption(path, reading.kind === 'empty' ? ['it is empty'] : reading.problems)
}

function describeCorruption(path: string, problems: readonly string[]): AuditToolsError {
  return new AuditToolsError(
    'store-corrupt',
    `${path} is damaged: ${problems.join('; ')}. Mend it, or move it away to start without it`,
    { details: { path, problems } },
  )
}

/** Writes a value as JSON with sorted keys, atomically. Throws `store-unwritable`. */
export function writeJsonFile(path: string, value: unknown, options: WriteOptions = {}): void {
  writeFileAtomic(path, formatStableJson(value), options)
}
