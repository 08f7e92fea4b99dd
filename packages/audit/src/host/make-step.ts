import { planStepPaths, type Step, type StepKind } from '@audit-tools/shared/steps'

import {
  type AuditSession,
  countProgress,
  planReviewFiles,
  type ReviewState,
} from '../run/index.ts'

/** A step with the words that go with it. */
export interface StepAnswer {
  readonly step: Step
  readonly prompt: string
}

export interface StepInput {
  readonly kind: StepKind
  readonly status: Step['status']
  readonly runId: string | null
  readonly allowedCommands: readonly string[]
  readonly stopCondition: string
  readonly prompt: string
  readonly more?: Partial<Step>
}

/** Fills in what every step has. */
export function makeStep(
  { root, layout }: Pick<AuditSession, 'root' | 'layout'>,
  input: StepInput,
): StepAnswer {
  const paths = planStepPaths(layout.directory)
  const { artifact_paths: more, ...rest } = input.more ?? {}
  const step: Step = {
    contract_version: 'audit-code-step/v1alpha1',
    step_kind: input.kind,
    status: input.status,
    run_id: input.runId,
    prompt_path: paths.prompt,
    allowed_commands: [...input.allowedCommands],
    stop_condition: input.stopCondition,
    repo_root: root,
    artifacts_dir: layout.directory,
    artifact_paths: {
      current_step: paths.step,
      current_prompt: paths.prompt,
      operator_handoff: layout.handoff,
      ...(input.runId === null ? {} : listRunPaths(layout.runsDirectory, input.runId)),
      ...more,
    },
    ...rest,
  }
  return { step, prompt: input.prompt }
}

function listRunPaths(runsDirectory: string, runId: string): Step['artifact_paths'] {
  const files = planReviewFiles(runsDirectory, runId)
  return {
    dispatch_plan: files.plan,
    dispatch_quota: files.quota,
    dispatch_warnings: files.warnings,
    pending_audit_tasks: files.pendingTasks,
  }
}

/** Counts of a step: packets and what answers left of them, by what becomes of each. */
export function describeProgress(
  state: ReviewState,
  running: number,
): NonNullable<Step['progress']> {
  const { reviewed, failed, open, total } = countProgress(state)
  const claimed = Math.min(running, open)
  return { packets: total, reviewed, failed, running: claimed, open: open - claimed }
}
