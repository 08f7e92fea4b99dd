/** What may stand right before a path without being a part of it. */
const BEFORE = String.raw`(?<![\w.~\-/\\])(?:file:\/\/[^\s/]*)?\/?`
const REST = String.raw`[^\s"'<>()|;,]*`

/** Text of files of the tree: it must stay as it is to be found there. */
const EXACT = new Set(['quoted_text', 'fix'])

/** Absolute directories of the machine that wrote a file. */
export interface ForeignDirectories {
  /** Those that stand for the root of the tree. */
  readonly roots: readonly string[]
  /** Others that its paths lie in. */
  readonly others: readonly string[]
}

/**
 * Makes a function that takes the absolute paths of another machine out of every text of a value: `/home/ci/app/src/a.ts`
 * reads `src/a.ts` when `/home/ci/app` is a root. Of paths that only start like a known one (by two segments), and of any
 * `file:` URI, only the name stays.
 */
export function createScrubber({
  roots,
  others,
}: ForeignDirectories): <Value>(value: Value) => Value {
  const prefixes = listPrefixes(roots).toSorted((left, right) => right.length - left.length)
  const starts = listPrefixes([...roots, ...others], 2)
  const inside = prefixes.map((prefix) => new RegExp(`${BEFORE}${toPattern(prefix)}[\\\\/]+`, 'g'))
  const alike = [
    ...starts.map((start) => new RegExp(`${BEFORE}${toPattern(start)}[\\\\/]${REST}`, 'g')),
    new RegExp(`file:\\/\\/${REST}`, 'g'),
  ]
  const scrubText = (text: string): string => {
    let clean = text
    for (const pattern of inside) clean = clean.replace(pattern, '')
    for (const pattern of alike) clean = clean.replace(pattern, keepName)
    return clean
  }
  const scrub = (value: unknown): unknown => {
    if (typeof value === 'string') return scrubText(value)
    if (Array.isArray(value)) return value.map(scrub)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    return Object.fromEntries(
      entries.map(([key, item]) => [key, EXACT.has(key) ? item : scrub(item)]),
    )
  }
  return <Value>(value: Value) => scrub(value) as Value
}

/** Distinct directories without their slashes, or only their first segments. */
function listPrefixes(directories: readonly string[], depth?: number): string[] {
  const prefixes = directories.map((path) => listSegments(path).slice(0, depth).join('/'))
  return [...new Set(prefixes)].filter((prefix) => prefix !== '')
}

function listSegments(directory: string): string[] {
  return directory.split(/[\\/]/).filter((segment) => segment !== '')
}

/** A path as a pattern that takes either slash. */
function toPattern(path: string): string {
  return path
    .split('/')
    .map((segment) => segment.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join(String.raw`[\\/]+`)
}

function keepName(path: string): string {
  return listSegments(path).at(-1) ?? ''
}
