import type { ConfigOverride } from './git-environment.ts'

/** What to read from a repository's configuration before anything that may convert or merge content. */
export const listDriversArgs: readonly string[] = [
  'config',
  '--includes',
  '--null',
  '--name-only',
  '--get-regexp',
  String.raw`^(filter|merge|diff|includeif)\..*\.`,
]

/**
 * Overrides that take the programs out of every named filter, merge and diff driver. A filter without programs passes
 * content through; a merge driver that fails leaves a conflict to a person.
 */
export function disableDrivers(listing: Buffer): ConfigOverride[] {
  const drivers = new Set<string>()
  for (const key of listing.toString('utf8').split('\0')) {
    const end = key.lastIndexOf('.')
    if (end > 0) drivers.add(key.slice(0, end))
  }
  return [...drivers].flatMap((driver): ConfigOverride[] => {
    if (driver.startsWith('filter.')) {
      return [
        [`${driver}.clean`, ''],
        [`${driver}.smudge`, ''],
        [`${driver}.process`, ''],
        [`${driver}.required`, 'false'],
      ]
    }
    if (driver.startsWith('merge.')) return [[`${driver}.driver`, 'false']]
    if (!driver.startsWith('diff.')) return []
    return [
      [`${driver}.command`, ''],
      [`${driver}.textconv`, ''],
    ]
  })
}

/** Whether other settings come into force elsewhere, on another branch or in a linked work tree, unseen by a look here. */
export function hasConditionalIncludes(listing: Buffer): boolean {
  return listing
    .toString('utf8')
    .split('\0')
    .some((key) => key.startsWith('includeif.'))
}
