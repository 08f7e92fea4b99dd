export { parseReply } from './parse-reply.ts'
export { judgeReply, type ReplyJudgement } from './judge-reply.ts'
export { PROMPT_VERSION, type PromptInput, renderReviewPrompt } from './render-prompt.ts'
export {
  type AuditTask,
  AuditTaskSchema,
  type PacketFile,
  type ReviewPacket,
  ReviewPacketSchema,
} from './review-packet.ts'
export { showFile } from './show-files.ts'
export type { RepairTicket, ValidatedResult } from './validate-result.ts'
export {
  describeScope,
  estimateTokens,
  makeHalves,
  makeRemainder,
  makeWorkItem,
  MAX_ATTEMPTS,
  renderTicket,
  type WorkItem,
} from './work-item.ts'
