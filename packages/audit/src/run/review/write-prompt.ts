import { join } from 'node:path'

import { makeDirectory, writeFileAtomic } from '@audit-tools/shared/store'

import { renderReviewPrompt, showFile, type WorkItem } from '../../review/index.ts'
import { readSnapshotText } from '../../snapshot/index.ts'
import type { Review } from './open-review.ts'
import { nameItemFile } from './review-files.ts'

export type PromptWriting =
  | { readonly kind: 'written'; readonly path: string; readonly text: string }
  /** A file is not what was planned: nothing that is said about it would hold. */
  | { readonly kind: 'changed'; readonly path: string }

function locatePrompt({ files }: Pick<Review, 'files'>, itemId: string): string {
  return join(files.prompts, `${nameItemFile(itemId)}.md`)
}

/** Writes the prompt of an item, made from the files as they were planned. Throws `store-unwritable`. */
export function writePrompt(review: Review, item: WorkItem): PromptWriting {
  const { packet } = item
  const shown = packet.files.filter(({ path }) => item.paths.includes(path))
  const files = []
  for (const file of shown) {
    const disk = file.disk_path === undefined ? {} : { diskPath: file.disk_path }
    const reading = readSnapshotText({ root: review.root }, { ...file, ...disk })
    if (reading.kind !== 'ok') return { kind: 'changed', path: file.path }
    files.push(...showFile(file, reading.text))
  }
  const text = renderReviewPrompt({
    packetId: item.id,
    lenses: packet.lenses,
    files,
    neighbours: packet.neighbours,
    leads: packet.leads.filter(({ path }) => item.paths.includes(path)),
    repairs: item.repairs,
  })
  const path = locatePrompt(review, item.id)
  makeDirectory(review.files.prompts)
  writeFileAtomic(path, text)
  return { kind: 'written', path, text }
}
