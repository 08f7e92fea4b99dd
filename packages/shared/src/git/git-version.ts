/**
 * The oldest git that is safe to run on a repository of strangers: 2.38 brought `safe.bareRepository`, without which a
 * directory that looks like a bare repository makes git obey that directory's settings, and `merge-tree --write-tree`,
 * which landing merges with outside any checkout.
 */
export const MINIMUM_GIT_VERSION = '2.38.0'

/** `git version 2.39.5 (Apple Git-154)` -> `2.39.5`; undefined for anything else. */
export function parseGitVersion(text: string): string | undefined {
  return /^git version (\d+\.\d+(?:\.\d+)?)/.exec(text)?.[1]
}

export function isAtLeast(version: string, minimum: string): boolean {
  const [have, need] = [version, minimum].map((text) => text.split('.').map(Number))
  for (const [index, part] of (need ?? []).entries()) {
    const difference = (have?.[index] ?? 0) - part
    if (difference !== 0) return difference > 0
  }
  return true
}
