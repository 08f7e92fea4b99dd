export { describePackets } from './describe-packets.ts'
export { describeCoverage, describeTasks } from './describe-plan.ts'
export type { Plan, PlanConfig, PlanInput } from './plan.ts'
export { planReview } from './plan-review.ts'
