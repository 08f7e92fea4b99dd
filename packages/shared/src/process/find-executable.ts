import * as nativePath from 'node:path'
import type { Environment } from '../core/index.ts'
import { inspectPath, isExecutableFile } from '../store/index.ts'

/**
 * The absolute path of a program, found through `PATH`; undefined when there is none. Relative entries of `PATH` are
 * passed over, and so is the working directory: they could name a program that the audited repository brought along.
 */
export function findExecutable(name: string, environment: Environment): string | undefined {
  if (!nativePath.isAbsolute(name) && nativePath.basename(name) !== name) return undefined
  const suffixes =
    process.platform === 'win32'
      ? ['', ...(environment['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')]
      : ['']
  const directories = nativePath.isAbsolute(name)
    ? ['']
    : (environment['PATH'] ?? environment['Path'] ?? '')
        .split(nativePath.delimiter)
        .filter((directory) => nativePath.isAbsolute(directory))
  for (const directory of directories) {
    for (const suffix of suffixes) {
      const candidate = nativePath.join(directory, name + suffix)
      if (isExecutableFile(candidate) && !isStoreAlias(candidate)) return candidate
    }
  }
  return undefined
}

/**
 * Whether this is an empty stand-in of Windows, which opens its store instead of running a program (`python` on a machine
 * without Python).
 */
export function isStoreAlias(
  path: string,
  readBytes: (path: string) => number = countBytes,
): boolean {
  return /[\\/]Microsoft[\\/]WindowsApps[\\/][^\\/]+$/i.test(path) && readBytes(path) === 0
}

/** A stand-in that cannot be looked at counts as empty. */
function countBytes(path: string): number {
  const facts = inspectPath(path)
  return 'bytes' in facts ? facts.bytes : 0
}
