import { join, posix } from 'node:path'

import { readSystemErrorCode } from '@audit-tools/shared/core'
import { hashBlob } from '@audit-tools/shared/git'
import { inspectPath, readFileBytes } from '@audit-tools/shared/store'

import { classifyContent, MAX_TEXT_BYTES } from './classify-content.ts'
import { decideKind } from './decide-kind.ts'
import { detectLanguage } from './detect-language.ts'
import type { ListedFile } from './listing.ts'
import { matchBlob } from './match-blob.ts'
import type { SnapshotFile } from './snapshot.ts'

const HEAD_CHARACTERS = 1024

export type Inspection =
  | { readonly kind: 'file'; readonly file: SnapshotFile }
  | { readonly kind: 'excluded'; readonly path: string; readonly reason: string }

type BlobAlgorithm = Parameters<typeof hashBlob>[1]

/** Looks at listed files one by one, holding one text at a time; never leaves the root. */
export function createInspector(
  root: string,
  algorithm: BlobAlgorithm,
): (listed: ListedFile) => Inspection {
  const directories = new Map<string, string | undefined>([['.', undefined]])

  /** Why files below this directory are not looked at; undefined for a real directory. */
  const findObstacle = (directory: string): string | undefined => {
    if (!directories.has(directory)) {
      const obstacle =
        findObstacle(posix.dirname(directory)) ?? describeDirectory(join(root, directory))
      directories.set(directory, obstacle)
    }
    return directories.get(directory)
  }

  return (listed) => {
    const path = listed.diskPath.normalize('NFC')
    const obstacle = findObstacle(posix.dirname(listed.diskPath))
    const content =
      obstacle === undefined
        ? readContent(join(root, listed.diskPath))
        : { kind: 'other' as const, reason: obstacle }
    if (content.kind === 'other') return { kind: 'excluded', path, reason: content.reason }
    return { kind: 'file', file: describeFile(path, listed, { ...content, algorithm }) }
  }
}

interface Content {
  readonly bytes: Buffer
  readonly text: string
  readonly lines: number
}

function describeFile(
  path: string,
  { diskPath, indexHash }: ListedFile,
  { bytes, text, lines, algorithm }: Content & { algorithm: BlobAlgorithm },
): SnapshotFile {
  const segments = path.split('/')
  const filename = segments.at(-1) ?? path
  const head = text.slice(0, HEAD_CHARACTERS).replace(/^\uFEFF/, '')
  const language = detectLanguage(filename, head)
  const kind = decideKind({
    path,
    filename,
    directories: segments.slice(0, -1),
    language,
    head,
    bytes: bytes.length,
    lines,
  })
  const isIndexed = indexHash !== undefined && matchBlob(bytes, indexHash)
  return {
    path,
    ...(diskPath === path ? {} : { diskPath }),
    bytes: bytes.length,
    lines,
    hash: isIndexed ? indexHash : hashBlob(bytes, algorithm),
    language: language?.name ?? null,
    kind: kind.kind,
    kindReason: kind.reason,
  }
}

function readContent(
  path: string,
): ({ kind: 'text' } & Content) | { kind: 'other'; reason: string } {
  const facts = inspectPath(path)
  if (facts.kind === 'missing') return { kind: 'other', reason: 'missing from the working tree' }
  if (facts.kind === 'unreadable') return { kind: 'other', reason: describeUnreadable(facts.cause) }
  if (facts.kind === 'symlink') return { kind: 'other', reason: 'symbolic link' }
  if (facts.kind === 'directory') {
    return { kind: 'other', reason: 'a directory, such as another repository' }
  }
  if (facts.kind === 'other') return { kind: 'other', reason: 'not a regular file' }
  if (facts.bytes > MAX_TEXT_BYTES) return { kind: 'other', reason: 'larger than 5 MB' }
  const reading = readFileBytes(path)
  if (reading.kind === 'missing') return { kind: 'other', reason: 'missing from the working tree' }
  if (reading.kind === 'unreadable') {
    return { kind: 'other', reason: describeUnreadable(reading.cause) }
  }
  const content = classifyContent(reading.bytes)
  return content.kind === 'text' ? { ...content, bytes: reading.bytes } : content
}

function describeDirectory(path: string): string | undefined {
  const facts = inspectPath(path)
  switch (facts.kind) {
    case 'directory':
      return undefined
    case 'symlink':
      return 'below a symbolic link'
    case 'unreadable':
      return describeUnreadable(facts.cause)
    case 'missing':
    case 'file':
    case 'other':
      return 'missing from the working tree'
  }
}

function describeUnreadable(cause: unknown): string {
  return `unreadable (${readSystemErrorCode(cause) ?? 'unknown error'})`
}
