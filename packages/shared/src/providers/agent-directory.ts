import { dirname, join } from 'node:path'

import { inspectPath, makeDirectory, resolveStateDirectory } from '../store/index.ts'
import type { LaunchContext, LaunchRequest } from './provider.ts'

export type DirectoryChoice =
  | { readonly kind: 'chosen'; readonly directory: string }
  | { readonly kind: 'refused'; readonly found: string }

/**
 * Where a client runs, when it starts code that it finds at `codePaths` of a repository and cannot be kept from it. A
 * review has its files in the prompt and then runs in an empty directory of the user's own; an edit cannot be done.
 */
export function chooseDirectory(
  { repoRoot, mode }: Pick<LaunchRequest, 'repoRoot' | 'mode'>,
  codePaths: readonly string[],
  { environment }: Pick<LaunchContext, 'environment'>,
): DirectoryChoice {
  const found = findCode(repoRoot, codePaths)
  if (found === undefined) return { kind: 'chosen', directory: repoRoot }
  if (mode === 'edit') return { kind: 'refused', found }
  const directory = join(resolveStateDirectory(environment), 'empty')
  makeDirectory(directory)
  return { kind: 'chosen', directory }
}

/** The first of the paths in the directory or above it, up to the root of its git working tree. */
function findCode(start: string, codePaths: readonly string[]): string | undefined {
  if (codePaths.length === 0) return undefined
  const directories = listUpToWorkTree(start)
  return directories
    .flatMap((directory) => codePaths.map((path) => join(directory, path)))
    .find((path) => inspectPath(path).kind !== 'missing')
}

function listUpToWorkTree(start: string): string[] {
  const directories = [start]
  for (let at = start; inspectPath(join(at, '.git')).kind === 'missing'; at = dirname(at)) {
    // Above the root of the file system there is nothing: it is no working tree at all.
    if (dirname(at) === at) return [start]
    directories.push(dirname(at))
  }
  return directories
}
