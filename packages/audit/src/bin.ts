#!/usr/bin/env node
import { runCli } from '@audit-tools/shared/cli'

import { commands } from './commands/index.ts'
import { version } from './version.ts'

process.exitCode = await runCli({
  name: 'audit-code',
  version,
  summary:
    'Audit a repository: deterministic analysis first, then review by every model pool you have.',
  commands,
})
