import type { SettingCheck } from './setting-check.ts'
import { pipedDownload } from './shell-text.ts'

const base = { target: 'package' } as const

const installHooks = new Set([
  'preinstall',
  'install',
  'postinstall',
  'preprepare',
  'prepare',
  'postprepare',
])

/** Programs and code that fetch, or that run text given on the command line. */
const fetching =
  /\b(curl|wget|Invoke-WebRequest|iwr)\b|https?:\/\/|\bnode\s+(-e|--eval|-p)\b.{0,1000}\b(http|https|fetch|child_process|eval)\b|\bbase64\s+(-d|--decode)\b|\bnc\s+-/

const dependencyFields = new Set([
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
])

export const packageChecks: readonly SettingCheck[] = [
  {
    ...base,
    id: 'package-fetching-hook',
    title: 'Install hook that fetches code',
    severity: 'medium',
    standing: 'finding',
    cwe: 'CWE-494',
    message:
      'The hook runs on every machine that installs the package, with what the other end sends at that moment.',
    suggestion:
      'Ship what is needed in the package, or as an optional dependency with a fixed version.',
    find: ({ entries }) =>
      entries
        .filter(
          ({ path: [field, name], value }) =>
            field === 'scripts' && installHooks.has(String(name)) && fetching.test(value),
        )
        .map(({ offset }) => ({ offset })),
    positive: `{ "scripts": { "postinstall": "curl -o tool https://example.com/tool && chmod +x tool" } }
`,
    negative: `{ "scripts": { "postinstall": "node build.js", "docs": "curl https://example.com/style.css" } }
`,
  },
  {
    ...base,
    id: 'package-piped-download',
    title: 'Package script runs what it downloads',
    severity: 'low',
    standing: 'finding',
    cwe: 'CWE-494',
    message:
      'Whatever the other end sends at that moment runs with the rights of whoever starts the script.',
    suggestion: 'Download a fixed version, compare its checksum, then run it.',
    find: ({ entries }) =>
      entries
        .filter(({ path: [field], value }) => field === 'scripts' && pipedDownload.test(value))
        .map(({ offset }) => ({ offset })),
    positive: `{ "scripts": { "setup": "curl https://example.com/setup.sh | sh" } }
`,
    negative: `{ "scripts": { "setup": "curl https://example.com/data.json | jq ." } }
`,
  },
  {
    ...base,
    id: 'package-unencrypted-dependency',
    title: 'Dependency fetched without encryption',
    severity: 'medium',
    standing: 'finding',
    cwe: 'CWE-319',
    message: 'Anybody on the way can put other code into this dependency.',
    suggestion: 'Use the registry, or an https or ssh address with a fixed commit.',
    find: ({ entries }) =>
      entries
        .filter(
          ({ path: [field], value }) =>
            dependencyFields.has(String(field)) && /^(git\+)?http:|^git:/.test(value),
        )
        .map(({ offset }) => ({ offset })),
    positive: `{ "dependencies": { "tool": "http://example.com/tool.tgz" } }
`,
    negative: `{ "dependencies": { "tool": "git+https://example.com/tool.git#v1", "other": "^1.0.0" } }
`,
  },
]
