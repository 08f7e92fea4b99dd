// `npm run audit -- [path] [flags]`: everything a fresh clone needs, then `audit-code run` on the path.
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

import { buildIfStale, childEnvironment, installDependencies, requireNode, root } from './setup.mjs'

requireNode()
const failed = installDependencies() || buildIfStale()
if (failed) process.exit(3)

// npm runs scripts in the package's folder; INIT_CWD is where the person stood.
const caller = process.env.INIT_CWD ?? process.cwd()
const [first, ...rest] = process.argv.slice(2)
const named = first !== undefined && !first.startsWith('-')
const target = named ? resolve(caller, first) : root
const flags = named ? rest : process.argv.slice(2)
const bin = join(root, 'packages', 'audit', 'dist', 'bin.js')

const child = spawn(process.execPath, [bin, 'run', '--root', target, ...flags], {
  cwd: caller,
  env: childEnvironment,
  stdio: 'inherit',
})
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => child.kill(name))
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
