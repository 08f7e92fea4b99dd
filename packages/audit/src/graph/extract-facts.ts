import { posix } from 'node:path'

import { hashParts } from '@audit-tools/shared/core'

import type { SnapshotFile } from '../snapshot/index.ts'
import { extractJavaScript, isScript } from './extract-javascript.ts'
import { extractAliases, extractGoModule, extractManifest } from './extract-manifest.ts'
import { extractReferences } from './extract-references.ts'
import { FACTS_VERSION, type FileFacts } from './facts.ts'
import { extractLineImports } from './line-imports.ts'
import { extractLineSurfaces } from './line-surfaces.ts'
import { listCuts, mayNeedCuts } from './list-cuts.ts'
import { isAliasConfig } from './module-map.ts'

/** The key under which facts may be kept: equal keys, equal facts. */
export function computeFactsKey({ path, hash, language }: SnapshotFile): string {
  return hashParts([String(FACTS_VERSION), path, hash, language ?? ''])
}

/** Everything that a file says by itself. Pure; a file that does not parse gives what patterns find. */
export function extractFacts(file: SnapshotFile, text: string): FileFacts {
  const { path, language } = file
  const filename = posix.basename(path)
  const cuts = mayNeedCuts(file) ? listCuts(path, text) : []
  const references = extractReferences(path, text)
  return {
    ...extractCode(file, text),
    ...(references.length > 0 ? { references } : {}),
    ...(filename === 'package.json' ? optional('manifest', extractManifest(text)) : {}),
    ...(isAliasConfig(path) ? optional('aliases', extractAliases(text)) : {}),
    ...(language === 'Go Module' ? optional('module', extractGoModule(text)) : {}),
    ...(cuts.length > 0 ? { cuts } : {}),
  }
}

function extractCode(
  { path, language, kind }: SnapshotFile,
  text: string,
): Pick<FileFacts, 'imports' | 'surfaces'> {
  const withSurfaces = kind === 'source'
  if (isScript(path)) return extractJavaScript(path, text, withSurfaces)
  if (language === null) return { imports: [], surfaces: [] }
  return {
    imports: extractLineImports(language, text),
    surfaces: withSurfaces ? extractLineSurfaces(language, text) : [],
  }
}

function optional<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): Partial<Record<Key, Value>> {
  return value === undefined ? {} : ({ [key]: value } as Record<Key, Value>)
}
