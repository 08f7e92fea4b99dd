export { runCanary, type CanaryOptions, type CanaryResult } from './canary.ts'
export {
  type ConfirmationAnswer,
  type ProviderConfirmation,
  readSharedProviderConfirmation,
  writeSharedProviderConfirmation,
} from './confirmation.ts'
export { type DiscoveredProvider, discoverProviders, type LoginState } from './discover.ts'
export { matchModel, type ModelMatch, refuseDowngrade } from './model-match.ts'
export {
  type AnswerFault,
  type Evidence,
  type LaunchContext,
  type LaunchOutcome,
  type LaunchRequest,
  type OutcomeClass,
  outcomeClasses,
  type Provider,
  type TokenUsage,
} from './provider.ts'
export { findProvider, providers } from './registry.ts'
