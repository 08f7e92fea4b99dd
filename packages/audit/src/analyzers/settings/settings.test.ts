import { expect, test } from 'vitest'

import { analyseText } from '../testing/analyse-text.ts'
import { settingChecks, settingsAnalyzer } from './index.ts'
import { decideTarget, type SettingTarget } from './setting-file.ts'

const paths: Record<SettingTarget, string> = {
  workflow: '.github/workflows/ci.yml',
  dockerfile: 'Dockerfile',
  compose: 'docker-compose.yml',
  package: 'packages/a/package.json',
  credentials: '.env.production',
}

function choosePath({ id, target }: { id: string; target: SettingTarget }): string {
  return id === 'committed-credential-store' ? '.netrc' : paths[target]
}

for (const check of settingChecks) {
  test(`${check.id} finds its positive fixture and leaves its negative one alone`, async () => {
    const path = choosePath(check)
    const found = await analyseText(settingsAnalyzer, path, check.positive, 'config')
    const own = found.filter(({ ruleId }) => ruleId === check.id)
    expect(own).toHaveLength(1)
    const [result] = own
    if (result?.isRedacted) expect(result.quote).toContain('****')
    else expect(check.positive).toContain(result?.quote)
    expect(JSON.stringify(found)).not.toContain('Zx81mQp4Lr7c')
    const spared = await analyseText(settingsAnalyzer, path, check.negative, 'config')
    expect(spared.filter(({ ruleId }) => ruleId === check.id)).toEqual([])
  })
}

test.each([
  ['Dockerfile', 'dockerfile'],
  ['docker/Dockerfile.prod', 'dockerfile'],
  ['build/app.dockerfile', 'dockerfile'],
  ['src/dockerfile-checks.ts', undefined],
  ['docs/Dockerfile.md', undefined],
  ['.github/workflows/ci.yml', 'workflow'],
  ['.env.production', 'credentials'],
  ['src/compose.ts', undefined],
])('%s is looked at as %s', (path, target) => {
  expect(decideTarget(path)).toBe(target)
})

test('a check names the line of the script that is wrong, not the start of the step', async () => {
  const [result] = await analyseText(
    settingsAnalyzer,
    paths.workflow,
    'jobs:\n  a:\n    steps:\n      - run: |\n          echo one\n          echo ${{ github.head_ref }}\n',
    'config',
  )
  expect(result).toMatchObject({ lineStart: 6, quote: '          echo ${{ github.head_ref }}' })
})

test('every way of naming the trigger of a pull request target is read', async () => {
  const step =
    'jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n        with: { ref: "${{ github.head_ref }}" }\n'
  const triggers = [
    'on: pull_request_target\n',
    'on: [push, pull_request_target]\n',
    'on:\n  pull_request_target:\n    types: [opened]\n',
    'on:\n  pull_request_target:\n',
    '"on":\n  - pull_request_target\n',
  ]
  for (const trigger of triggers) {
    const found = await analyseText(settingsAnalyzer, paths.workflow, trigger + step, 'config')
    expect(found.map(({ ruleId }) => ruleId)).toContain('workflow-checks-out-pull-request')
  }
})

test('broken, empty and hostile files give no error', async () => {
  const hostile = [
    '',
    '{',
    'a: [b',
    '&a [*a, *a]',
    '- '.repeat(5000),
    '['.repeat(3000),
    '\u0000',
    'FROM',
    '<<: *x',
  ]
  for (const path of Object.values(paths)) {
    for (const text of hostile) {
      expect(await analyseText(settingsAnalyzer, path, text, 'config')).toEqual([])
    }
  }
})
