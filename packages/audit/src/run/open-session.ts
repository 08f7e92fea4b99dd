import { join } from 'node:path'

import type { CommandContext } from '@audit-tools/shared/cli'
import {
  loadSessionConfig,
  type SessionConfig,
  type SessionConfigInput,
} from '@audit-tools/shared/config'
import { AuditToolsError } from '@audit-tools/shared/core'
import { type GitRepository, inspectRepository, MINIMUM_GIT_VERSION } from '@audit-tools/shared/git'
import {
  inspectPath,
  resolveAnchor,
  resolveInsideRoot,
  resolveStateDirectory,
} from '@audit-tools/shared/store'

import { type AuditLayout, planLayout } from './layout.ts'

/** One command's view of one repository. */
export interface AuditSession {
  readonly root: string
  readonly repository: GitRepository | null
  readonly config: SessionConfig
  readonly layout: AuditLayout
  readonly stateDirectory: string
  readonly version: string
}

/**
 * Finds the root, its repository and its configuration. Throws `root-invalid`, `git-unusable` and what loading the
 * configuration throws; changes nothing.
 */
export async function openSession(
  context: CommandContext,
  flags: SessionConfigInput = {},
): Promise<AuditSession> {
  const { root, repository } = await openRoot(context)
  const { common, environment, version } = context
  const { config } = loadSessionConfig({
    root,
    environment,
    flags,
    configPath: common.config,
    artifactsDir: common.artifactsDir,
  })
  const layout = planLayout(root, common.artifactsDir)
  const stateDirectory = resolveStateDirectory(environment)
  return { root, repository, config, layout, stateDirectory, version }
}

/** The directory to audit: `--root`, else the top of the repository that the caller stands in. */
export async function openRoot(
  context: CommandContext,
): Promise<{ root: string; repository: GitRepository | null }> {
  const named = context.common.root ?? resolveAnchor(context.cwd)
  if (inspectPath(join(named, '.')).kind !== 'directory') {
    throw new AuditToolsError('root-invalid', `${named} is not a directory. Name one with --root`, {
      details: { root: named },
    })
  }
  const repository = await openRepository(named)
  const inferred = context.common.root === undefined && repository !== null && !repository.bare
  const base = inferred ? repository.root : named
  const real = resolveInsideRoot(base, '.')
  const root = real.kind === 'inside' ? real.path : base
  // The prefix tells where the audited directory lies below the top.
  return { root, repository: inferred ? { ...repository, prefix: '' } : repository }
}

async function openRepository(path: string): Promise<GitRepository | null> {
  const inspection = await inspectRepository(path)
  switch (inspection.kind) {
    case 'repository':
      return inspection.repository
    case 'not_a_repository':
      return null
    case 'git_missing':
      if (findGitDirectory(path) === undefined) return null
      throw new AuditToolsError(
        'git-unusable',
        `${path} is a git repository and there is no git on PATH. Install git ${MINIMUM_GIT_VERSION} or newer`,
      )
    case 'git_too_old':
      throw new AuditToolsError(
        'git-unusable',
        `git ${inspection.version} is too old. Install git ${MINIMUM_GIT_VERSION} or newer`,
      )
    case 'failed':
      throw new AuditToolsError(
        'git-unusable',
        `git cannot work with ${path}: ${inspection.message}`,
      )
  }
}

/** Whether the directory or one above it looks like a repository, for a machine that has no git to ask. */
function findGitDirectory(path: string): string | undefined {
  const candidate = join(path, '.git')
  if (inspectPath(candidate).kind !== 'missing') return candidate
  const parent = join(path, '..')
  return parent === path ? undefined : findGitDirectory(parent)
}
