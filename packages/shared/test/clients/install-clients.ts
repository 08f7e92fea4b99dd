import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export type Installation =
  | { readonly kind: 'installed'; readonly binDirectory: string }
  | { readonly kind: 'missing'; readonly reason: string }

const script = join(
  dirname(fileURLToPath(import.meta.url)),
  '../../../../scripts/install-clients.mjs',
)

/** Installs the real clients, or finds them installed. Downloads about 1.2 GB the first time. */
export async function installClients(): Promise<Installation> {
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  return JSON.parse(stdout) as Installation
}
