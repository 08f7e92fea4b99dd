export { parseReply } from './parse-reply.ts'
export { judgeReply, type ReplyJudgement } from './judge-reply.ts'
export { PROMPT_VERSION, renderReviewPrompt } from './render-prompt.ts'
export { type ReviewPacket, ReviewPacketSchema } from './review-packet.ts'
export { showFile } from './show-files.ts'
export type { RepairTicket } from './validate-result.ts'
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
