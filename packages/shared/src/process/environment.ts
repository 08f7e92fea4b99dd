import type { Environment } from '../core/index.ts'

/** What almost every program needs to run at all, and nothing that carries a secret. */
export const baseEnvironmentNames: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TERM',
  'TMPDIR',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'XDG_STATE_HOME',
  'APPDATA',
  'COMSPEC',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'WINDIR',
]

/** The named variables that are set: the only way an environment reaches a child. Windows ignores case in names. */
export function pickEnvironment(
  environment: Environment,
  names: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const normalize = (name: string): string => (platform === 'win32' ? name.toUpperCase() : name)
  const wanted = new Set(names.map(normalize))
  const picked: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && wanted.has(normalize(name))) picked[name] = value
  }
  return picked
}
