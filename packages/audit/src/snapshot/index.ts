export {
  type ExcludedPath,
  type FileKind,
  fileKinds,
  type Snapshot,
  type SnapshotFile,
} from './snapshot.ts'
