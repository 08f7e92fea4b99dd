export {
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
