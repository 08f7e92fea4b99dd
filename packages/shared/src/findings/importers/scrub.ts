/**
 * Makes a function that takes absolute directories of another machine out of every text of a value, so that `/home/ci/app/src/a.ts`
 * reads `src/a.ts`, and leaves of any other `file:` URI only the name.
 */
export function createScrubber(directories: readonly string[]): <Value>(value: Value) => Value {
  const prefixes = [...new Set(directories.map(normalise))]
    .filter((directory) => directory.length > 2)
    .toSorted((left, right) => right.length - left.length)
  const scrubText = (text: string): string => {
    let clean = text
    for (const prefix of prefixes) {
      clean = clean.replaceAll(`file://${prefix}`, '').replaceAll(prefix, '')
    }
    return clean.replaceAll(/file:\/\/[^\s"'<>)]*?([^\s"'<>)/]*)(?=$|[\s"'<>)])/g, '$1')
  }
  const scrub = (value: unknown): unknown => {
    if (typeof value === 'string') return scrubText(value)
    if (Array.isArray(value)) return value.map(scrub)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, scrub(item)]))
  }
  return <Value>(value: Value) => scrub(value) as Value
}

/** With a `/` at the end, so that `/home/ci/app` does not cut into `/home/ci/apple`. */
function normalise(directory: string): string {
  return directory.endsWith('/') ? directory : `${directory}/`
}
