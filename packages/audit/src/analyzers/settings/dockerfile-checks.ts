import type { DockerInstruction } from './parse-dockerfile.ts'
import { isSecretInClear } from './secret-values.ts'
import type { SettingCheck, SettingMatch } from './setting-check.ts'
import type { SettingFile } from './setting-file.ts'
import { pipedDownload } from './shell-text.ts'

const base = { target: 'dockerfile' } as const

function matchInstructions(
  { instructions }: SettingFile,
  name: string,
  holds: (argument: string) => boolean,
): SettingMatch[] {
  return instructions
    .filter((one) => one.name === name && holds(one.argument))
    .map(({ offset }) => ({ offset }))
}

const assignment =
  /(?<![\w.-])([\w.-]{1,200})(?:=|\s{1,80})("[^"]{0,4000}"|'[^']{0,4000}'|[^\s"']{1,4000})/g

function findSecrets(file: SettingFile): SettingMatch[] {
  return file.instructions
    .filter(({ name }) => name === 'ENV' || name === 'ARG')
    .flatMap((one) => matchSecret(file, one))
}

function matchSecret(
  { text }: SettingFile,
  { argument, offset }: DockerInstruction,
): SettingMatch[] {
  for (const [, name = '', value = ''] of argument.matchAll(assignment)) {
    if (!isSecretInClear(name, value)) continue
    const start = text.indexOf(value, offset)
    return [{ offset, detail: `\`${name}\`.`, secret: { start, end: start + value.length } }]
  }
  return []
}

/** The last stage decides who runs the image. */
function findRootUser({ instructions }: SettingFile): SettingMatch[] {
  const from = instructions.findLast(({ name }) => name === 'FROM')
  if (from === undefined) return []
  const users = instructions.filter(({ name, offset }) => name === 'USER' && offset > from.offset)
  const last = users.at(-1)
  if (last === undefined) return [{ offset: from.offset }]
  return /^(root|0)(:|$)/.test(last.argument.trim()) ? [{ offset: last.offset }] : []
}

function findLooseTags({ instructions }: SettingFile): SettingMatch[] {
  const stages = new Set<string>()
  const matches: SettingMatch[] = []
  for (const { name, argument, offset } of instructions) {
    if (name !== 'FROM') continue
    const [image = '', as = '', stage = ''] = argument.replace(/^(--\S+\s+)+/, '').split(/\s+/)
    const isOwn = image === 'scratch' || image.includes('$') || stages.has(image)
    const tag = /:([^/:@]+)$/.exec(image)?.[1]
    if (!isOwn && !image.includes('@') && (tag === undefined || tag === 'latest'))
      matches.push({ offset })
    if (as.toLowerCase() === 'as') stages.add(stage)
  }
  return matches
}

export const dockerfileChecks: readonly SettingCheck[] = [
  {
    ...base,
    id: 'docker-secret-in-image',
    title: 'Secret in the image',
    severity: 'high',
    standing: 'finding',
    cwe: 'CWE-538',
    message:
      'ENV and ARG are kept in the image and shown by `docker history` to everybody who can pull it:',
    suggestion:
      'Hand it over when the container starts, or use `RUN --mount=type=secret` while building.',
    find: findSecrets,
    positive: `FROM node:22
ENV API_TOKEN=Zx81mQp4Lr7c
`,
    negative: `FROM node:22
ARG API_TOKEN
ENV API_TOKEN=$API_TOKEN NODE_ENV=production
`,
  },
  {
    ...base,
    id: 'docker-remote-add',
    title: 'ADD from a URL without a checksum',
    severity: 'low',
    standing: 'finding',
    cwe: 'CWE-494',
    message: 'The image contains whatever the other end sends on the day of the build.',
    suggestion: 'Use ADD --checksum, or download a fixed version and compare its checksum.',
    find: (file) =>
      matchInstructions(file, 'ADD', (it) => /^(?!.*--checksum).*https?:\/\//.test(it)),
    positive: `FROM node:22
ADD https://example.com/tool.tar.gz /opt/
`,
    negative: `FROM node:22
ADD --checksum=sha256:24454f830cdb571e2c4ad15481119c43b3cafd48dd869a9b2945d1036d1dc68d https://example.com/tool.tar.gz /opt/
ADD tool.tar.gz /opt/
`,
  },
  {
    ...base,
    id: 'docker-loose-tag',
    title: 'Base image without a fixed version',
    severity: 'low',
    standing: 'finding',
    cwe: 'CWE-1357',
    message:
      'Two builds of the same commit can give different images, and a bad release arrives unseen.',
    suggestion: 'Name a version, or better a digest.',
    find: findLooseTags,
    positive: `FROM node:latest
`,
    negative: `FROM node:22 AS build
FROM build
FROM localhost:5000/base@sha256:24454f830cdb571e2c4ad15481119c43b3cafd48dd869a9b2945d1036d1dc68d
`,
  },
  {
    ...base,
    id: 'docker-piped-download',
    title: 'Build runs what it downloads',
    severity: 'low',
    standing: 'finding',
    cwe: 'CWE-494',
    message: 'Whatever the other end sends at that moment becomes part of the image.',
    suggestion: 'Download a fixed version, compare its checksum, then run it.',
    find: (file) => matchInstructions(file, 'RUN', (it) => pipedDownload.test(it)),
    positive: `FROM debian:12
RUN apt-get update && \\
    curl -fsSL https://example.com/setup.sh | bash -
`,
    negative: `FROM debian:12
RUN curl -fsSL https://example.com/list.txt | tar x
`,
  },
  {
    ...base,
    id: 'docker-root-user',
    title: 'Container runs as root',
    severity: 'low',
    standing: 'lead',
    cwe: 'CWE-250',
    message: 'A fault in the program gives its finder root in the container.',
    suggestion: 'Create a user and name it with USER in the last stage.',
    find: findRootUser,
    positive: `FROM node:22
CMD ["node", "server.js"]
`,
    negative: `FROM node:22
USER node
CMD ["node", "server.js"]
`,
  },
]
