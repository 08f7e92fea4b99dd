export type { GitVariables } from './git-environment.ts'
export type { GitPath } from './git-path.ts'
export { MINIMUM_GIT_VERSION } from './git-version.ts'
export { hashBlob } from './hash-blob.ts'
export { inspectRepository, type RepositoryInspection } from './inspect-repository.ts'
export {
  listModified,
  listTrackedFiles,
  listUntrackedFiles,
  type ModifiedFile,
  type TrackedFile,
  type UntrackedFile,
} from './list-files.ts'
export { type HistoryCommit, type HistoryOptions, readHistory } from './read-history.ts'
export type { GitRepository } from './repository.ts'
export { type GitResult, runGit, type RunGitOptions, tryGit } from './run-git.ts'
