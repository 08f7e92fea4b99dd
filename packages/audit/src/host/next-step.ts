import type { LaunchContext } from '@audit-tools/shared/providers'
import type { Random } from '@audit-tools/shared/core'
import { quoteCommand } from '@audit-tools/shared/steps'

import {
  type AuditSession,
  guardActiveRun,
  isCancelled,
  openDriverSession,
  openReview,
  openReviewPools,
  ownAsHost,
  prepareAudit,
  type PreparedAudit,
  readActiveRun,
  readReview,
  readReviewState,
  recoverReview,
  reportAudit,
  type Review,
  type ReviewState,
  startReview,
} from '../run/index.ts'
import {
  countSubagents,
  type HostCapabilities,
  readRoster,
  rememberCapabilities,
  resolveCapabilities,
} from './capabilities.ts'
import { grantPackets } from './grant-packets.ts'
import { type CommandWords, type HostCommands, writeHostCommands } from './host-commands.ts'
import { makeStep, type StepAnswer } from './make-step.ts'
import { makeDispatchStep, makeSingleTaskStep } from './review-steps.ts'
import { ensureRunner, type RunnerState } from './start-runner.ts'
import {
  renderBlockedPrompt,
  renderCapabilityPrompt,
  renderReportPrompt,
  renderWaitPrompt,
} from './step-prompts.ts'

export interface NextStepRequest {
  readonly capabilities: HostCapabilities
  /** The token that an earlier step printed. */
  readonly token: string | undefined
  readonly takeOver: boolean
  readonly words: CommandWords
  readonly context: LaunchContext
  readonly random: Random
  readonly signal: AbortSignal
}

/** How long a step may wait for something to grant, and how often it looks. */
const PATIENCE_MS = 3000
const LOOK_MS = 250

/** When a host that found nothing to do shall ask again. */
const ASK_AGAIN_MS = 15_000

/**
 * Decides what the host does next and prepares it: grants packets, finds or starts the process that drives in-process
 * pools, reports when nothing is left. Never reviews anything itself. Calling it again gives the same grants. Throws
 * `driver-refused` to whoever is not the session that drives the run; nothing is changed then.
 */
export async function nextStep(
  session: AuditSession,
  request: NextStepRequest,
): Promise<StepAnswer> {
  const { layout, config } = session
  if (!request.takeOver) guardActiveRun(layout, request.token)
  const known = resolveCapabilities(layout.hostCapabilities, request.capabilities, config)
  if (known.can_dispatch_subagents === undefined) return askForCapabilities(session, request)
  const { review, prepared } = await findReview(session, request)
  rememberCapabilities(layout.hostCapabilities, known)
  const { runId, files } = review
  if (isCancelled(files)) return blockCancelled(session, request.words)
  const token = openDriverSession(review, request)
  const owned = openReview(layout.runsDirectory, runId, ownAsHost(token))
  const commands = writeHostCommands(request.words, { runId, token })
  recoverReview(owned)
  const run = { session, request, review: owned, known, commands, token }
  const answer = await continueReview(run)
  return answer ?? presentReport(run, prepared)
}

interface HostRun {
  readonly session: AuditSession
  readonly request: NextStepRequest
  readonly review: Review
  readonly known: HostCapabilities
  readonly commands: HostCommands
  readonly token: string
}

/** The run that is worked on while something of it is open; else the one that the repository as it is now asks for. */
async function findReview(
  session: AuditSession,
  request: NextStepRequest,
): Promise<{ review: Review; prepared: PreparedAudit | undefined }> {
  const { layout } = session
  const activeRun = readActiveRun(layout)
  if (activeRun !== undefined) {
    const review = openReview(layout.runsDirectory, activeRun)
    if (countOpen(readReviewState(review)) > 0) return { review, prepared: undefined }
  }
  const prepared = await prepare(session, request)
  return { review: startReview(session, prepared), prepared }
}

function prepare(session: AuditSession, request: NextStepRequest): Promise<PreparedAudit> {
  return prepareAudit(session, {
    includeUntracked: false,
    signal: request.signal,
    random: request.random,
    onStage: () => undefined,
  })
}

function countOpen(state: ReviewState): number {
  return [...state.values()].filter(({ status }) => status === 'open').length
}

