import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { compareText, readSystemErrorCode } from '../core/index.ts'

export interface Missing {
  readonly kind: 'missing'
}

export interface Unreadable {
  readonly kind: 'unreadable'
  readonly cause: unknown
}

export type BytesReading = { readonly kind: 'ok'; readonly bytes: Buffer } | Missing | Unreadable

export type TextReading = { readonly kind: 'ok'; readonly text: string } | Missing | Unreadable

/** Reads a file, from `fromByte` to its end. A directory in its place is `unreadable`. */
export function readFileBytes(path: string, fromByte = 0): BytesReading {
  return attemptRead(() => ({
    kind: 'ok',
    bytes: fromByte === 0 ? readFileSync(path) : readRest(path, fromByte),
  }))
}

function readRest(path: string, fromByte: number): Buffer {
  const descriptor = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - fromByte))
    let filled = 0
    for (let count = -1; count !== 0 && filled < bytes.byteLength; filled += count) {
      count = readSync(descriptor, bytes, { offset: filled, position: fromByte + filled })
    }
    return bytes.subarray(0, filled)
  } finally {
    closeSync(descriptor)
  }
}

/** Reads a whole UTF-8 file, without its byte order mark. Bytes that are not UTF-8 make it `unreadable`. */
export function readFileText(path: string): TextReading {
  return attemptRead(() => ({ kind: 'ok', text: decodeText(readFileSync(path)) }))
}

/** Decodes UTF-8 without its byte order mark. Throws a TypeError on bytes that are not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

export type EntryKind = 'file' | 'directory' | 'symlink' | 'other'

export interface DirectoryEntry {
  readonly name: string
  readonly kind: EntryKind
}

export type DirectoryListing =
  | { readonly kind: 'ok'; readonly entries: readonly DirectoryEntry[] }
  | Missing
  | Unreadable

/** The entries of a directory in code-unit order of their names; links are not followed. */
export function listDirectory(path: string): DirectoryListing {
  return attemptRead(() => {
    const entries = readdirSync(path, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      kind: readEntryKind(entry),
    }))
    return { kind: 'ok', entries: entries.toSorted((a, b) => compareText(a.name, b.name)) }
  })
}

export interface PathFacts {
  readonly kind: EntryKind
  readonly bytes: number
  /** Epoch milliseconds. */
  readonly modifiedAt: number
  readonly executable: boolean
}

/** What is at a path; links are not followed. */
export function inspectPath(path: string): PathFacts | Missing | Unreadable {
  return attemptRead(() => {
    // Absence is a common answer here, and an exception costs several times the call.
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return { kind: 'missing' }
    return {
      kind: readEntryKind(stats),
      bytes: stats.size,
      modifiedAt: stats.mtimeMs,
      executable: (stats.mode & 0o111) !== 0,
    }
  })
}

/** Whether this user could start the file at `path`; links are followed. */
export function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch (error) {
    if (readSystemErrorCode(error) === undefined) throw error
    return false
  }
}

function readEntryKind(entry: {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}): EntryKind {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'directory'
  return entry.isSymbolicLink() ? 'symlink' : 'other'
}

function attemptRead<Result>(read: () => Result): Result | Missing | Unreadable {
  try {
    return read()
  } catch (error) {
    const code = readSystemErrorCode(error)
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? { kind: 'missing' }
      : { kind: 'unreadable', cause: error }
  }
}
