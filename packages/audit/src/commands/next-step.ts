import { type CommandContext, defineCommand } from '@audit-tools/shared/cli'
import {
  errorInfo,
  ExitCode,
  isAuditToolsError,
  readErrorMessage,
  systemRandom,
} from '@audit-tools/shared/core'
import { resolveStateDirectory } from '@audit-tools/shared/store'
import { StepSchema, writeStep } from '@audit-tools/shared/steps'
import { z } from 'zod'

import { makeBlockedStep, nextStep, type StepAnswer, writeHandoff } from '../host/index.ts'
import {
  type AuditLayout,
  openRoot,
  openSession,
  openSessionArtifacts,
  planLayout,
} from '../run/index.ts'
import { describeWords } from './describe-words.ts'
import { driverFlags } from './run-flags.ts'

const hostFlags = z.object({
  hostCanDispatchSubagents: z.boolean().optional().describe('The host can start subagents'),
  hostCanRestrictSubagentTools: z.boolean().optional().describe('It can limit their tools'),
  hostCanSelectSubagentModel: z.boolean().optional().describe('It can choose their model'),
  hostMaxActiveSubagents: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .describe('Most subagents of the host at once'),
  hostModels: z.string().optional().describe('The host’s models as JSON, lowest rank first'),
  hostUnderstandsWait: z.boolean().optional().describe('It knows the status `waiting`'),
  takeOver: z
    .boolean()
    .default(false)
    .describe('Take the run and its grants from the session that drives it'),
})

export const command = defineCommand({
  name: 'next-step',
  summary: 'Print the next step of an audit for an agent to follow',
  flags: hostFlags.extend(driverFlags.shape),
  examples: ['next-step', 'next-step --host-can-dispatch-subagents=true'],
  async run(flags, context) {
    const session = await openSession(context)
    await openSessionArtifacts(session, systemRandom)
    const answer = await nextStep(session, {
      capabilities: {
        can_dispatch_subagents: flags.hostCanDispatchSubagents,
        can_restrict_subagent_tools: flags.hostCanRestrictSubagentTools,
        can_select_subagent_model: flags.hostCanSelectSubagentModel,
        max_active_subagents: flags.hostMaxActiveSubagents,
        models: flags.hostModels,
        understands_wait: flags.hostUnderstandsWait,
      },
      token: flags.driverToken,
      takeOver: flags.takeOver,
      words: describeWords(context, session),
      context,
      random: systemRandom,
      signal: context.signal,
    })
    writeHandoff(session, answer.step, false)
    printBytes(context, writeStep(answer.step, answer.prompt))
    return ExitCode.Done
  },

  /** Any error is a blocked step. One that was refused leaves the driver's own step where it is. */
  async answerError(error, context) {
    const message = readErrorMessage(error)
    const session = await openPlace(context)
    const answer = makeBlockedStep(session, message, null)
    const code = isAuditToolsError(error) ? error.code : 'internal-fault'
    if (code === 'driver-refused' || code === 'state-untrusted') {
      printBytes(context, `${JSON.stringify(StepSchema.parse(answer.step), null, 2)}\n`)
      return ExitCode.Done
    }
    const isConfigError = code === 'config-invalid' || code === 'config-untrusted'
    printBytes(context, keepStep(session, answer, isConfigError))
    return errorInfo[code].exitCode === ExitCode.Internal ? ExitCode.Internal : ExitCode.Done
  },
})

function keepStep(
  { layout }: { layout: AuditLayout },
  { step, prompt }: StepAnswer,
  isConfigError: boolean,
): string {
  try {
    const text = writeStep(step, prompt)
    writeHandoff({ layout, config: { provider: 'auto' } }, step, isConfigError)
    return text
  } catch (error) {
    // The disk may be what is wrong; the step is printed all the same.
    const reason = `${step.reason ?? ''} It could not be written to ${step.artifacts_dir}: ${readErrorMessage(error)}`
    return `${JSON.stringify(StepSchema.parse({ ...step, reason }), null, 2)}\n`
  }
}

/** Where a blocked step says it is, when even the session may not open. */
async function openPlace(context: CommandContext): Promise<{ root: string; layout: AuditLayout }> {
  const { common, cwd, environment } = context
  try {
    const { root } = await openRoot(context)
    return { root, layout: planLayout(root, common.artifactsDir) }
  } catch {
    const root = common.root ?? cwd
    // A root that does not exist has no place for a step; the user's own state has.
    return {
      root,
      layout: planLayout(root, common.artifactsDir ?? resolveStateDirectory(environment)),
    }
  }
}

function printBytes({ output }: CommandContext, text: string): void {
  output.write(text.replace(/\n$/, ''))
}
