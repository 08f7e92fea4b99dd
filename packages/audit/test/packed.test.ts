import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { makeDirectory, makeRepository } from './harness.ts'

const workspace = join(import.meta.dirname, '../../..')

test('the packed packages install with plain npm and without scripts, and both tools run through npm’s links', () => {
  const packs = makeDirectory('packs')
  for (const name of ['shared', 'audit', 'remediate']) {
    execFileSync('pnpm', ['pack', '--pack-destination', packs], {
      cwd: join(workspace, 'packages', name),
      env: {
        ...process.env,
        PATH: `${join(workspace, 'node_modules/.bin')}:${process.env['PATH']}`,
      },
    })
  }
  const project = makeDirectory('project')
  const tarballs = readdirSync(packs).map((file) => join(packs, file))
  expect(tarballs).toHaveLength(3)
  execFileSync('npm', ['init', '-y'], { cwd: project })
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs], {
    cwd: project,
    env: { ...process.env, HOME: makeDirectory('home') },
  })
  const root = makeRepository({
    'index.js': "module.exports = (name) => require('child_process').exec('ls ' + name)\n",
  })
  const run = (...args: string[]): string =>
    execFileSync('npx', ['--no-install', ...args], { cwd: project, encoding: 'utf8' })
  expect(run('audit-code', '--version')).toMatch(/^\d+\.\d+\.\d+/)
  expect(run('audit-code', 'run', '--root', root)).toContain('index.js:1')
  const findings = join(root, '.audit-tools/audit/audit-findings.json')
  expect(run('remediate-code', 'plan', '--from', findings)).toContain('index.js')
  expect(run('remediate', '--version')).toBe(run('remediate-code', '--version'))
})
