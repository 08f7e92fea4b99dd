import * as nativePath from 'node:path'
import type { Environment } from '../core/index.ts'
import { isExecutableFile } from '../store/index.ts'

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
      if (isExecutableFile(candidate)) return candidate
    }
  }
  return undefined
}
