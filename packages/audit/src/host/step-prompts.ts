import type { GrantedPacket } from '@audit-tools/shared/steps'

import type { HostCapabilities } from './capabilities.ts'

/** The words of each step. They are short, name exact commands, and suppose nothing of who reads them. */
export function renderCapabilityPrompt(yes: string, no: string): string {
  return [
    '# Can you start subagents?',
    '',
    'Look at the list of tools that you have. Do not run any command to find out.',
    '',
    `- There is a tool that starts subagents or tasks: run \`${yes}\``,
    `- There is none: run \`${no}\``,
    '',
    'Then follow the step that it prints.',
    '',
  ].join('\n')
}

export function renderDispatchPrompt(input: {
  readonly granted: readonly GrantedPacket[]
  readonly maxConcurrent: number
  readonly capabilities: HostCapabilities
  readonly merge: string
  readonly next: string
}): string {
  const { granted, maxConcurrent, capabilities, merge, next } = input
  return [
    '# Have these packets reviewed',
    '',
    `Start one subagent for each packet below, at most ${maxConcurrent} at once.`,
    'Do not open the prompt files yourself: pass the path on. Give each subagent this task:',
    '',
    '> Read PROMPT_PATH wholly and do what it says. Write your answer, one JSON object and nothing else, to RESULT_PATH.',
    '> Then run SUBMIT_COMMAND once and report what it printed.',
    '',
    ...renderAbilityLines(capabilities),
    ...granted.flatMap((packet) => [
      `## ${packet.packet_id}`,
      `- PROMPT_PATH: ${packet.prompt_path}`,
      `- RESULT_PATH: ${packet.result_path}`,
      `- SUBMIT_COMMAND: \`${packet.submit_command}\``,
      ...(capabilities.can_select_subagent_model === true
        ? [`- Model: at least ${packet.rank}`]
        : []),
      '',
    ]),
    'When all of them have ended:',
    `1. Run \`${merge}\`. If it fails, report its message word for word and stop.`,
    `2. Run \`${next}\` and follow the step that it prints.`,
    '',
  ].join('\n')
}

function renderAbilityLines(capabilities: HostCapabilities): string[] {
  if (capabilities.can_restrict_subagent_tools !== true) return []
  return ['Give the subagents tools to read and write files and to run that one command.', '']
}

export function renderSingleTaskPrompt(input: {
  readonly reviewPrompt: string
  readonly resultsPath: string
  readonly workerCommand: string
}): string {
  return [
    '# Review one packet yourself',
    '',
    `1. Do the review below. Write a JSON array that holds your one answer object to ${input.resultsPath}`,
    `2. Run \`${input.workerCommand}\` once.`,
    '3. Run the command that it prints as next_likely_step, and follow the step that comes.',
    '',
    '---',
    '',
    input.reviewPrompt,
  ].join('\n')
}

export function renderWaitPrompt(reason: string, next: string): string {
  return [
    '# Wait',
    '',
    `${reason}.`,
    '',
    `Until then there is nothing for you to do. Afterwards run \`${next}\`.`,
    '',
  ].join('\n')
}

export function renderReportPrompt(input: {
  readonly reportPath: string
  readonly findingsPath: string
  readonly gaps: number
}): string {
  const { reportPath, findingsPath, gaps } = input
  return [
    '# Present the report',
    '',
    `The audit is over. Read ${reportPath} and tell the person, in this order:`,
    '1. the few findings that matter most, each with its file and line;',
    '2. the work blocks: which findings can be repaired together, and in which order;',
    gaps === 0
      ? '3. that everything planned was reviewed;'
      : `3. what was not reviewed: the report names ${gaps} gaps, which you do not leave out;`,
    '4. where the report is.',
    '',
    `Every finding in full is in ${findingsPath}. Change nothing in the repository.`,
    '',
  ].join('\n')
}

export function renderBlockedPrompt(reason: string, help: string | null): string {
  return [
    '# Blocked',
    '',
    reason,
    '',
    ...(help === null ? [] : [`What helps: \`${help}\``, '']),
    'Report this to the person word for word and stop.',
    '',
  ].join('\n')
}
