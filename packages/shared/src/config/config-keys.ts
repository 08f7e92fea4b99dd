import { z } from 'zod'

import { SessionConfigSchema } from './session-config.ts'

type Node = z.core.JSONSchema.BaseSchema

/** Keys from the outside in; a number is an index into a list. */
export type KeyPath = readonly PropertyKey[]

/** A key that holds a value of its own rather than further keys. */
export interface ConfigKey {
  readonly path: readonly string[]
  readonly description: string
  /** What text must become; `other` is for lists and tables, which text cannot give. */
  readonly type: 'string' | 'number' | 'boolean' | 'other'
}

const schema = z.toJSONSchema(SessionConfigSchema, { io: 'input', unrepresentable: 'any' })

/** The JSON Schema of a configuration file, for editors and the reference page. */
export function renderConfigSchema(): Readonly<Record<string, unknown>> {
  return schema
}

/** Every key of the schema that holds a value, in its order. */
export function listConfigKeys(): ConfigKey[] {
  return listBelow(schema, [])
}

function listBelow(node: Node, path: readonly string[]): ConfigKey[] {
  if (node.type === 'object' && node.properties) {
    return Object.entries(node.properties).flatMap(([key, child]) =>
      typeof child === 'boolean' ? [] : listBelow(child, [...path, key]),
    )
  }
  return [{ path, description: node.description ?? '', type: readType(node) }]
}

function readType({ type }: Node): ConfigKey['type'] {
  if (type === 'integer') return 'number'
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'other'
}

/** Names that may stand at `path`; empty where any name may. */
export function listNamesAt(path: KeyPath): string[] {
  return descend(path).flatMap((node) => Object.keys(node.properties ?? {}))
}

/** Whether the keys below `path` are set one by one. A list, or a choice of shapes, is set as a whole. */
export function isTable(path: KeyPath): boolean {
  let nodes: Node[] = [schema]
  for (const key of path) nodes = nodes.flatMap((node) => readChildren(node, key))
  return nodes.some(({ type }) => type === 'object')
}

function descend(path: KeyPath): Node[] {
  let nodes: Node[] = [schema]
  for (const key of path) nodes = nodes.flatMap((node) => readChildren(node, key))
  return nodes.flatMap((node) => [node, ...listChoices(node)])
}

function readChildren(node: Node, key: PropertyKey): Node[] {
  return [node, ...listChoices(node)]
    .map((choice) =>
      typeof key === 'number'
        ? choice.items
        : (choice.properties?.[String(key)] ?? choice.additionalProperties),
    )
    .filter((child): child is Node => typeof child === 'object' && !Array.isArray(child))
}

function listChoices({ anyOf = [], oneOf = [] }: Node): Node[] {
  return [...anyOf, ...oneOf].filter((choice) => typeof choice !== 'boolean')
}

/** `quota.models["gpt-4.1"].context_tokens`, `sources[2].id`. */
export function formatKeyPath(path: KeyPath): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    const name = String(key)
    if (!/^[A-Za-z_][\w-]*$/.test(name)) return `${text}[${JSON.stringify(name)}]`
    return text === '' ? name : `${text}.${name}`
  }, '')
}
