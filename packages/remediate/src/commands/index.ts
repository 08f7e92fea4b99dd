import type { CommandEntry } from '@audit-tools/shared/cli'

/** Every command with its one-line summary; a command's module loads only when it runs. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'plan',
    summary: 'Group findings into tasks that can be worked on side by side',
    load: () => import('./plan.ts'),
  },
]
