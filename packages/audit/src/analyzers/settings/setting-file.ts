import { type Document, isMap, isScalar, isSeq, parseDocument, type ParsedNode } from 'yaml'

import { type DockerInstruction, parseDockerfile } from './parse-dockerfile.ts'

export type SettingTarget = 'workflow' | 'dockerfile' | 'compose' | 'package' | 'credentials'

const targets: readonly (readonly [SettingTarget, RegExp])[] = [
  ['workflow', /^\.github\/workflows\/[^/]+\.ya?ml$|(^|\/)action\.ya?ml$/],
  ['dockerfile', /(^|\/)(Dockerfile|Containerfile)([.-][\w.-]+)?$|\.dockerfile$/i],
  ['compose', /(^|\/)(docker-)?compose([.-][\w.-]+)?\.ya?ml$/],
  ['package', /(^|\/)package\.json$/],
  [
    'credentials',
    /(^|\/)(\.env(\.[\w.-]+)?|[\w.-]+\.env|\.netrc|_netrc|\.git-credentials|\.pgpass|\.htpasswd|\.aws\/credentials|\.docker\/config\.json|\.dockercfg)$/,
  ],
]

/** Code and prose about settings, such as `dockerfile-checks.ts`, sets nothing. */
const code = /\.(?:[cm]?[jt]sx?|py|go|java|rb|php|rs|cs|c|cc|cpp|h|md|txt|html|css)$/i

/** What a file sets, by its path, or undefined when nothing here looks at it. */
export function decideTarget(path: string): SettingTarget | undefined {
  if (code.test(path)) return undefined
  return targets.find(([, pattern]) => pattern.test(path))?.[0]
}

/** A scalar of a YAML or JSON file with the keys that lead to it. */
export interface Entry {
  /** Names of keys, indices of list items. */
  readonly path: readonly (string | number)[]
  readonly value: string
  readonly offset: number
}

/** Errors are not told, so neither is their place worked out, which for thousands of them takes minutes. */
const parseOptions = { logLevel: 'silent', prettyErrors: false, uniqueKeys: false } as const

/** A settings file; what it means is worked out when a check first asks. */
export class SettingFile {
  readonly path: string
  readonly text: string
  #entries: readonly Entry[] | undefined
  #instructions: readonly DockerInstruction[] | undefined

  constructor(path: string, text: string) {
    this.path = path
    this.text = text
  }

  /** Every scalar of the YAML or JSON document; those before a syntax error when there is one. */
  get entries(): readonly Entry[] {
    this.#entries ??= listEntries(parseDocument(this.text, parseOptions))
    return this.#entries
  }

  get instructions(): readonly DockerInstruction[] {
    this.#instructions ??= parseDockerfile(this.text)
    return this.#instructions
  }
}

/** Deeper than any settings file; keeps hostile nesting off the stack. */
const depthLimit = 60

function listEntries(document: Document.Parsed): Entry[] {
  const entries: Entry[] = []
  const visit = (node: ParsedNode | null, path: readonly (string | number)[]): void => {
    if (node === null || path.length > depthLimit) return
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        visit(value, [...path, isScalar(key) ? String(key.value) : ''])
      }
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) visit(item, [...path, index])
    } else if (isScalar(node)) {
      entries.push({ path, value: readScalar(node.value), offset: node.range[0] })
    }
  }
  visit(document.contents, [])
  return entries
}

/** `null` and an absent value are empty; everything else is what the file says. */
function readScalar(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
