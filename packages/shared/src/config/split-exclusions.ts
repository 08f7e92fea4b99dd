import type { SessionConfig } from './session-config.ts'
import { providerNames } from './source-schema.ts'

/**
 * Tells what `exclude` leaves out: the name of a provider or the id of a source closes those backends, everything else is
 * a path pattern in gitignore syntax. A directory that is called like a provider is written with a slash: `codex/`.
 */
export function splitExclusions({ exclude, sources }: Pick<SessionConfig, 'exclude' | 'sources'>): {
  readonly backends: readonly string[]
  readonly paths: readonly string[]
} {
  const names = new Set<string>([...providerNames, ...sources.flatMap(({ id }) => id ?? [])])
  return {
    backends: exclude.filter((entry) => names.has(entry)),
    paths: exclude.filter((entry) => !names.has(entry)),
  }
}
