import { join } from 'node:path'

import { z } from 'zod'

import { compareText, type Environment, hashParts } from '../core/index.ts'
import { readOptionalJsonFile, resolveStateDirectory, writeJsonFile } from '../store/index.ts'

const ConfirmationSchema = z.strictObject({
  version: z.literal(1),
  root: z.string().describe('Real path of the repository'),
  confirmed_at: z.number().describe('Epoch milliseconds'),
  reach: z.array(z.string()).describe('Sources that may be used here'),
  exclude: z.array(z.string()).default([]).describe('Sources that may not, whatever is found'),
})

/** What a person allowed for one repository. */
export type ProviderConfirmation = z.output<typeof ConfirmationSchema>

/** `reconfirm`: something is within reach that nobody was asked about. */
export type ConfirmationAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'confirmed'; readonly confirmation: ProviderConfirmation }
  | {
      readonly kind: 'reconfirm'
      readonly confirmation: ProviderConfirmation
      readonly added: readonly string[]
    }

/** The user's file for one repository, shared by both tools and out of the repository's own reach. */
function locate(root: string, environment: Environment): string {
  const name = `${hashParts([root])}.json`
  return join(resolveStateDirectory(environment), 'provider-confirmations', name)
}

/**
 * Compares what was confirmed for a repository (by its real path) with the sources within reach now. Less than before
 * needs no new answer. Throws `store-corrupt` on a damaged file.
 */
export function readSharedProviderConfirmation(
  root: string,
  reach: readonly string[],
  environment: Environment,
): ConfirmationAnswer {
  const confirmation = readOptionalJsonFile(locate(root, environment), ConfirmationSchema)
  if (confirmation === undefined) return { kind: 'none' }
  const known = new Set([...confirmation.reach, ...confirmation.exclude])
  const added = reach.filter((id) => !known.has(id))
  return added.length === 0
    ? { kind: 'confirmed', confirmation }
    : { kind: 'reconfirm', confirmation, added }
}

/** Remembers what a person allowed for a repository. Throws `store-unwritable`. */
export function writeSharedProviderConfirmation(
  root: string,
  {
    reach,
    exclude,
    now,
  }: {
    readonly reach: readonly string[]
    readonly exclude: readonly string[]
    readonly now: number
  },
  environment: Environment,
): ProviderConfirmation {
  const confirmation: ProviderConfirmation = {
    version: 1,
    root,
    confirmed_at: now,
    reach: reach.toSorted(compareText),
    exclude: exclude.toSorted(compareText),
  }
  writeJsonFile(locate(root, environment), confirmation, { durable: true })
  return confirmation
}
