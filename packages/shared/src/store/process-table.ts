import { readdirSync, readFileSync } from 'node:fs'
import { readSystemErrorCode } from '../core/index.ts'

/** What Linux says about one process in `/proc/<pid>/stat`. */
export interface ProcessStat {
  readonly pid: number
  /** `R`, `S`, `D`, `T`, `Z` (zombie), `X` (dead), ... */
  readonly state: string
  readonly parentPid: number
  readonly groupId: number
  readonly sessionId: number
  /** Clock ticks after boot at which it started; with the pid it names one process for ever. */
  readonly startTime: string
}

/** Reads one process; undefined when it is gone, when it may not be seen, or where there is no `/proc`. */
export function readProcessStat(pid: number | 'self'): ProcessStat | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch (error) {
    if (readSystemErrorCode(error) === undefined) throw error
    return undefined
  }
  return parseProcessStat(text)
}

/** Parses a line of `/proc/<pid>/stat`; the name in parentheses may itself hold blanks and parentheses. */
export function parseProcessStat(text: string): ProcessStat | undefined {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, parentPid, groupId, sessionId] = fields
  const startTime = fields[19]
  if (state === undefined || startTime === undefined) return undefined
  return {
    pid: Number.parseInt(text, 10),
    state,
    parentPid: Number(parentPid),
    groupId: Number(groupId),
    sessionId: Number(sessionId),
    startTime,
  }
}

/** Every process that can be seen; empty where there is no `/proc`. */
export function listProcesses(): ProcessStat[] {
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch (error) {
    if (readSystemErrorCode(error) === undefined) throw error
    return []
  }
  return names
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcessStat(Number(name)))
    .filter((stat) => stat !== undefined)
}

/** The environment that a process was started with, as `NAME=value` separated by NUL; undefined when it is not shown. */
export function readProcessEnvironment(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch (error) {
    if (readSystemErrorCode(error) === undefined) throw error
    return undefined
  }
}
