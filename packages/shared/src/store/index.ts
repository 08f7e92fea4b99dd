export { appendDurable, linkExclusive, writeFileAtomic, type WriteOptions } from './atomic-file.ts'
export { makeDirectory, removeDirectory, removeFile, renameFile } from './change-files.ts'
export { type DamagedLine, type EventLog, type EventLogReading, openEventLog } from './event-log.ts'
export {
  acquireLock,
  type FileLock,
  FileLockTimeoutError,
  type LockOptions,
  releaseLock,
  STALE_LOCK_MS,
  withFileLock,
} from './file-lock.ts'
export { type JsonReading, readJsonFile, readOptionalJsonFile, writeJsonFile } from './json-file.ts'
export { type OutputFile, openOutputFile } from './output-file.ts'
export {
  describeOwner,
  type OwnerIdentity,
  OwnerSchema,
  type OwnerState,
  parseOwner,
  probeOwner,
  renderOwner,
} from './owner.ts'
export {
  listProcesses,
  type ProcessStat,
  readProcessEnvironment,
  readProcessStat,
} from './process-table.ts'
export {
  type BytesReading,
  type DirectoryEntry,
  type DirectoryListing,
  type EntryKind,
  inspectPath,
  isExecutableFile,
  listDirectory,
  type PathFacts,
  readFileBytes,
  readFileText,
  type TextReading,
} from './read-file.ts'
export {
  ARTIFACTS_FOLDER,
  isBelow,
  readRealPath,
  resolveAnchor,
  resolveInsideRoot,
} from './root-path.ts'
export { resolveStateDirectory } from './state-directory.ts'
