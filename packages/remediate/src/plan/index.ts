export { type Plan, planTasks } from './plan-tasks.ts'
export { renderPlan } from './render-plan.ts'
