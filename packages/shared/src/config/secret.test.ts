import { expect, test } from 'vitest'

import { describeIssue } from './describe-issue.ts'
import { looksLikeSecret } from './secret.ts'
import { SessionConfigSchema } from './session-config.ts'

function listProblems(value: unknown): string[] {
  const result = SessionConfigSchema.safeParse(value, { reportInput: true })
  return result.success ? [] : result.error.issues.flatMap(describeIssue)
}

test.each([
  'sk-proj-abcdefghij',
  'sk-ant-api03-x',
  'ghp_abcdefghijklmnop',
  'github_pat_11AAAA',
  'AKIAIOSFODNN7EXAMPLE',
  'AIzaSyA-1234',
  'xoxb-1-2',
  'eyJhbGciOiJIUzI1NiJ9.e30.x',
  'gsk_abc',
  'hf_abc',
  '0123456789abcdef0123456789abcdef',
  'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY1',
])('%s looks like a credential and is never a variable’s name', (secret) => {
  expect(looksLikeSecret(secret)).toBe(true)
  const problems = listProblems({ sources: [{ provider: 'anthropic', api_key_env: secret }] })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(
    /^sources\[0\]\.api_key_env is not the name of an environment variable/,
  )
  expect(problems[0]).not.toContain(secret)
})

test.each([
  'OPENAI_API_KEY',
  'HF_TOKEN',
  'GSK_KEY',
  'SK_TEST',
  'my_key',
  'AZURE_OPENAI_KEY_2024_EAST',
])('%s is the name of a variable', (name) => {
  expect(listProblems({ openai_compatible: { api_key_env: name } })).toEqual([])
})

test.each(['with space', '1KEY', 'KEY-NAME', '$KEY', ''])(
  '"%s" is no name of a variable',
  (name) => {
    expect(listProblems({ openai_compatible: { api_key_env: name } })).toHaveLength(1)
  },
)

test.each([
  { openai_compatible: { headers: { Authorization: 'Bearer hunter2' } } },
  { openai_compatible: { headers: { 'x-api-key': 'hunter2' } } },
  { openai_compatible: { headers: { 'X-Custom': 'sk-hunter2' } } },
  { openai_compatible: { base_url: 'https://me:hunter2@host/v1' } },
  { openai_compatible: { base_url: 'https://host/v1?api_key=hunter2' } },
  { sources: [{ provider: 'anthropic', endpoint: 'https://hunter2@host' }] },
  { subprocess_template: { env: { DB_PASSWORD: 'hunter2' } } },
  { coordination: { kind: 'redis', url: 'redis://:hunter2@host' } },
  { provider: 'sk-hunter2' },
])('%j is refused without repeating the credential', (config) => {
  const problems = listProblems(config)
  expect(problems).toHaveLength(1)
  expect(problems.join()).toContain('not shown')
  expect(problems.join()).not.toContain('hunter2')
})

test('figures and paths are no credentials', () => {
  expect(
    listProblems({
      openai_compatible: {
        headers: { 'X-Max-Tokens': '100', 'X-Team': 'blue' },
        base_url: 'https://host/v1?max_tokens=5',
      },
      subprocess_template: { env: { MAX_TOKENS: '5', PATH: '/usr/local/bin' } },
    }),
  ).toEqual([])
  expect(looksLikeSecret('packages/Core2/src/Component1/Button')).toBe(false)
})
