export { quoteCommand } from './quote-command.ts'
export {
  type GrantedPacket,
  GrantedPacketSchema,
  type Step,
  type StepKind,
  StepSchema,
} from './step.ts'
export { planStepPaths, writeStep } from './write-step.ts'
