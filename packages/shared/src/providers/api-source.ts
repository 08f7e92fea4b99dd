import type { SourceConfig } from '../config/index.ts'
import type { LaunchContext } from './provider.ts'

const DEFAULT_IDLE_MS = 300_000

/** What is wrong with the endpoint, model or key of a source that is an HTTP API; null: nothing. */
export function checkApiSource(
  source: SourceConfig,
  { environment }: LaunchContext,
): string | null {
  const { endpoint, model, api_key_env: variable } = source
  if (endpoint !== undefined && !URL.canParse(endpoint)) {
    return `its endpoint ${endpoint} is not a URL`
  }
  if (model === undefined) return 'it needs a model'
  if (variable !== undefined && !environment[variable]) {
    return `the environment variable ${variable} is not set`
  }
  return null
}

export function readApiKey(
  { api_key_env: variable }: SourceConfig,
  { environment }: LaunchContext,
): string | undefined {
  return variable === undefined ? undefined : environment[variable]
}

/** Longest time without a byte; `parameters.idle_timeout_ms` of the source says otherwise. */
export function readIdleMs({ parameters }: SourceConfig, fallbackMs = DEFAULT_IDLE_MS): number {
  const value = parameters?.['idle_timeout_ms']
  return typeof value === 'number' && value > 0 ? value : fallbackMs
}
