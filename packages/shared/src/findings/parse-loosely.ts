import type { z } from 'zod'

/** Parses with a strict schema, after removing what it does not know, at any depth: fields of a newer version. */
export function parseLoosely<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  const first = schema.safeParse(value)
  if (first.success) return first
  const unknown = first.error.issues.filter((issue) => issue.code === 'unrecognized_keys')
  if (unknown.length === 0) return first
  const known = structuredClone(value)
  for (const { path, keys } of unknown) {
    const holder = path.reduce<unknown>(readProperty, known)
    if (typeof holder !== 'object' || holder === null) continue
    for (const key of keys) Reflect.deleteProperty(holder, key)
  }
  return schema.safeParse(known)
}

function readProperty(holder: unknown, key: PropertyKey): unknown {
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, key) : undefined
}
