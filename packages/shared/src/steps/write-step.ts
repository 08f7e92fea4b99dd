import { join } from 'node:path'

import { formatStableJson } from '../core/index.ts'
import { makeDirectory, writeFileAtomic } from '../store/index.ts'
import { type Step, StepSchema } from './step.ts'

/** Where the current step and its prompt live below the artifacts directory. */
export function planStepPaths(artifactsDirectory: string): { step: string; prompt: string } {
  const folder = join(artifactsDirectory, 'steps')
  return { step: join(folder, 'current-step.json'), prompt: join(folder, 'current-prompt.md') }
}

/** Writes prompt and step, checked by the schema, and returns the step's bytes for standard output. */
export function writeStep(step: Step, prompt: string): string {
  const paths = planStepPaths(step.artifacts_dir)
  const text = formatStableJson(StepSchema.parse(step))
  makeDirectory(join(step.artifacts_dir, 'steps'))
  writeFileAtomic(paths.prompt, prompt)
  writeFileAtomic(paths.step, text)
  return text
}
