import type { Step } from '@audit-tools/shared/steps'
import { writeFileAtomic, writeJsonFile } from '@audit-tools/shared/store'

import type { AuditSession } from '../run/index.ts'

/** Tells a person, and scripts, where the audit stands: `operator-handoff.json` and its text. */
export function writeHandoff(
  {
    layout,
    config,
  }: Pick<AuditSession, 'layout'> & {
    readonly config: Pick<AuditSession['config'], 'provider'>
  },
  step: Step,
  isConfigError: boolean,
): void {
  const paths = step.artifact_paths
  const summary = describeProgress(step)
  writeJsonFile(layout.handoff, {
    state: step.status,
    provider: config.provider,
    progress_summary: summary,
    is_config_error: isConfigError,
    active_review_run:
      step.run_id === null
        ? null
        : {
            run_id: step.run_id,
            task_path: paths.active_review_task ?? null,
            prompt_path: step.prompt_path,
            pending_audit_tasks_path: paths.pending_audit_tasks ?? null,
            audit_results_path: paths.audit_results ?? null,
            worker_command:
              step.step_kind === 'single_task_fallback' ? step.allowed_commands[0] : null,
          },
  })
  const lines = [`# Audit: ${step.status}`, '', summary, '', `Next: ${step.stop_condition}`, '']
  writeFileAtomic(layout.handoffText, lines.join('\n'))
}

function describeProgress({ progress, reason, step_kind: kind }: Step): string {
  if (progress === undefined) return reason ?? kind
  const { packets, reviewed, failed, running, open } = progress
  return `${packets} packets = ${reviewed} reviewed + ${failed} failed + ${running} running + ${open} open`
}
