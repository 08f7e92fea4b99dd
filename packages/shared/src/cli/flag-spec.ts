import { z } from 'zod'

import { AuditToolsError } from '../core/index.ts'

/** What the command line knows about one key of a zod object. */
export interface FlagSpec {
  /** Key in the zod object, camelCase. */
  readonly key: string
  /** Name as typed, kebab-case and without dashes. */
  readonly name: string
  /** Name as messages show it: `--run-id`, or `<id>` for a positional argument. */
  readonly label: string
  readonly kind: 'boolean' | 'number' | 'string'
  /** May be repeated; the value is an array. */
  readonly repeated: boolean
  readonly required: boolean
  readonly choices: readonly string[]
  readonly description: string
  readonly defaultValue: unknown
}

/** The shape of one property in a JSON Schema, as far as a command line can express it. */
const PropertySchema = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  items: z
    .looseObject({ type: z.string().optional(), enum: z.array(z.unknown()).optional() })
    .optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
})

/** Reads each key of `schema`, in order. A key without a description is a fault: help would be incomplete. */
export function readFlagSpecs(schema: z.ZodObject, place: 'flag' | 'positional'): FlagSpec[] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const required = new Set(json.required)
  return Object.entries(json.properties ?? {}).map(([key, raw]) => {
    const property = PropertySchema.parse(raw)
    if (property.description === undefined) {
      throw new AuditToolsError('internal-fault', `the flag ${key} has no description`)
    }
    const repeated = property.type === 'array'
    const item = repeated ? (property.items ?? {}) : property
    const name = formatFlagName(key)
    return {
      key,
      name,
      label: place === 'flag' ? `--${name}` : `<${name}>`,
      kind: readKind(item.type),
      repeated,
      required: required.has(key),
      choices: (item.enum ?? []).map(String),
      description: property.description,
      defaultValue: property.default,
    }
  })
}

/** `runIdB64` becomes `run-id-b64`. */
function formatFlagName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function readKind(type: string | undefined): FlagSpec['kind'] {
  if (type === 'boolean') return 'boolean'
  return type === 'number' || type === 'integer' ? 'number' : 'string'
}
