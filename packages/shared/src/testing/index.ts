export { type CliWorker, startCliWorker, type WorkerCall, type WorkerReply } from './cli-worker.ts'
export { createFakeClock, type FakeClock } from './fake-clock.ts'
export {
  type DecideReply,
  type ProviderCall,
  type ProviderReply,
  type ProviderServer,
  startProviderServer,
} from './provider-server.ts'
export {
  replyAnthropicError,
  replyCodexPlanLimit,
  replyCreditExhausted,
  replyModelGone,
  replyOverloaded,
  replyPlanLimit,
  replyRateLimited,
  replyTooLarge,
  replyUnauthorized,
} from './replies.ts'
export type { ScriptedAnswer, ScriptedToolCall } from './wire-format.ts'
