import { posix } from 'node:path'

import type { FileReference } from './facts.ts'

interface ReferencePattern {
  readonly path: RegExp
  readonly line: RegExp
  readonly reason: (match: RegExpExecArray) => string
}

const ciFile =
  /^(\.github\/workflows\/.+|\.gitlab-ci|\.circleci\/config|azure-pipelines|bitbucket-pipelines)\.ya?ml$/

const patterns: readonly ReferencePattern[] = [
  {
    path: /(^|\/)(?:[\w.-]*\.)?(?:Docker|Container)file(?:\.[\w.-]+)?$/,
    line: /^[ \t]*(CMD|ENTRYPOINT|RUN)\b/i,
    reason: (match) => `Dockerfile ${(match[1] ?? '').toUpperCase()}`,
  },
  {
    path: ciFile,
    line: /^[ \t]*(?:-[ \t]+|run:|script:|[\w./]*node |[\w./]*python)/,
    reason: () => 'CI step',
  },
  { path: /(^|\/)Procfile$/, line: /^[\w-]+:/, reason: () => 'Procfile process' },
]

/** Lines above this length hold no command that a person wrote. */
const MAX_LINE = 2000
/** A word with an extension, as file names have. */
const fileWord = /[\w-]\.\w{1,5}$/

/** Words that may name a program file, where a container or a pipeline starts one. */
export function extractReferences(path: string, text: string): FileReference[] {
  const pattern = patterns.find((candidate) => candidate.path.test(path))
  if (!pattern) return []
  return text.split(/\r\n|\n|\r/).flatMap((line, index) => {
    const match = line.length <= MAX_LINE ? pattern.line.exec(line) : null
    if (!match) return []
    const reason = pattern.reason(match)
    return line
      .split(/[^\w@./-]+/)
      .filter((word) => fileWord.test(word))
      .map((word) => ({
        text: posix.normalize(word).replace(/^\/+/, ''),
        line: index + 1,
        reason,
      }))
  })
}
