import { isSecretInClear } from './secret-values.ts'
import type { SettingCheck, SettingMatch } from './setting-check.ts'
import type { SettingFile } from './setting-file.ts'

const base = { target: 'credentials' } as const

/** Names of files that are meant to be filled in by whoever copies them. */
const template = /example|sample|template|dist$|default|test|\.ci$/i
const environmentFile = /(^|\/)(\.env(\.[\w.-]+)?|[\w.-]+\.env)$/

const assignment =
  /^[ \t]*(?:export[ \t]+)?([\w.-]{1,200})[ \t]{0,80}=[ \t]{0,80}([^\n\r]{0,2000})/gm

function findEnvironmentSecrets({ path, text }: SettingFile): SettingMatch[] {
  if (!environmentFile.test(path) || template.test(path.slice(path.lastIndexOf('/') + 1))) return []
  const matches = Array.from(text.matchAll(assignment)).flatMap((match) => {
    const [whole, name = '', value = ''] = match
    if (!isSecretInClear(name, value.replace(/\s+#.*$/, ''))) return []
    const end = match.index + whole.length
    return [
      { offset: match.index, detail: `\`${name}\`.`, secret: { start: end - value.length, end } },
    ]
  })
  return matches
}

/** What each kind of file holds besides comments and settings. */
const stores: readonly (readonly [path: RegExp, secret: RegExp])[] = [
  [/(^|\/)[._]netrc$/, /\bpassword\s+(\S+)/g],
  [/(^|\/)\.git-credentials$/, /:\/\/[^\s:@/]+:([^\s@/]+)@/g],
  [/(^|\/)\.pgpass$/, /^(?!#)(?:[^:\n]*:){4}([^\n\r]+)$/gm],
  [/(^|\/)\.htpasswd$/, /^[^:#\n]+:(\S+)$/gm],
  [/(^|\/)\.aws\/credentials$/, /aws_secret_access_key\s*=\s*(\S+)/gi],
  [/(^|\/)(\.docker\/config\.json|\.dockercfg)$/, /"auth"\s*:\s*"([^"]+)"/g],
]

function findStoredSecrets({ path, text }: SettingFile): SettingMatch[] {
  const pattern = stores.find(([name]) => name.test(path))?.[1]
  if (pattern === undefined) return []
  return Array.from(text.matchAll(pattern), (match) => {
    const [whole, value = ''] = match
    const start = match.index + whole.lastIndexOf(value)
    return { offset: match.index, secret: { start, end: start + value.length } }
  })
}

export const credentialChecks: readonly SettingCheck[] = [
  {
    ...base,
    id: 'committed-environment-file',
    title: 'Secret in a committed environment file',
    severity: 'high',
    standing: 'finding',
    cwe: 'CWE-798',
    message: 'Everybody who can read the repository or any copy of its history can use it:',
    suggestion:
      'Change the secret, remove the file from git and ignore it; commit an example without values.',
    find: findEnvironmentSecrets,
    positive: `DATABASE_HOST=localhost
SESSION_SECRET=Zx81mQp4Lr7c
`,
    negative: `DATABASE_HOST=localhost
SESSION_SECRET=changeme
API_TOKEN=
API_TOKEN_FILE=/run/secrets/api-token
`,
  },
  {
    ...base,
    id: 'committed-credential-store',
    title: 'Credential store in the repository',
    severity: 'high',
    standing: 'finding',
    cwe: 'CWE-798',
    message: 'Everybody who can read the repository or any copy of its history can use it.',
    suggestion: 'Change the password or key, and remove the file from git.',
    find: findStoredSecrets,
    positive: `machine example.com login bob password Zx81mQp4Lr7c
`,
    negative: `# machine example.com login bob
`,
  },
]
