import { compareText, groupBy } from '@audit-tools/shared/core'
import { z } from 'zod'

import { fileKinds, type Snapshot } from './snapshot.ts'

const MANIFEST_VERSION = 'audit-code-manifest/v1alpha1'
const DISPOSITION_VERSION = 'audit-code-disposition/v1alpha1'

/** `repo_manifest.json`: every file in scope, one row each. */
export const RepoManifestSchema = z.strictObject({
  contract_version: z.literal(MANIFEST_VERSION).describe('Shape of this file'),
  commit: z.string().nullable().describe('HEAD, or null without one'),
  tree_hash: z.string().describe('Equal for equal trees'),
  file_count: z.int().nonnegative().describe('Files in scope'),
  byte_count: z.int().nonnegative().describe('Their bytes'),
  line_count: z.int().nonnegative().describe('Their lines'),
  untracked_skipped: z.int().nonnegative().describe('Untracked files that were left out'),
  unmatched_rules: z.array(z.string()).describe('Exclusion rules that matched nothing'),
  files: z
    .array(z.tuple([z.string(), z.int(), z.int(), z.string(), z.string().nullable()]))
    .describe('Path, bytes, lines, content hash, language'),
})

export type RepoManifest = z.infer<typeof RepoManifestSchema>

/** `file_disposition.json`: what each file is for, and what is left out and why. */
export const FileDispositionSchema = z.strictObject({
  contract_version: z.literal(DISPOSITION_VERSION).describe('Shape of this file'),
  in_scope: z
    .array(
      z.strictObject({
        kind: z.enum(fileKinds).describe('What the files are for'),
        reason: z.string().describe('The rule that says so'),
        paths: z.array(z.string()),
      }),
    )
    .describe('Files in scope, grouped'),
  excluded: z
    .array(
      z.strictObject({
        reason: z.string().describe('Why they are not audited'),
        paths: z.array(z.string()),
      }),
    )
    .describe('Paths out of scope, grouped'),
})

export type FileDisposition = z.infer<typeof FileDispositionSchema>

export function describeManifest(snapshot: Snapshot): RepoManifest {
  const { files } = snapshot
  return {
    contract_version: MANIFEST_VERSION,
    commit: snapshot.commit,
    tree_hash: snapshot.treeHash,
    file_count: files.length,
    byte_count: files.reduce((sum, file) => sum + file.bytes, 0),
    line_count: files.reduce((sum, file) => sum + file.lines, 0),
    untracked_skipped: snapshot.untrackedSkipped,
    unmatched_rules: [...snapshot.unmatchedRules],
    files: files.map(({ path, bytes, lines, hash, language }) => [
      path,
      bytes,
      lines,
      hash,
      language,
    ]),
  }
}

export function describeDisposition({ files, excluded }: Snapshot): FileDisposition {
  const kinds = groupBy(files, ({ kind, kindReason }) => `${kind}\0${kindReason}`)
  const reasons = groupBy(excluded, ({ reason }) => reason)
  return {
    contract_version: DISPOSITION_VERSION,
    in_scope: [...kinds.values()]
      .flatMap((group) => {
        const [first] = group
        if (!first) return []
        const { kind, kindReason: reason } = first
        return [{ kind, reason, paths: group.map(({ path }) => path) }]
      })
      .toSorted(
        (left, right) =>
          fileKinds.indexOf(left.kind) - fileKinds.indexOf(right.kind) ||
          compareText(left.reason, right.reason),
      ),
    excluded: [...reasons]
      .map(([reason, group]) => ({ reason, paths: group.map(({ path }) => path) }))
      .toSorted((left, right) => compareText(left.reason, right.reason)),
  }
}
