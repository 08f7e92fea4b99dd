import { groupBy } from '../../core/index.ts'
import { parseTreePath } from '../grounding/path.ts'
import type { ForeignDirectories } from '../importers/scrub.ts'
import type { SarifArtifactLocation, SarifRun } from './log.ts'

type ArtifactResolution =
  | { readonly kind: 'inside'; readonly path: string }
  /** The reason names no absolute path: those tell about the machine that wrote the file. */
  | { readonly kind: 'unlocated'; readonly reason: string }

export interface ArtifactResolver {
  resolve(location: SarifArtifactLocation, run: SarifRun): ArtifactResolution
  /** The same for a plain path, in which `%` and `#` stand for themselves. */
  resolvePath(path: string): ArtifactResolution
  /** Absolute directories that were met so far, for removal from messages. */
  listForeignDirectories(runs: readonly SarifRun[]): ForeignDirectories
}

/** Base ids that name each other are cut here. */
const MAX_BASES = 20

/** Makes a function that maps SARIF locations to paths of the tree: base ids, odd URIs, checkouts at another root. */
export function createArtifactResolver(
  files: readonly string[] | undefined,
  root: string | undefined,
): ArtifactResolver {
  const known = files === undefined ? undefined : new Set(files)
  const byName = groupBy(files ?? [], readName)
  const foreignRoots = new Set<string>()
  const foreignDirectories = new Set<string>()

  /** The files that a path may be: one when it is clear, several when it is not. */
  const locate = (candidate: string): string[] => {
    const parsed = parseTreePath(candidate, root)
    if (parsed.kind === 'inside' && parsed.path !== '') {
      if (known === undefined || known.has(parsed.path)) return [parsed.path]
    }
    if (isAbsolute(candidate)) foreignDirectories.add(readDirectory(candidate))
    const matches = findBySuffix(candidate, byName)
    const [match] = matches
    if (matches.length === 1 && match !== undefined && candidate.endsWith(`/${match}`)) {
      const prefix = candidate.slice(0, -match.length)
      if (isAbsolute(prefix)) foreignRoots.add(prefix)
    }
    return matches
  }

  const resolveFirst = (candidates: readonly string[]): ArtifactResolution => {
    for (const candidate of candidates) {
      const [path, second] = locate(candidate)
      if (second !== undefined) {
        const reason = `several files of the tree end like ${shorten(candidate)}`
        return { kind: 'unlocated', reason }
      }
      if (path !== undefined) return { kind: 'inside', path }
    }
    return { kind: 'unlocated', reason: `no file of the tree is ${shorten(candidates[0] ?? '')}` }
  }

  return {
    listForeignDirectories(runs) {
      const named = runs.flatMap((run) => [
        ...Object.values(run.originalUriBaseIds ?? {}),
        ...(run.invocations ?? []).map((invocation) => invocation?.workingDirectory),
      ])
      const directories = named.flatMap((location) => {
        const path = location?.uri && stripFileScheme(location.uri.replaceAll('\\', '/'))
        return path !== undefined && isAbsolute(path) ? [path] : []
      })
      const roots = [...foreignRoots, ...(root === undefined ? [] : [root])]
      return { roots, others: [...directories, ...foreignDirectories] }
    },
    resolve(location, run) {
      const uri = readUri(location, run)
      if (uri === undefined) return { kind: 'unlocated', reason: 'it names no file' }
      const candidates = listCandidates(uri)
      return candidates.length === 0
        ? { kind: 'unlocated', reason: 'its location is not a file' }
        : resolveFirst(candidates)
    },
    resolvePath: (path) => resolveFirst([path.replaceAll('\\', '/')]),
  }
}

function readUri(location: SarifArtifactLocation, run: SarifRun): string | undefined {
  const indexed = run.artifacts?.[location.index ?? -1]?.location
  const uri = location.uri ?? indexed?.uri
  if (uri === undefined || uri.trim() === '') return undefined
  const baseId = location.uri === undefined ? indexed?.uriBaseId : location.uriBaseId
  return joinUri(readBase(run, baseId), uri)
}

/** The base with all its own bases before it; a base that the file does not define is the root. */
function readBase(run: SarifRun, id: string | undefined): string {
  let base = ''
  let next = id
  for (let depth = 0; next !== undefined && depth < MAX_BASES; depth += 1) {
    const definition: SarifArtifactLocation | undefined = run.originalUriBaseIds?.[next]
    base = joinUri(definition?.uri ?? '', base)
    next = definition?.uriBaseId
  }
  return base
}

function joinUri(base: string, uri: string): string {
  if (base === '' || isAbsolute(uri) || readScheme(uri) !== undefined) return uri
  return base.endsWith('/') || uri === '' ? `${base}${uri}` : `${base}/${uri}`
}

/** The paths a URI may mean, likeliest first: tools percent-encode or do not, and use `#` and `?` in names. */
function listCandidates(uri: string): string[] {
  const path = stripFileScheme(uri.trim().replaceAll('\\', '/'))
  if (path === undefined) return []
  const readings = [path, path.split('#')[0] ?? '', path.split(/[?#]/)[0] ?? '']
  const candidates = readings.flatMap((reading) => [decode(reading), reading])
  return [...new Set(candidates)].filter((candidate) => candidate !== '')
}

/** The path of a `file:` URI or of a plain path; undefined for other schemes. */
function stripFileScheme(uri: string): string | undefined {
  const scheme = readScheme(uri)
  if (scheme === undefined) return uri
  if (scheme !== 'file') return undefined
  const rest = uri.slice('file:'.length).replace(/^\/\/[^/]*(?=\/)/, '')
  return rest.replace(/^\/+(?=[A-Za-z]:\/)/, '').replace(/^\/{2,}/, '/')
}

/** A scheme has two letters or more; one letter is a drive. `a.ts:1` and `b: c.ts` are file names. */
function readScheme(uri: string): string | undefined {
  return /^([A-Za-z][A-Za-z0-9+-]+):(?=\/|[^\s/]+@|[a-z]+\/)/.exec(uri)?.[1]?.toLowerCase()
}

function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/]|file:)/i.test(path)
}

/** Decodes percent escapes; those that are not UTF-8 stay as they are. */
function decode(text: string): string {
  return text.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch (error) {
      if (error instanceof URIError) return escapes
      throw error
    }
  })
}

/**
 * The files of the tree that share the longest ending with an outside path. For a relative path one of the two must lie
 * wholly in the other; for an absolute one a shared directory is enough.
 */
function findBySuffix(candidate: string, byName: ReadonlyMap<string, readonly string[]>): string[] {
  const wanted = splitPath(candidate)
  let longest = 1
  let best: string[] = []
  for (const path of byName.get(wanted.at(-1) ?? '') ?? []) {
    const segments = path.split('/')
    const length = countShared(wanted, segments)
    const isWhole = length === wanted.length || length === segments.length
    if (!isWhole && (length < 2 || !isAbsolute(candidate))) continue
    if (length < longest) continue
    best = length > longest ? [path] : [...best, path]
    longest = length
  }
  return best
}

function countShared(left: readonly string[], right: readonly string[]): number {
  const most = Math.min(left.length, right.length)
  for (let count = 0; count < most; count += 1) {
    if (left.at(-1 - count) !== right.at(-1 - count)) return count
  }
  return most
}

function splitPath(path: string): string[] {
  const segments: string[] = []
  for (const segment of path.normalize('NFC').split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') segments.pop()
    else segments.push(segment)
  }
  return segments
}

function readDirectory(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

function readName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function shorten(path: string): string {
  return isAbsolute(path) ? `…/${splitPath(path).slice(-2).join('/')}` : path
}
