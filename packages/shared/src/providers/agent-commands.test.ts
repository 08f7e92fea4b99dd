import { expect, test } from 'vitest'

import type { SourceConfig } from '../config/index.ts'
import { planAgentCommand } from './agent-cli.ts'
import { agentClis } from './registry.ts'

const environment = {
  PATH: '/nowhere',
  HOME: '/home/user',
  CODEX_HOME: '/home/user/codex',
  CLAUDE_CONFIG_DIR: '/home/user/claude',
  HTTPS_PROXY: 'http://proxy:3128',
  MY_KEY: 'sk-of-mine',
  DATABASE_PASSWORD: 'not for workers',
  CLAUDECODE: '1',
}

/** One look at everything that a command consists of; a change of an argument or a variable is a change of this. */
function plan(source: Partial<SourceConfig>, mode: 'review' | 'edit'): object {
  return Object.fromEntries(
    agentClis.map((cli) => {
      const whole = { provider: cli.name, ...source }
      const { command, args, env } = planAgentCommand(cli, whole, { environment }, mode)
      return [cli.name, { line: [command, ...args].join(' '), env }]
    }),
  )
}

test('a review is read-only, whatever the user allows', () => {
  const source = { model: 'm-1', parameters: { bypass_permissions: true } }
  expect(plan(source, 'review')).toMatchInlineSnapshot(`
    {
      "claude-code": {
        "env": {
          "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
          "CLAUDE_CODE_MAX_RETRIES": "1",
          "CLAUDE_CODE_SAFE_MODE": "1",
          "CLAUDE_CONFIG_DIR": "/home/user/claude",
          "HOME": "/home/user",
          "HTTPS_PROXY": "http://proxy:3128",
          "PATH": "/nowhere",
        },
        "line": "claude -p --output-format stream-json --verbose --include-partial-messages --no-session-persistence --disable-slash-commands --setting-sources user --strict-mcp-config --tools Read,Grep,Glob --permission-mode dontAsk --model m-1",
      },
      "codex": {
        "env": {
          "CODEX_HOME": "/home/user/codex",
          "HOME": "/home/user",
          "HTTPS_PROXY": "http://proxy:3128",
          "PATH": "/nowhere",
        },
        "line": "codex exec --json --color never --ephemeral --skip-git-repo-check --ignore-rules -c project_doc_max_bytes=0 --sandbox read-only --model m-1 -",
      },
      "opencode": {
        "env": {
          "HOME": "/home/user",
          "HTTPS_PROXY": "http://proxy:3128",
          "OPENCODE_DISABLE_AUTOUPDATE": "1",
          "OPENCODE_DISABLE_PROJECT_CONFIG": "1",
          "OPENCODE_PERMISSION": "{"*":"deny","read":"allow","grep":"allow","glob":"allow","list":"allow"}",
          "PATH": "/nowhere",
        },
        "line": "opencode run --format json --title audit-tools --print-logs --log-level ERROR --model m-1",
      },
    }
  `)
})

test('an edit is confined to its directory', () => {
  expect(plan({}, 'edit')).toMatchInlineSnapshot(`
    {
      "claude-code": {
        "env": {
          "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
          "CLAUDE_CODE_MAX_RETRIES": "1",
          "CLAUDE_CODE_SAFE_MODE": "1",
          "CLAUDE_CONFIG_DIR": "/home/user/claude",
          "HOME": "/home/user",
          "HTTPS_PROXY": "http://proxy:3128",
          "PATH": "/nowhere",
        },
        "line": "claude -p --output-format stream-json --verbose --include-partial-messages --no-session-persistence --disable-slash-commands --setting-sources user --strict-mcp-config --tools Read,Grep,Glob,Edit,Write --permission-mode acceptEdits",
      },
      "codex": {
        "env": {
          "CODEX_HOME": "/home/user/codex",
          "HOME": "/home/user",
          "HTTPS_PROXY": "http://proxy:3128",
          "PATH": "/nowhere",
        },
        "line": "codex exec --json --color never --ephemeral --skip-git-repo-check --ignore-rules -c project_doc_max_bytes=0 --sandbox workspace-write -",
      },
      "opencode": {
        "env": {
          "HOME": "/home/user",
          "HTTPS_PROXY": "http://proxy:3128",
          "OPENCODE_DISABLE_AUTOUPDATE": "1",
          "OPENCODE_DISABLE_PROJECT_CONFIG": "1",
          "OPENCODE_PERMISSION": "{"*":"deny","read":"allow","grep":"allow","glob":"allow","list":"allow","edit":"allow"}",
          "PATH": "/nowhere",
        },
        "line": "opencode run --format json --title audit-tools --print-logs --log-level ERROR",
      },
    }
  `)
})

test('an edit passes over permissions only when the user says so', () => {
  const bypassing = JSON.stringify(plan({ parameters: { bypass_permissions: true } }, 'edit'))
  const asked = JSON.stringify(plan({}, 'edit'))
  for (const flag of [
    '--dangerously-skip-permissions',
    '--dangerously-bypass-approvals-and-sandbox',
    '--auto',
  ]) {
    expect(bypassing).toContain(flag)
    expect(asked).not.toContain(flag)
  }
})

test('a key goes into the variable that the CLI reads, and extra arguments stand before the dash', () => {
  const source = { api_key_env: 'MY_KEY', parameters: { extra_args: ['--profile', 'work'] } }
  expect(plan(source, 'review')).toMatchObject({
    'claude-code': { env: { ANTHROPIC_API_KEY: 'sk-of-mine' } },
    codex: {
      env: { CODEX_API_KEY: 'sk-of-mine' },
      line: expect.stringMatching(/--profile work -$/),
    },
    opencode: { env: { MY_KEY: 'sk-of-mine' } },
  })
})

test('all workers of a login share its directory, so that the CLI itself refreshes a token once (P14)', () => {
  const plans = [plan({ id: 'a' }, 'review'), plan({ id: 'b' }, 'review')]
  for (const planned of plans) {
    expect(planned).toMatchObject({
      'claude-code': { env: { HOME: '/home/user', CLAUDE_CONFIG_DIR: '/home/user/claude' } },
      codex: { env: { HOME: '/home/user', CODEX_HOME: '/home/user/codex' } },
      opencode: { env: { HOME: '/home/user' } },
    })
  }
})

test('the command line fits every system, however long the prompt is (P01)', () => {
  for (const { line } of Object.values(plan({ model: 'm'.repeat(200) }, 'review')) as {
    line: string
  }[]) {
    expect(line.length).toBeLessThan(8191)
  }
})
