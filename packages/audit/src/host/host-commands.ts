import { quoteCommand } from '@audit-tools/shared/steps'

import type { WorkItem } from '../review/index.ts'

/** How the commands that a host may run are written. */
export interface CommandWords {
  /** The tool as this shell can start it. */
  readonly tool: readonly string[]
  /** `--root` and the like, as this session was started. */
  readonly place: readonly string[]
  readonly platform: NodeJS.Platform
}

export interface HostCommands {
  nextStep(flags?: readonly string[]): string
  submit(grant: { item: WorkItem; epoch: number; ownerToken: string }, resultPath: string): string
  mergeAndIngest(): string
  /** The words of the command that takes the single task in. */
  workerRun(
    grant: { item: WorkItem; epoch: number; ownerToken: string },
    taskPath: string,
  ): string[]
  quote(words: readonly string[]): string
}

/** Writes commands for one run and session; the driver token is in those that only the driver may run. */
export function writeHostCommands(
  words: CommandWords,
  run: { readonly runId: string; readonly token: string },
): HostCommands {
  const { tool, place, platform } = words
  const quote = (list: readonly string[]): string => quoteCommand(list, platform)
  const driver = ['--driver-token', run.token]
  const claim = (grant: { item: WorkItem; epoch: number; ownerToken: string }): string[] => [
    '--run-id',
    run.runId,
    '--packet',
    grant.item.id,
    '--epoch',
    String(grant.epoch),
    '--claim',
    grant.ownerToken,
  ]
  return {
    nextStep: (flags = []) => quote([...tool, 'next-step', ...flags, ...driver, ...place]),
    submit: (grant, resultPath) =>
      quote([...tool, 'submit', resultPath, ...claim(grant), ...place]),
    mergeAndIngest: () =>
      quote([...tool, 'merge-and-ingest', '--run-id', run.runId, ...driver, ...place]),
    workerRun: (grant, taskPath) => [
      ...tool,
      'worker-run',
      '--task',
      taskPath,
      ...claim(grant),
      ...driver,
      ...place,
    ],
    quote,
  }
}
