export type { Intake, Source } from './intake.ts'
export { type IntakeTree, readSources } from './read-sources.ts'
