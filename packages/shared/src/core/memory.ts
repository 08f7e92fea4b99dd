import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const MEGABYTE = 1024 * 1024

/** Below this nothing is done. */
const CEILING_BYTES = 350 * MEGABYTE

/** How much may come on top of what was left after the last collection. */
const GROWTH_BYTES = 60 * MEGABYTE

/** Text that a pass works on between two looks at the size of the process. */
const BYTES_PER_LOOK = MEGABYTE / 4

let passedBytes = 0
let nextBytes = CEILING_BYTES
let collect: Collect | undefined

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * To be called for each text of a long pass, with its size. On a machine with much memory V8 lets the garbage of parsers grow past a
 * gigabyte, and the native trees behind it too; this collects it when the process has become large.
 */
export function limitGarbage(bytes: number): void {
  passedBytes += bytes
  if (passedBytes < BYTES_PER_LOOK) return
  passedBytes = 0
  collectIfLarge()
}

/** The same for a step that makes much garbage at once, such as writing a large file. */
export function collectIfLarge(): void {
  if (process.memoryUsage.rss() < nextBytes) return
  collect ??= exposeCollector()
  // The last-resort flavour also gives pages back to the system.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  nextBytes = Math.max(CEILING_BYTES, process.memoryUsage.rss() + GROWTH_BYTES)
}

/** Node has no other way to collect without a flag on its command line. */
function exposeCollector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}

/**
 * A copy of plain data whose strings stand by themselves. A part that was cut out of a text keeps the whole text alive in
 * V8, so a few quotes can hold every file of a repository in memory.
 */
export function detach<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value
}
