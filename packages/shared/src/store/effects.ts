import * as fs from 'node:fs'
import { readEnvironment } from '../core/index.ts'
import { type FaultPlan, parseFaultPlan } from './fault-plan.ts'

/*
 * Every change that the product makes to a file system passes through here, one synchronous effect at a time. Errors are
 * the raw system errors: callers know which codes they expect and turn the others into typed ones.
 */

/** Effects that need room on the disk and so can fail when it is full. */
const spaceTaking = new Set(['write', 'append', 'mkdir'])

let plan: FaultPlan | undefined | 'unread' = 'unread'
let effectCount = 0
let writeCount = 0

function perform<Result>(name: string, path: string, act: () => Result): Result {
  if (plan === 'unread') plan = parseFaultPlan(readEnvironment())
  if (plan === undefined) return act()

  effectCount += 1
  if (plan.logPath) fs.appendFileSync(plan.logPath, `${effectCount} ${name} ${path}\n`)
  const crashes = plan.crash?.effect === effectCount
  if (crashes && plan.crash?.when === 'before') crash()
  if (spaceTaking.has(name)) failWhenPlanned(plan, name, path)
  try {
    return act()
  } finally {
    if (crashes) crash()
  }
}

function crash(): void {
  process.kill(process.pid, 'SIGKILL')
}

function failWhenPlanned({ failWrites }: FaultPlan, name: string, path: string): void {
  writeCount += 1
  if (failWrites === undefined || writeCount < failWrites.from) return
  const { code } = failWrites
  throw Object.assign(new Error(`${code}: injected failure, ${name} '${path}'`), { code, path })
}

/** Creates a file that must not exist, with all of `data`; to disk before it returns when `durable`. */
export function createFile(path: string, data: string | Uint8Array, durable: boolean): void {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  writeOpened({ name: 'write', path, flags: 'wx', durable }, (opened) => writeAll(opened, bytes))
}

/** Appends `data` with one write, so that concurrent appenders never mix; returns the bytes that were written. */
export function appendToFile(path: string, data: Uint8Array, durable: boolean): number {
  return writeOpened({ name: 'append', path, flags: 'a', durable }, (opened) =>
    fs.writeSync(opened, data),
  )
}

/** Opening creates the file, so it belongs to the effect. */
function writeOpened<Result>(
  { name, path, flags, durable }: { name: string; path: string; flags: string; durable: boolean },
  write: (descriptor: number) => Result,
): Result {
  let descriptor = -1
  try {
    const result = perform(name, path, () => {
      descriptor = fs.openSync(path, flags)
      return write(descriptor)
    })
    if (durable) perform('fsync', path, () => fs.fsyncSync(descriptor))
    return result
  } finally {
    if (descriptor !== -1) fs.closeSync(descriptor)
  }
}

/** Makes the entries of a directory durable. Windows has no such call and needs none. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return
  perform('fsync', path, () => {
    const descriptor = fs.openSync(path, 'r')
    try {
      fs.fsyncSync(descriptor)
    } finally {
      fs.closeSync(descriptor)
    }
  })
}

export function rename(from: string, to: string): void {
  perform('rename', to, () => fs.renameSync(from, to))
}

export function link(existing: string, path: string): void {
  perform('link', path, () => fs.linkSync(existing, path))
}

export function unlink(path: string): void {
  perform('unlink', path, () => fs.unlinkSync(path))
}

/** Makes one directory; its parent must exist. */
export function mkdir(path: string): void {
  perform('mkdir', path, () => fs.mkdirSync(path))
}

/** Makes a directory and its missing parents. */
export function mkdirWithParents(path: string): void {
  perform('mkdir', path, () => fs.mkdirSync(path, { recursive: true }))
}

/** Removes an empty directory. */
export function rmdir(path: string): void {
  perform('rmdir', path, () => fs.rmdirSync(path))
}

/** Removes a directory with everything in it. */
export function removeTree(path: string): void {
  perform('rmtree', path, () => fs.rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
}

export function setTimes(path: string, accessedAt: Date, modifiedAt: Date): void {
  perform('utimes', path, () => fs.utimesSync(path, accessedAt, modifiedAt))
}

/** Opens a log for streamed output. Counted as one effect; what is streamed into it later is not. */
export function openForStreaming(path: string): number {
  return perform('write', path, () => fs.openSync(path, 'w'))
}

/** Writes a streamed chunk, whole. Not counted: how output is cut into chunks is not repeatable. */
export function writeChunk(descriptor: number, chunk: Uint8Array): void {
  writeAll(descriptor, chunk)
}

/** Much faster than Node's own `writeFileSync` on a descriptor, and claims write thousands of files a second. */
function writeAll(descriptor: number, data: Uint8Array): void {
  for (let offset = 0; offset < data.byteLength;) {
    offset += fs.writeSync(descriptor, data, offset)
  }
}

export function close(descriptor: number): void {
  fs.closeSync(descriptor)
}
