export { describePackets, type PlannedPacket } from './describe-packets.ts'
export { describeCoverage, describeTasks } from './describe-plan.ts'
export type {
  NotCovered,
  Packet,
  PacketFile,
  Plan,
  PlanConfig,
  PlanInput,
  PlanLead,
  Rank,
} from './plan.ts'
export { MIN_PROMPT_TOKENS, planReview } from './plan-review.ts'
export { type Depth, depths, type ReviewPass } from './review-passes.ts'
