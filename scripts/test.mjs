// `npm test`: installs, builds and runs every check and test; the last line is `N passed, N failed`.
// FULL=1 runs the slow matrices whole. `--no-install` skips the install step.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { buildIfStale, installDependencies, requireNode, root, run } from './setup.mjs'

requireNode()
const started = Date.now()
const reports = mkdtempSync(join(tmpdir(), 'audit-tools-test-'))
const totals = { passed: 0, failed: 0 }
const failures = []

if (!process.argv.includes('--no-install')) step('install', installDependencies)
step('format', () => run('oxfmt', ['--check']))
step('lint', () => run('oxlint', ['--type-aware', '--deny-warnings']))
step('types', () => run('turbo', ['run', 'typecheck', '--output-logs=errors-only']))
step('architecture', () =>
  run('depcruise', ['packages', 'examples', '--config', '.dependency-cruiser.mjs']),
)
step('unused code', () => run('knip', []))
tests('unit')
step('build', buildIfStale)
step('package checks', () => run(process.execPath, ['scripts/check-packages.mjs']))
tests('e2e')

rmSync(reports, { recursive: true })
for (const name of failures) console.log(`failed: ${name}`)
console.log(`Took ${Math.round((Date.now() - started) / 1000)} s.`)
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exitCode = totals.failed === 0 ? 0 : 1

/** A check that counts as one. */
function step(name, check) {
  const from = Date.now()
  console.log(`\n== ${name}`)
  const ok = check() === 0
  console.log(`== ${name}: ${ok ? 'ok' : 'FAILED'} in ${((Date.now() - from) / 1000).toFixed(1)} s`)
  totals[ok ? 'passed' : 'failed'] += 1
  if (!ok) failures.push(name)
}

/** A vitest project, each of whose tests counts; a run that dies without a report counts as one failure. */
function tests(project) {
  console.log(`\n== ${project} tests`)
  const file = join(reports, `${project}.json`)
  const args = ['run', '--project', project, '--reporter=default', '--reporter=json']
  const code = run('vitest', [...args, `--outputFile.json=${file}`])
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    totals.passed += report.numPassedTests
    // A file that could not be loaded fails without a failed test of its own.
    const broken = report.testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && assertionResults.every((one) => one.status !== 'failed'),
    )
    const failed = report.numFailedTests + broken.length
    totals.failed += failed
    // Errors outside any test (an unhandled rejection) fail the run without failing a test.
    if (failed === 0 && code !== 0) totals.failed += 1
    if (code !== 0 || failed > 0) failures.push(`${project} tests`)
    if (report.numTotalTests === 0) throw new Error('no test ran')
  } catch (error) {
    totals.failed += 1
    failures.push(
      `${project} tests: no readable report (${error.message}), exit code ${code} in ${root}`,
    )
  }
}
