import { AuditToolsError, readErrorMessage, readSystemErrorCode } from '../core/index.ts'

/** What a person can do about a failed write, by system error code. */
const writeAdvice: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space and run again',
  EDQUOT: 'the disk quota of this user is used up; free some space and run again',
  EACCES: 'this user may not write there; change the permissions or run as the owner',
  EPERM: 'the system does not permit it; change the permissions or run as the owner',
  EROFS: 'the file system is read-only; mount it writable or set AUDIT_TOOLS_HOME elsewhere',
  EMFILE: 'this process has too many open files; raise `ulimit -n`',
  ENFILE: 'the system has too many open files; close other programs or raise the limit',
  ENAMETOOLONG: 'the path is too long for this file system; use a shorter root',
  ENOTDIR: 'a part of the path is a file, not a directory; move that file away',
  EISDIR: 'a directory is in its place; move that directory away',
  EIO: 'the disk reports an error; check the disk before running again',
}

/** The typed error for a change to `path` that failed. */
export function describeWriteFailure(path: string, error: unknown): AuditToolsError {
  const code = readSystemErrorCode(error)
  const advice = writeAdvice[code ?? ''] ?? 'check the path and run again'
  const reason = code ?? readErrorMessage(error)
  return new AuditToolsError('store-unwritable', `cannot write ${path} (${reason}): ${advice}`, {
    details: { path, ...(code ? { system_code: code } : {}) },
    cause: error,
  })
}

/** The typed error for a file that exists and cannot be read. */
export function describeReadFailure(path: string, error: unknown): AuditToolsError {
  const code = readSystemErrorCode(error)
  const advice =
    code === 'EACCES' || code === 'EPERM'
      ? 'this user may not read it; change the permissions or run as the owner'
      : 'check the file and run again'
  const reason = code ?? readErrorMessage(error)
  return new AuditToolsError('store-unreadable', `cannot read ${path} (${reason}): ${advice}`, {
    details: { path, ...(code ? { system_code: code } : {}) },
    cause: error,
  })
}
