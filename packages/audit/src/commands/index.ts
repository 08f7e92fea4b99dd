import type { CommandEntry } from '@audit-tools/shared/cli'

/** Every command with its one-line summary; a command's module loads only when it runs. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'run',
    summary: 'Audit the repository and write the report',
    load: () => import('./run.ts'),
  },
  {
    name: 'plan',
    summary: 'Show scope, packets and tokens; spend nothing',
    load: () => import('./plan.ts'),
  },
  {
    name: 'status',
    summary: 'Show what the last run did and what is left',
    load: () => import('./status.ts'),
  },
  {
    name: 'report',
    summary: 'Write the report again from what is known now',
    load: () => import('./report.ts'),
  },
  {
    name: 'explain',
    summary: 'Show everything known about one finding',
    load: () => import('./explain.ts'),
  },
  {
    name: 'why-not',
    summary: 'Say whether a path is audited, and why not',
    load: () => import('./why-not.ts'),
  },
  {
    name: 'baseline',
    summary: 'Make the findings of the last report the baseline for states',
    load: () => import('./baseline.ts'),
  },
  {
    name: 'dismiss',
    summary: 'Mark a finding as known, with a reason',
    load: () => import('./dismiss.ts'),
  },
  {
    name: 'import-external-analyzer',
    summary: 'Take in SARIF or the JSON of another analyzer',
    load: () => import('./import-external-analyzer.ts'),
  },
  {
    name: 'next-step',
    summary: 'Print the next step of an audit for an agent to follow',
    load: () => import('./next-step.ts'),
  },
  {
    name: 'submit',
    summary: 'Hand in the answer to a granted packet',
    aliases: ['submit-packet'],
    load: () => import('./submit.ts'),
  },
  {
    name: 'merge-and-ingest',
    summary: 'Take in every answer that the reviewers of a host wrote',
    load: () => import('./merge-and-ingest.ts'),
  },
  {
    name: 'ingest-results',
    summary: 'Take in a file of answers that name their tasks or packets',
    load: () => import('./ingest-results.ts'),
  },
  {
    name: 'validate-results',
    summary: 'Check answers as submitting would, and change nothing',
    aliases: ['validate-result'],
    load: () => import('./validate-results.ts'),
  },
  {
    name: 'cancel',
    summary: 'Stop a run for good, whoever drives it',
    load: () => import('./cancel.ts'),
  },
  {
    name: 'quota',
    summary: 'Show the limits of every pool and what is known of their use',
    load: () => import('./quota.ts'),
  },
  {
    name: 'prepare-dispatch',
    summary: 'Plan the review and write every prompt; start nothing',
    load: () => import('./prepare-dispatch.ts'),
  },
  {
    name: 'run-to-completion',
    summary: 'Take in what is given, review as far as pools allow, and report',
    load: () => import('./run-to-completion.ts'),
  },
  {
    name: 'advance-audit',
    summary: 'Go one stage on: take in what is given and write the report as it is now',
    load: () => import('./advance-audit.ts'),
  },
  {
    name: 'worker-run',
    summary: 'Take in the answer to the single task of a host without subagents',
    hidden: true,
    load: () => import('./worker-run.ts'),
  },
  {
    name: 'drive-run',
    summary: 'Review a run with the pools that this tool launches itself',
    hidden: true,
    load: () => import('./drive-run.ts'),
  },
  {
    name: 'providers list',
    summary: 'Show the sources and the agent CLIs that could review here; spend nothing',
    load: () => import('./providers-list.ts'),
  },
  {
    name: 'providers confirm',
    summary: 'Allow the sources and agent CLIs of now for this repository',
    load: () => import('./providers-confirm.ts'),
  },
  {
    name: 'providers canary',
    summary: 'Send one tiny question with a known answer to each source',
    load: () => import('./providers-canary.ts'),
  },
  {
    name: 'config explain',
    summary: 'Show each setting, its value and where it comes from',
    load: () => import('./config-explain.ts'),
  },
  {
    name: 'trust',
    summary: 'Trust the configuration and state in this repository',
    load: () => import('./trust.ts'),
  },
  {
    name: 'doctor',
    summary: 'Check what this machine and this repository need',
    load: () => import('./doctor.ts'),
  },
  {
    name: 'clean',
    summary: 'Remove caches and old runs of this repository',
    load: () => import('./clean.ts'),
  },
]
