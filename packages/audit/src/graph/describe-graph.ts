import { compareText } from '@audit-tools/shared/core'
import { z } from 'zod'

import type { Graph } from './graph.ts'

const GRAPH_VERSION = 'audit-code-graph/v1alpha1'

const IndexSchema = z.int().nonnegative()

/** `graph_bundle.json`: files are named once, in `files`, and elsewhere by their place there. */
export const GraphBundleSchema = z.strictObject({
  contract_version: z.literal(GRAPH_VERSION).describe('Shape of this file'),
  files: z.array(z.string()).describe('Every path that the graph names'),
  resolutions: z
    .array(z.tuple([z.string(), z.string()]))
    .describe('Confidence and reason, as edges name them'),
  edges: z
    .array(z.tuple([IndexSchema, IndexSchema, z.int(), z.string(), z.int(), IndexSchema]))
    .describe('From, to, line, form, 1 for types only, resolution'),
  unresolved: z.array(z.tuple([IndexSchema, z.string(), z.int()])).describe('From, name, line'),
  entry_points: z
    .array(z.tuple([IndexSchema, z.string(), z.string()]))
    .describe('File, where it is declared, as what'),
  surfaces: z
    .array(z.tuple([IndexSchema, z.int(), z.string(), z.string()]))
    .describe('File, line, kind, name'),
  test_links: z
    .array(z.tuple([IndexSchema, IndexSchema, z.string(), z.string()]))
    .describe('Test, source, confidence, reason'),
  churn: z.array(z.tuple([IndexSchema, z.int()])).describe('File, commits that touched it'),
  co_changes: z
    .array(z.tuple([IndexSchema, IndexSchema, z.int()]))
    .describe('Two files, commits that touched both'),
  cycles: z
    .array(z.strictObject({ type_only: z.boolean(), files: z.array(IndexSchema) }))
    .describe('Files that import each other around'),
  units: z
    .array(z.strictObject({ id: z.string(), title: z.string(), files: z.array(IndexSchema) }))
    .describe('Cohesive groups'),
})

export type GraphBundle = z.infer<typeof GraphBundleSchema>

export function describeGraph(graph: Graph): GraphBundle {
  const files = listPaths(graph)
  const places = new Map(files.map((path, place) => [path, place]))
  const at = (path: string): number => places.get(path) ?? -1
  const resolutions = new Map<string, [number, [string, string]]>()
  const resolutionOf = (confidence: string, reason: string): number => {
    const key = `${confidence} ${reason}`
    const known = resolutions.get(key) ?? [resolutions.size, [confidence, reason]]
    resolutions.set(key, known)
    return known[0]
  }
  const edges = graph.edges.map((edge): GraphBundle['edges'][number] => {
    const { from, to, line, form, typeOnly, confidence, reason } = edge
    return [at(from), at(to), line, form, typeOnly ? 1 : 0, resolutionOf(confidence, reason)]
  })
  return {
    contract_version: GRAPH_VERSION,
    files,
    resolutions: [...resolutions.values()].map(([, resolution]) => resolution),
    edges,
    unresolved: graph.unresolved.map(({ from, specifier, line }) => [at(from), specifier, line]),
    entry_points: graph.entryPoints.map((entry) => [
      at(entry.path),
      entry.declaredIn,
      entry.reason,
    ]),
    surfaces: graph.surfaces.map(({ path, line, kind, name }) => [at(path), line, kind, name]),
    test_links: graph.testLinks.map((link) => [
      at(link.test),
      at(link.source),
      link.confidence,
      link.reason,
    ]),
    churn: [...graph.churn]
      .map(([path, commits]): [number, number] => [at(path), commits])
      .toSorted(([left], [right]) => left - right),
    co_changes: graph.coChanges.map(({ left, right, commits }) => [at(left), at(right), commits]),
    cycles: graph.cycles.map((cycle) => ({
      type_only: cycle.typeOnly,
      files: cycle.files.map(at),
    })),
    units: graph.units.map(({ id, title, files: members }) => ({
      id,
      title,
      files: members.map(at),
    })),
  }
}

function listPaths(graph: Graph): string[] {
  const paths = new Set([
    ...graph.edges.flatMap(({ from, to }) => [from, to]),
    ...graph.unresolved.map(({ from }) => from),
    ...graph.entryPoints.map(({ path }) => path),
    ...graph.surfaces.map(({ path }) => path),
    ...graph.testLinks.flatMap(({ test, source }) => [test, source]),
    ...graph.churn.keys(),
    ...graph.coChanges.flatMap(({ left, right }) => [left, right]),
    ...graph.units.flatMap(({ files }) => files),
  ])
  return [...paths].toSorted(compareText)
}
