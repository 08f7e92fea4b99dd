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
