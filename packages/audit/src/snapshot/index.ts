export { countLines } from './classify-content.ts'
export { isNestedTooDeep } from './measure-nesting.ts'
export { readSnapshotText, type SnapshotText } from './read-snapshot-text.ts'
export {
  type ExcludedPath,
  type FileKind,
  fileKinds,
  type Snapshot,
  type SnapshotFile,
} from './snapshot.ts'
export { type SnapshotOptions, takeSnapshot } from './take-snapshot.ts'
export { describeDisposition, describeManifest } from './render-manifest.ts'
