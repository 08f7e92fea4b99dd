import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A tarball above this size is refused, so that the cache stays below 2 GB whatever the list names. */
const MAX_TARBALL_BYTES = 30 * 1024 * 1024

/**
 * The unpacked tarball of a package, fetched once with the ordinary npm client. Nothing of it is installed or run.
 */
export function fetchPackage(cache: string, name: string, version: string): string {
  const folder = join(cache, 'packages', `${name.replace('@', '').replace('/', '-')}-${version}`)
  if (!existsSync(folder)) {
    const partial = `${folder}.partial`
    rmSync(partial, { recursive: true, force: true })
    mkdirSync(partial, { recursive: true })
    const [packed] = JSON.parse(
      runNpm(
        ['pack', `${name}@${version}`, '--json', '--ignore-scripts', '--pack-destination', partial],
        partial,
      ),
    ) as { filename: string }[]
    if (packed === undefined) throw new Error(`npm pack printed nothing for ${name}@${version}`)
    const tarball = join(partial, packed.filename.replace('@', '').replace('/', '-'))
    if (statSync(tarball).size > MAX_TARBALL_BYTES)
      throw new Error(`${tarball} is larger than 30 MB`)
    execFileSync('tar', ['-xzf', tarball, '-C', partial, '--no-same-owner'], {
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    rmSync(tarball)
    renameSync(partial, folder)
  }
  const [top] = readdirSync(folder)
  if (top === undefined) throw new Error(`${folder} is empty. Remove it and run again`)
  return join(folder, top)
}

/** Installs tools to compare with into the cache, without running any script of theirs. */
export function installTools(cache: string, packages: readonly string[]): string {
  const folder = join(cache, 'tools')
  const missing = packages.filter((spec) => {
    const name = spec.slice(0, spec.lastIndexOf('@'))
    return !existsSync(join(folder, 'node_modules', name, 'package.json'))
  })
  if (missing.length > 0) {
    mkdirSync(folder, { recursive: true })
    runNpm(
      [
        'install',
        '--prefix',
        folder,
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--no-save',
        ...packages,
      ],
      folder,
    )
  }
  return folder
}

function runNpm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
  })
}
