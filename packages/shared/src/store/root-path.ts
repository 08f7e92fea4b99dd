import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import * as nativePath from 'node:path'
import { readSystemErrorCode } from '../core/index.ts'
import { describeReadFailure } from './failures.ts'

/** The tools' own folder inside a repository. */
export const ARTIFACTS_FOLDER = '.audit-tools'

/** As many links as Linux follows before it gives up. */
const maxLinks = 40

type PathRules = Pick<nativePath.PlatformPath, 'relative' | 'isAbsolute' | 'sep'>

/** Whether `path` is `root` or lies below it, by the spelling of two absolute paths alone. */
export function isBelow(root: string, path: string, rules: PathRules = nativePath): boolean {
  const relative = rules.relative(root, path)
  if (rules.isAbsolute(relative)) return false
  return relative !== '..' && !relative.startsWith(`..${rules.sep}`)
}

/** The absolute path with every link followed. Throws `store-unreadable` when there is nothing. */
export function readRealPath(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    throw describeReadFailure(path, error)
  }
}

/**
 * Where `path` (relative to `root`, or absolute) really is, links followed, and whether that is below the real root. What
 * does not exist yet is judged by where it would be created.
 */
export function resolveInsideRoot(
  root: string,
  path: string,
): { readonly kind: 'inside'; readonly path: string } | { readonly kind: 'outside' } {
  const realRoot = readRealPath(root)
  const real = resolveReal(nativePath.resolve(realRoot, path), maxLinks)
  return real !== undefined && isBelow(realRoot, real)
    ? { kind: 'inside', path: real }
    : { kind: 'outside' }
}

/** The real path of something that may not exist; undefined when that cannot be told (loops, no permission, NUL). */
function resolveReal(path: string, linksLeft: number): string | undefined {
  try {
    return realpathSync(path)
  } catch (error) {
    if (readSystemErrorCode(error) !== 'ENOENT' || linksLeft === 0) return undefined
  }
  const parent = resolveReal(nativePath.dirname(path), linksLeft)
  if (parent === undefined) return undefined
  const here = nativePath.join(parent, nativePath.basename(path))
  const target = readLinkTarget(here)
  // A link that leads nowhere yet would be followed by whoever creates the file.
  return target === undefined
    ? here
    : resolveReal(nativePath.resolve(parent, target), linksLeft - 1)
}

function readLinkTarget(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isSymbolicLink() === true ? readlinkSync(path) : undefined
}

/**
 * The directory that a command means when it runs in `directory`: inside a `.audit-tools` folder, where a worker's
 * working directory easily drifts, that is the folder's parent; elsewhere the directory itself.
 */
export function resolveAnchor(directory: string, sep: string = nativePath.sep): string {
  const segments = directory.split(sep)
  const index = segments.indexOf(ARTIFACTS_FOLDER)
  if (index === -1) return directory
  const anchor = segments.slice(0, index).join(sep)
  return index === 1 ? anchor + sep : anchor
}
