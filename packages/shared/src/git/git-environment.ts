import { type Environment, readEnvironment } from '../core/index.ts'
import { pickEnvironment } from '../process/index.ts'

/** A setting that overrides every file, including the repository's own. */
export type ConfigOverride = readonly [key: string, value: string]

/*
 * The repository's own `.git/config` may come from anybody (an archive, a shared machine) and git would run programs named
 * in it. These settings, which outrank all files, take that away; drivers that carry a name of their own are added per
 * repository (`find-drivers.ts`).
 */
const fixedOverrides: readonly ConfigOverride[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  // Both default to files of the user, and a named pipe here would block git for ever.
  ['core.excludesFile', '/dev/null'],
  ['core.attributesFile', '/dev/null'],
  ['core.untrackedCache', 'false'],
  // With these at their strictest, content cannot change without its stat data telling.
  ['core.checkStat', 'default'],
  ['core.trustctime', 'true'],
  ['core.quotePath', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', ':'],
  ['core.sshCommand', 'false'],
  ['core.gitProxy', ''],
  ['credential.helper', ''],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['gpg.program', 'false'],
  ['diff.external', ''],
  ['diff.ignoreSubmodules', 'all'],
  ['submodule.recurse', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['protocol.allow', 'never'],
  ['protocol.ext.allow', 'never'],
  // Audits may run as another user than the owner of the files; nothing of the repository is run, so that is safe.
  ['safe.directory', '*'],
  // A directory inside the work tree that looks like a bare repository is data, not a repository.
  ['safe.bareRepository', 'explicit'],
]

/** Variables of git that a caller may set, to work on an index or with an identity of its own. */
export type GitVariables = Readonly<
  Partial<
    Record<
      | 'GIT_INDEX_FILE'
      | 'GIT_AUTHOR_NAME'
      | 'GIT_AUTHOR_EMAIL'
      | 'GIT_AUTHOR_DATE'
      | 'GIT_COMMITTER_NAME'
      | 'GIT_COMMITTER_EMAIL'
      | 'GIT_COMMITTER_DATE',
      string
    >
  >
>

/** Where a repository is; given to git outright so that it searches for nothing. */
export interface GitLocation {
  readonly gitDir: string
  readonly root: string | null
}

/** The whole environment of a git process: no variable of git from outside, no user or system settings, no network. */
export function buildGitEnvironment(
  location: GitLocation | undefined,
  overrides: readonly ConfigOverride[] = [],
  variables: GitVariables = {},
  environment: Environment = readEnvironment(),
): Record<string, string> {
  return {
    ...pickEnvironment(environment, ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT', 'WINDIR']),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'false',
    GIT_EDITOR: ':',
    GIT_PAGER: 'cat',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    ...renderOverrides([...fixedOverrides, ...overrides]),
    ...(location ? { GIT_DIR: location.gitDir } : {}),
    ...(location?.root ? { GIT_WORK_TREE: location.root } : {}),
    ...variables,
  }
}

/** As variables, because `-c` cannot carry a name that holds an equals sign. */
function renderOverrides(overrides: readonly ConfigOverride[]): Record<string, string> {
  const entries = overrides.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key] as const,
    [`GIT_CONFIG_VALUE_${index}`, value] as const,
  ])
  return { GIT_CONFIG_COUNT: String(overrides.length), ...Object.fromEntries(entries) }
}
