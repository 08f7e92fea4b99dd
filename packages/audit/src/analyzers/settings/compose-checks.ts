import { isSecretInClear } from './secret-values.ts'
import type { SettingCheck, SettingMatch } from './setting-check.ts'
import type { Entry, SettingFile } from './setting-file.ts'

const base = { target: 'compose' } as const

function matchEntries({ entries }: SettingFile, holds: (entry: Entry) => boolean): SettingMatch[] {
  return entries
    .filter((entry) => entry.path[0] === 'services' && holds(entry))
    .map(({ offset }) => ({ offset }))
}

/** `NAME: value` and `- NAME=value` below `environment`. */
function findSecrets({ entries, text }: SettingFile): SettingMatch[] {
  return entries.flatMap((entry) => {
    if (entry.path[0] !== 'services' || !entry.path.includes('environment')) return []
    const last = entry.path.at(-1)
    const [name, value] =
      typeof last === 'number' ? splitOnce(entry.value) : [last ?? '', entry.value]
    if (!isSecretInClear(name, value)) return []
    const start = text.indexOf(value, entry.offset)
    return [
      {
        offset: entry.offset,
        detail: `\`${name}\`.`,
        secret: { start, end: start + value.length },
      },
    ]
  })
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf('=')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

export const composeChecks: readonly SettingCheck[] = [
  {
    ...base,
    id: 'compose-privileged',
    title: 'Privileged container',
    severity: 'medium',
    standing: 'finding',
    cwe: 'CWE-250',
    message:
      'A privileged container can use every device and leave its isolation: its root is root of the host.',
    suggestion: 'Add the single capabilities or devices it needs with cap_add and devices.',
    find: (file) =>
      matchEntries(file, ({ path, value }) => path.at(-1) === 'privileged' && value === 'true'),
    positive: `services:
  app:
    image: app:1
    privileged: true
`,
    negative: `services:
  app:
    image: app:1
    privileged: false
`,
  },
  {
    ...base,
    id: 'compose-docker-socket',
    title: 'Container that controls the Docker daemon',
    severity: 'medium',
    standing: 'finding',
    cwe: 'CWE-250',
    message:
      'Whoever takes over this container can start others with the whole disk of the host mounted.',
    suggestion:
      'Put a proxy that allows only the calls it needs between the container and the socket.',
    find: (file) =>
      matchEntries(
        file,
        ({ path, value }) => path.includes('volumes') && value.includes('/docker.sock'),
      ),
    positive: `services:
  app:
    volumes:
      - /var/run/docker.sock:/var/run/docker.sock
`,
    negative: `services:
  app:
    volumes:
      - ./data:/data
`,
  },
  {
    ...base,
    id: 'compose-secret-in-clear',
    title: 'Secret in a compose file',
    severity: 'medium',
    standing: 'lead',
    cwe: 'CWE-798',
    message:
      'The value is in the repository and all its copies; whether it is more than a default for development, somebody has to see:',
    suggestion: 'Read it from an env file that is not committed, or use secrets.',
    find: findSecrets,
    positive: `services:
  db:
    environment:
      - MYSQL_ROOT_PASSWORD=Zx81mQp4Lr7c
`,
    negative: `services:
  db:
    environment:
      MYSQL_ROOT_PASSWORD: \${MYSQL_ROOT_PASSWORD}
      MYSQL_USER: shop
`,
  },
]
