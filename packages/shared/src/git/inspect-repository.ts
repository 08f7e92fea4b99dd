import { dirname, join, relative, sep } from 'node:path'
import type { CaptureOutcome } from '../process/index.ts'
import { inspectPath, isBelow, readRealPath } from '../store/index.ts'
import { executeGit } from './execute-git.ts'
import { disableDrivers, hasConditionalIncludes, listDriversArgs } from './find-drivers.ts'
import { buildGitEnvironment, type GitLocation } from './git-environment.ts'
import { isAtLeast, MINIMUM_GIT_VERSION, parseGitVersion } from './git-version.ts'
import type { GitRepository } from './repository.ts'

export type RepositoryInspection =
  | { readonly kind: 'repository'; readonly repository: GitRepository }
  | { readonly kind: 'not_a_repository' }
  | { readonly kind: 'git_missing' }
  | { readonly kind: 'git_too_old'; readonly version: string }
  /** There is a repository, but git cannot or must not work with it. */
  | { readonly kind: 'failed'; readonly message: string }

/** Finds the repository that a directory belongs to: at its top, in a subdirectory, a linked work tree, or bare. */
export async function inspectRepository(path: string): Promise<RepositoryInspection> {
  const facts = inspectPath(path)
  if (facts.kind === 'missing' || facts.kind === 'unreadable') {
    return { kind: 'failed', message: `${path} cannot be read` }
  }
  const directory = readRealPath(path)
  const version = await readVersion(directory)
  if (version.kind !== 'ok') return version
  return inspectDirectory(directory)
}

async function readVersion(
  cwd: string,
): Promise<{ kind: 'ok' } | Exclude<RepositoryInspection, { kind: 'repository' }>> {
  const outcome = await executeGit({
    args: ['--version'],
    cwd,
    env: buildGitEnvironment(undefined),
  })
  if (outcome.kind === 'spawn_failed') return { kind: 'git_missing' }
  const version = outcome.kind === 'exited' ? parseGitVersion(outcome.stdout.toString()) : undefined
  if (version === undefined) return { kind: 'failed', message: 'git does not tell its version' }
  return isAtLeast(version, MINIMUM_GIT_VERSION) ? { kind: 'ok' } : { kind: 'git_too_old', version }
}

async function inspectDirectory(directory: string): Promise<RepositoryInspection> {
  const found = await discover(directory)
  if (found.kind !== 'found') return found
  const { location, facts } = found
  const [common, top, head, drivers] = await Promise.all([
    ask(directory, ['rev-parse', '--path-format=absolute', '--git-common-dir'], location),
    ask(directory, ['rev-parse', '--show-toplevel'], location),
    ask(directory, ['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], location),
    ask(directory, listDriversArgs, location),
  ])
  const root = facts.bare ? facts.gitDir : readPath(top)
  const commonDir = readPath(common)
  const headId = readHead(head)
  // Exit code 1 of `git config` means that nothing matched.
  const driverListing = readStdout(drivers, [0, 1])
  if (root === undefined) return describeProblem(top)
  if (commonDir === undefined) return describeProblem(common)
  if (headId === undefined) return describeProblem(head)
  if (driverListing === undefined) return describeProblem(drivers)
  if (!facts.bare && !isBelow(root, directory)) {
    const message = `core.worktree of ${facts.gitDir} leads to ${root}, which does not hold ${directory}`
    return { kind: 'failed', message }
  }
  if (hasConditionalIncludes(driverListing)) {
    const message =
      `${commonDir}/config includes other files under conditions (includeIf), ` +
      'which could name programs to run later; write those settings out or remove them'
    return { kind: 'failed', message }
  }
  const overrides = disableDrivers(driverListing)
  const prefix = relative(root, directory).split(sep).join('/')
  return {
    kind: 'repository',
    repository: {
      ...facts,
      root,
      commonDir,
      head: headId === '' ? null : headId,
      prefix: facts.bare ? '' : prefix,
      overrides,
    },
  }
}

type Facts = Pick<GitRepository, 'gitDir' | 'bare' | 'shallow' | 'objectFormat'>

const factsArgs = [
  'rev-parse',
  '--is-bare-repository',
  '--is-shallow-repository',
  '--show-object-format',
  // Last, because a path may hold newlines.
  '--absolute-git-dir',
]

async function discover(
  directory: string,
): Promise<
  | { kind: 'found'; location: GitLocation | undefined; facts: Facts }
  | Exclude<RepositoryInspection, { kind: 'repository' }>
> {
  const searched = await ask(directory, factsArgs)
  const facts = parseFacts(searched)
  if (facts !== undefined) return { kind: 'found', location: undefined, facts }
  if (!holdsGitEntry(directory) && !looksBare(directory)) return { kind: 'not_a_repository' }
  if (!looksBare(directory)) return describeProblem(searched)

  const location = { gitDir: directory, root: null }
  const explicit = await ask(directory, factsArgs, location)
  const bareFacts = parseFacts(explicit)
  return bareFacts === undefined
    ? describeProblem(explicit)
    : { kind: 'found', location, facts: bareFacts }
}

function ask(
  cwd: string,
  args: readonly string[],
  location?: GitLocation,
): Promise<CaptureOutcome> {
  return executeGit({ args, cwd, env: buildGitEnvironment(location) })
}

function parseFacts(outcome: CaptureOutcome): Facts | undefined {
  const text = readStdout(outcome)?.toString('utf8')
  const match = /^(?<bare>\w+)\n(?<shallow>\w+)\n(?<format>\w+)\n(?<gitDir>[^]+)\n$/.exec(
    text ?? '',
  )
  const { bare, shallow, format, gitDir } = match?.groups ?? {}
  if (gitDir === undefined || (format !== 'sha1' && format !== 'sha256')) return undefined
  return {
    gitDir: readRealPath(gitDir),
    bare: bare === 'true',
    shallow: shallow === 'true',
    objectFormat: format,
  }
}

/** The id; empty when HEAD has no commit yet; undefined when git could not say. */
function readHead(outcome: CaptureOutcome): string | undefined {
  return readStdout(outcome, [0, 1])?.toString('utf8').trim()
}

function readPath(outcome: CaptureOutcome): string | undefined {
  const text = readStdout(outcome)?.toString('utf8')
  return text === undefined ? undefined : readRealPath(text.replace(/\n$/, ''))
}

function readStdout(
  outcome: CaptureOutcome,
  exitCodes: readonly number[] = [0],
): Buffer | undefined {
  if (outcome.kind !== 'exited' || outcome.exitCode === null) return undefined
  return exitCodes.includes(outcome.exitCode) ? outcome.stdout : undefined
}

function describeProblem(outcome: CaptureOutcome): { kind: 'failed'; message: string } {
  if (outcome.kind === 'spawn_failed') return { kind: 'failed', message: outcome.message }
  if (outcome.kind !== 'exited') return { kind: 'failed', message: 'git did not answer' }
  const message = outcome.stderr.trim() || `git ended with exit code ${outcome.exitCode}`
  return { kind: 'failed', message }
}

function holdsGitEntry(directory: string): boolean {
  if (inspectPath(join(directory, '.git')).kind !== 'missing') return true
  const parent = dirname(directory)
  return parent !== directory && holdsGitEntry(parent)
}

function looksBare(directory: string): boolean {
  return (
    inspectPath(join(directory, 'HEAD')).kind === 'file' &&
    inspectPath(join(directory, 'objects')).kind === 'directory'
  )
}
