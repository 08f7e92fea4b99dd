import { ExitCode } from './exit-code.ts'

/**
 * Every way in which a command cannot go on. The code is stable, has a page under `docs/errors/` and decides the exit
 * code; the message says what happened, with the value, then what to do.
 */
export const errorInfo = {
  'usage-invalid': { exitCode: ExitCode.Usage, title: 'The command line is not understood' },
  'config-invalid': { exitCode: ExitCode.Usage, title: 'The configuration is not valid' },
  'config-untrusted': {
    exitCode: ExitCode.Usage,
    title: 'The repository names something that needs your trust',
  },
  'root-invalid': { exitCode: ExitCode.Usage, title: 'The root is not a directory to audit' },
  'path-outside-root': { exitCode: ExitCode.Usage, title: 'A path leads outside the root' },
  'input-invalid': { exitCode: ExitCode.Usage, title: 'An input file is not what was expected' },
  'run-not-found': { exitCode: ExitCode.Usage, title: 'There is no such run' },
  'git-unusable': { exitCode: ExitCode.Environment, title: 'Git is missing, too old or failing' },
  'store-unwritable': { exitCode: ExitCode.Environment, title: 'A file cannot be written' },
  'store-unreadable': { exitCode: ExitCode.Environment, title: 'A file cannot be read' },
  'store-corrupt': { exitCode: ExitCode.Environment, title: 'A state file is damaged' },
  'state-untrusted': {
    exitCode: ExitCode.Usage,
    title: 'The state in the repository was not made by you',
  },
  'lock-timeout': { exitCode: ExitCode.Environment, title: 'A lock was not free in time' },
  'provider-unusable': { exitCode: ExitCode.Environment, title: 'A provider cannot be used' },
  'driver-refused': { exitCode: ExitCode.Usage, title: 'Another driver holds the run' },
  'internal-fault': { exitCode: ExitCode.Internal, title: 'A fault of this tool' },
} as const satisfies Record<string, { exitCode: ExitCode; title: string }>

export type ErrorCode = keyof typeof errorInfo

/** Marks our errors, so that two copies of this package in one process still recognise each other's. */
const BRAND = Symbol.for('@audit-tools/error')

export interface ErrorOptionsWithDetails {
  /** Values a program may want, such as `{ path }`. Never secrets. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** Thrown when a command cannot go on; what can be expected is a return value with a `kind` instead. */
export class AuditToolsError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>
  readonly [BRAND] = true

  constructor(code: ErrorCode, message: string, options: ErrorOptionsWithDetails = {}) {
    super(message, { cause: options.cause })
    this.name = 'AuditToolsError'
    this.code = code
    this.details = options.details ?? {}
  }
}

export function isAuditToolsError(value: unknown): value is AuditToolsError {
  return typeof value === 'object' && value !== null && BRAND in value
}

/** For the end of an exhaustive switch: a type error when a case is missing, a fault when one slips through. */
export function unreachable(value: never): never {
  throw new AuditToolsError('internal-fault', `unexpected value ${JSON.stringify(value)}`)
}

/** The `code` of a Node system error (`ENOENT`), or undefined for anything else. */
export function readSystemErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** The message of anything that was thrown. */
export function readErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