/** The step while packets are open; undefined when none is. */
async function continueReview(run: HostRun): Promise<StepAnswer | undefined> {
  const { session, request, review, known } = run
  const { config } = session
  const { clock, environment } = request.context
  const pools = openReviewPools(config, request.context)
  const { tool, place } = request.words
  const deadline = clock.monotonic() + PATIENCE_MS
  let runner: RunnerState | undefined
  for (;;) {
    const state = readReviewState(review)
    if (countOpen(state) === 0) return undefined
    if (pools.pools.length > 0) {
      runner ??= await ensureRunner(review, { tool, place, environment, clock })
    }
    const isParallel = known.can_dispatch_subagents === true
    const limit = isParallel ? countSubagents(known) : 1
    const grants = grantPackets(review, state, {
      token: run.token,
      limit,
      roster: readRoster(known),
      config,
      clock,
    })
    const [single] = grants
    if (single !== undefined) {
      return isParallel
        ? makeDispatchStep({ ...run, state, grants, limit })
        : makeSingleTaskStep({ ...run, state, grant: single })
    }
    if (clock.monotonic() >= deadline) return makeWaitStep(run, runner)
    await clock.sleep(LOOK_MS, request.signal)
  }
}

function makeWaitStep(
  { session, request, review, known, commands }: HostRun,
  runner: RunnerState | undefined,
): StepAnswer {
  const { clock } = request.context
  const asksAt = clock.now() + ASK_AGAIN_MS
  const until = runner?.kind === 'waiting' ? runner.until : asksAt
  const at = new Date(until).toISOString()
  const because = runner === undefined || runner.kind === 'running' ? [] : runner.reasons
  const reason =
    because.length === 0
      ? `Others review everything that is left; ask again at ${at}`
      : `Nothing can start before ${at}: ${because.join('; ')}`
  const waits = known.understands_wait === true
  return makeStep(session, {
    kind: 'wait',
    status: waits ? 'waiting' : 'blocked',
    runId: waits ? review.runId : null,
    allowedCommands: waits ? [commands.nextStep()] : [],
    stopCondition: `Do nothing until ${at}, then run next-step again.`,
    prompt: renderWaitPrompt(reason, commands.nextStep()),
    more: { reason, cooldown_until: at },
  })
}

async function presentReport(
  { session, request, review, known, token }: HostRun,
  known_prepared: PreparedAudit | undefined,
): Promise<StepAnswer> {
  const prepared = known_prepared ?? (await prepare(session, request))
  // The repository changed meanwhile: what is new of it is reviewed too.
  if (prepared.runId !== review.runId) {
    startReview(session, prepared)
    return nextStep(session, { ...request, token, takeOver: false, capabilities: known })
  }
  const { clock } = request.context
  const summary = readReview(session, prepared)
  const outcome = reportAudit(session, prepared, {
    clock,
    onStage: () => undefined,
    review: summary,
  })
  const { layout, config } = session
  const reportPath = config.report.promote ? `${session.root}/audit-report.md` : layout.report
  const { packets, gaps } = summary
  return makeStep(session, {
    kind: 'present_report',
    status: 'complete',
    runId: null,
    allowedCommands: [],
    stopCondition: 'Stop when the report is presented.',
    prompt: renderReportPrompt({ reportPath, findingsPath: layout.findings, gaps: gaps.length }),
    more: {
      artifact_paths: { final_report: reportPath },
      reason:
        `${outcome.summary.findings} findings; ${packets.reviewed} of ${packets.planned} packets reviewed, ` +
        `${packets.failed} failed`,
    },
  })
}

function askForCapabilities(session: AuditSession, { words, token }: NextStepRequest): StepAnswer {
  const { tool, place, platform } = words
  const driver = token === undefined ? [] : ['--driver-token', token]
  const ask = (answer: string): string =>
    quoteCommand(
      [...tool, 'next-step', `--host-can-dispatch-subagents=${answer}`, ...driver, ...place],
      platform,
    )
  const [yes, no] = [ask('true'), ask('false')]
  return makeStep(session, {
    kind: 'capability_check',
    status: 'ready',
    runId: null,
    allowedCommands: [yes, no],
    stopCondition: 'Run exactly one of the two commands.',
    prompt: renderCapabilityPrompt(yes, no),
  })
}

function blockCancelled(
  session: AuditSession,
  { tool, place, platform }: CommandWords,
): StepAnswer {
  const help = quoteCommand([...tool, 'cancel', '--undo', ...place], platform)
  return makeBlockedStep(session, 'The run was cancelled.', help)
}

export function makeBlockedStep(
  session: Pick<AuditSession, 'root' | 'layout'>,
  reason: string,
  help: string | null,
): StepAnswer {
  return makeStep(session, {
    kind: 'blocked',
    status: 'blocked',
    runId: null,
    allowedCommands: [],
    stopCondition: 'Report the reason to the person and stop.',
    prompt: renderBlockedPrompt(reason, help),
    more: { reason: help === null ? reason : `${reason} What helps: ${help}` },
  })
}
