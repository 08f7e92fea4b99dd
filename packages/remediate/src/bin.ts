#!/usr/bin/env node
import { runCli } from '@audit-tools/shared/cli'

import { commands } from './commands/index.ts'
import { version } from './version.ts'

process.exitCode = await runCli({
  name: 'remediate-code',
  version,
  summary: [
    'Turn findings into a plan of tasks.',
    'Editing, checks and landing are not there yet: this version plans and changes nothing.',
  ].join('\n'),
  commands,
})
