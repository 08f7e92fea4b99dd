import { join, relative } from 'node:path'

import { AuditToolsError, hashContent, type Random } from '@audit-tools/shared/core'
import { type GitRepository, runGit } from '@audit-tools/shared/git'
import {
  inspectPath,
  makeDirectory,
  readFileText,
  readOptionalJsonFile,
  removeDirectory,
  writeFileAtomic,
  writeJsonFile,
} from '@audit-tools/shared/store'
import { z } from 'zod'

import type { AuditLayout } from './layout.ts'
import type { AuditSession } from './open-session.ts'

/** Says which machine's user made this state: a copy is kept outside the repository, where no commit reaches. */
const OwnerSchema = z.strictObject({
  token: z
    .string()
    .min(16)
    .describe('Random text, the same here and in the user’s state directory'),
})

export interface OpenArtifactsOptions {
  readonly layout: AuditLayout
  readonly repository: GitRepository | null
  readonly stateDirectory: string
  readonly random: Random
  /** Take over state that this user did not make; only ever by the user's own command. */
  readonly adopt?: boolean
}

/**
 * Makes the artifacts directory, or checks that the one that is there was made by this user: state that came with the
 * repository could claim results that nobody produced. Throws `state-untrusted` and `store-unwritable`.
 */
export async function openArtifacts(options: OpenArtifactsOptions): Promise<void> {
  const { layout, repository, stateDirectory, random } = options
  if (repository !== null) await refuseTracked(layout, repository)
  const ownerFile = join(layout.directory, 'owner.json')
  const knownFile = join(stateDirectory, 'roots', `${hashContent(layout.directory)}.json`)
  const claimed = readOptionalJsonFile(ownerFile, OwnerSchema)
  const known = readOptionalJsonFile(knownFile, OwnerSchema)
  const trusted = claimed !== undefined && claimed.token === known?.token
  if (trusted) return
  if (options.adopt !== true) {
    const foreign = listWeighty(layout).find((path) => inspectPath(path).kind !== 'missing')
    if (foreign !== undefined) refuseForeign(foreign)
    // What a stranger may have put into a cache is not used; it can be computed again.
    removeDirectory(layout.cacheDirectory)
  }
  const owner = { token: random.hex(32) }
  makeDirectory(join(stateDirectory, 'roots'))
  makeDirectory(layout.directory)
  keepOutOfGit(layout)
  writeJsonFile(knownFile, owner)
  writeJsonFile(ownerFile, owner)
}

/** `openArtifacts` for the repository of a session; every command that writes state calls it first. */
export async function openSessionArtifacts(session: AuditSession, random: Random): Promise<void> {
  const { layout, repository, stateDirectory } = session
  await openArtifacts({ layout, repository, stateDirectory, random })
}

/** `.audit-tools/.gitignore` with `*` hides the folder from git without touching any file of the repository. */
function keepOutOfGit({ toolDirectory, directory }: AuditLayout): void {
  const ours = relative(toolDirectory, directory)
  const home = ours.startsWith('..') ? directory : toolDirectory
  const file = join(home, '.gitignore')
  const reading = readFileText(file)
  if (reading.kind === 'ok' && reading.text.split('\n').includes('*')) return
  writeFileAtomic(file, '*\n')
}

async function refuseTracked(layout: AuditLayout, repository: GitRepository): Promise<void> {
  const { root, toolDirectory } = layout
  const folder = relative(root, toolDirectory)
  const pathspec = repository.prefix === '' ? folder : `${repository.prefix}/${folder}`
  const output = await runGit(repository, ['ls-files', '-z', '--', pathspec])
  const [first] = output.toString('utf8').split('\0')
  if (first === undefined || first === '') return
  throw new AuditToolsError(
    'state-untrusted',
    `${folder}/ is tracked by git (${first}); state that comes with a repository is not used. ` +
      `Remove it from the repository: git rm -r --cached ${folder}/`,
    { details: { path: toolDirectory } },
  )
}

/** State that could hide a finding or claim a review that nobody did. */
function listWeighty(layout: AuditLayout): string[] {
  return [layout.runsDirectory, layout.dismissals, layout.baseline, layout.importsDirectory]
}

function refuseForeign(path: string): never {
  throw new AuditToolsError(
    'state-untrusted',
    `${path} was not made by this user account; it is not used. ` +
      'If it is yours, run `audit-code trust --state`; else move it away',
    { details: { path } },
  )
}
