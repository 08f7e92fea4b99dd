import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

import { expect, test } from 'vitest'

import { commitAll, git, makeDirectory, runAuditCode } from './harness.ts'

const bin = join(import.meta.dirname, '../dist/bin.js')

/** Copies of the source of a published package, each file with a line of its own so that no two are equal. */
function makeLargeRepository(copies: number): string {
  const require = createRequire(join(import.meta.dirname, '../../shared/package.json'))
  const source = join(dirname(realpathSync(require.resolve('undici/package.json'))), 'lib')
  const root = makeDirectory('large')
  git(root, 'init', '-q', '-b', 'main')
  for (let copy = 0; copy < copies; copy += 1)
    cpSync(source, join(root, `copy-${copy}`), { recursive: true })
  for (const [index, path] of listFiles(root).entries()) {
    if (path.endsWith('.js')) appendFileSync(path, `\n// ${index}\n`)
  }
  commitAll(root)
  return root
}

function listFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/.git'))
    .map((entry) => join(entry.parentPath, entry.name))
}

function sumBytes(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + lstatSync(path).size, 0)
}

function measure(work: () => unknown): number {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}

test('an unchanged repository is audited at least five times faster than the first time, and all artifacts are smaller than the source', () => {
  const root = makeLargeRepository(25)
  const source = listFiles(root)
  expect(source.length).toBeGreaterThan(1500)
  const audit = (): void => {
    expect(runAuditCode(['run', '--root', root, '--quiet']).code).toBe(0)
  }
  const firstMs = measure(audit)
  const secondMs = Math.min(measure(audit), measure(audit))
  expect(firstMs / secondMs).toBeGreaterThan(5)
  expect(sumBytes(listFiles(join(root, '.audit-tools')))).toBeLessThan(sumBytes(source))
})

test('the version is printed in less than twice the time of bare node', () => {
  let [versionMs, nodeMs] = [Infinity, Infinity]
  for (let round = 0; round < 15; round += 1) {
    versionMs = Math.min(
      versionMs,
      measure(() => spawnSync(process.execPath, [bin, '--version'])),
    )
    nodeMs = Math.min(
      nodeMs,
      measure(() => spawnSync(process.execPath, ['-e', '0'])),
    )
  }
  expect(versionMs / nodeMs).toBeLessThan(2)
})
