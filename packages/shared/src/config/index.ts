export { formatKeyPath, renderConfigSchema } from './config-keys.ts'
export { type ConfigOrigin, formatOrigin } from './config-layer.ts'
export { type EnvironmentKey, listEnvironmentKeys } from './environment-layers.ts'
export { type ConfigExplanation, explainConfig } from './explain-config.ts'
export { type LoadedConfig, loadSessionConfig, trustConfig } from './load-session-config.ts'
export { type ConfigOptions, resolveUserConfigPath } from './read-layers.ts'
export { looksLikeSecret } from './secret.ts'
export {
  type SessionConfig,
  type SessionConfigInput,
  SessionConfigSchema,
} from './session-config.ts'
export {
  type ProviderName,
  providerNames,
  type SourceConfig,
  SourceSchema,
} from './source-schema.ts'
export { splitExclusions } from './split-exclusions.ts'
export type { SensitiveValues } from './trust.ts'
