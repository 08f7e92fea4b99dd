import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { z } from 'zod'
import { readSystemErrorCode } from '../core/index.ts'
import { readProcessStat } from './process-table.ts'

/** Names one process of one boot of one machine, and one owner inside it. */
export interface OwnerIdentity {
  readonly machineId: string
  readonly bootId: string
  readonly pidNamespace: string
  readonly pid: number
  /** Clock ticks after boot at which the process started; `unknown` where that is not cheap to learn. */
  readonly startTime: string
  /** Tells apart several owners inside one process. */
  readonly instance: string
}

/** `unknown` where it cannot be proved: another machine or container, or a system without a cheap start time. */
export type OwnerState = 'alive' | 'dead' | 'unknown'

/** Stands for a fact that this system does not tell. */
const unknownFact = 'unknown'

/** An owner as it stands on disk. */
export const OwnerSchema = z
  .strictObject({
    machine_id: z.string().describe('Which machine'),
    boot_id: z.string().describe('Which boot of it'),
    pid_namespace: z.string().describe('In which the pid is valid'),
    pid: z.int().positive().describe('The process'),
    start_time: z.string().describe('Clock ticks after boot at which it started'),
    instance: z.string().describe('Which owner inside the process'),
  })
  .describe('A process that owns something')

type OwnerRecord = z.infer<typeof OwnerSchema>

export function renderOwner(owner: OwnerIdentity): OwnerRecord {
  return {
    machine_id: owner.machineId,
    boot_id: owner.bootId,
    pid_namespace: owner.pidNamespace,
    pid: owner.pid,
    start_time: owner.startTime,
    instance: owner.instance,
  }
}

/** Reads an owner from disk; undefined for anything that cannot name a process, such as pid 0, -1 or 1.5. */
export function parseOwner(value: unknown): OwnerIdentity | undefined {
  const parsed = OwnerSchema.safeParse(value)
  if (!parsed.success) return undefined
  const record = parsed.data
  return {
    machineId: record.machine_id,
    bootId: record.boot_id,
    pidNamespace: record.pid_namespace,
    pid: record.pid,
    startTime: record.start_time,
    instance: record.instance,
  }
}

let ownProcess: Omit<OwnerIdentity, 'instance'> | undefined

/** The identity of this process, for the owner `instance` inside it. */
export function describeOwner(instance: string): OwnerIdentity {
  ownProcess ??= {
    machineId: readMachineId(),
    bootId: readFact('/proc/sys/kernel/random/boot_id') ?? unknownFact,
    pidNamespace: readPidNamespace(),
    pid: process.pid,
    startTime: readProcessStat('self')?.startTime ?? unknownFact,
  }
  return { ...ownProcess, instance }
}

/**
 * Whether the process of an owner lives. On Linux this is exact: a stopped or sleeping process lives, a zombie is dead,
 * another process with the same pid is not it. Elsewhere only a pid that is gone is proof.
 */
export function probeOwner(owner: OwnerIdentity): OwnerState {
  if (!Number.isSafeInteger(owner.pid) || owner.pid <= 0) return 'dead'
  const own = describeOwner(owner.instance)
  if (owner.machineId !== own.machineId) return 'unknown'
  if (owner.bootId !== own.bootId) return 'dead'
  if (owner.pidNamespace !== own.pidNamespace) return 'unknown'

  const stat = readProcessStat(owner.pid)
  if (stat === undefined) return isPidFree(owner.pid) ? 'dead' : 'unknown'
  if (owner.startTime === unknownFact) return 'unknown'
  return stat.startTime === owner.startTime && !'ZX'.includes(stat.state) ? 'alive' : 'dead'
}

/** `/proc` may hide the processes of other users, so a missing entry there is no proof by itself. */
function isPidFree(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return readSystemErrorCode(error) === 'ESRCH'
  }
}

function readMachineId(): string {
  // An image of a container often has no id of its own; its host name is then the best there is.
  const id = readFact('/etc/machine-id') ?? readFact('/var/lib/dbus/machine-id')
  return id ?? `${process.platform}:${hostname()}`
}

function readPidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch (error) {
    if (readSystemErrorCode(error) === undefined) throw error
    return unknownFact
  }
}

function readFact(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'latin1').trim()
    return text === '' ? undefined : text
  } catch (error) {
    if (readSystemErrorCode(error) === undefined) throw error
    return undefined
  }
}
