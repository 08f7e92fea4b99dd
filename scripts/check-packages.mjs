// publint and attw on what would be published.
import { join } from 'node:path'

import { root, run } from './setup.mjs'

let failed = 0
for (const name of ['shared', 'audit', 'remediate']) {
  const cwd = join(root, 'packages', name)
  failed += run('publint', ['--strict'], { cwd }) === 0 ? 0 : 1
  // The tools export no module: there are no types for attw to check.
  if (name === 'shared')
    failed += run('attw', ['--pack', '.', '--profile', 'esm-only'], { cwd }) === 0 ? 0 : 1
}
process.exitCode = failed === 0 ? 0 : 1
