// `pnpm bench NAME [flags]`: runs bench/NAME.ts on the sources as they are.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))
const [name, ...flags] = process.argv.slice(2)
if (!names.includes(name)) {
  console.error(`error: no benchmark ${JSON.stringify(name ?? '')}; there are: ${names.join(', ')}`)
  process.exit(2)
}
const result = spawnSync(
  process.execPath,
  ['--import', 'tsx', '--conditions=@audit-tools/source', join(folder, `${name}.ts`), ...flags],
  { stdio: 'inherit' },
)
process.exitCode = result.status ?? 1
