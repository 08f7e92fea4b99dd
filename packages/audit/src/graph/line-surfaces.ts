import type { FileSurface } from './facts.ts'

interface SurfacePattern {
  readonly languages: ReadonlySet<string>
  readonly kind: FileSurface['kind']
  /** Tried on each line; `name`, and `method` before it where there is one, make up the surface's name. */
  readonly pattern: RegExp
}

const python = new Set(['Python'])
const go = new Set(['Go'])
const jvm = new Set(['Java', 'Kotlin', 'Groovy'])
const csharp = new Set(['C#'])
const rust = new Set(['Rust'])

const patterns: readonly SurfacePattern[] = [
  {
    languages: python,
    kind: 'http_route',
    pattern:
      /^\s*@\w+\.(?<method>route|get|post|put|delete|patch|websocket)\(\s*["'](?<name>[^"']*)/,
  },
  {
    languages: python,
    kind: 'http_route',
    pattern: /^\s*(?<method>path|re_path)\(\s*r?["'](?<name>[^"']*)["']\s*,/,
  },
  {
    languages: python,
    kind: 'cli_command',
    pattern: /(?:^\s*@\w+\.command|\.add_parser)\(\s*["'](?<name>[^"']+)/,
  },
  {
    languages: go,
    kind: 'http_route',
    pattern:
      /\.(?<method>HandleFunc|Handle|GET|POST|PUT|DELETE|PATCH|Get|Post|Put|Delete|Patch)\(\s*"(?<name>(?:[A-Z]+ )?\/[^"]*)"\s*,/,
  },
  { languages: go, kind: 'cli_command', pattern: /^\s*Use:\s*"(?<name>[^"]+)"/ },
  {
    languages: jvm,
    kind: 'http_route',
    pattern:
      /^\s*@(?<method>Get|Post|Put|Delete|Patch|Request)Mapping\b(?:\(\s*(?:(?:value|path)\s*=\s*)?"(?<name>[^"]*)")?/,
  },
  { languages: jvm, kind: 'http_route', pattern: /^\s*@(?<method>Path)\(\s*"(?<name>[^"]*)"/ },
  {
    languages: new Set(['Ruby']),
    kind: 'http_route',
    pattern: /^\s*(?<method>get|post|put|patch|delete|match)[\s(]+["'](?<name>\/[^"']*)["']/,
  },
  {
    languages: new Set(['PHP']),
    kind: 'http_route',
    pattern: /\bRoute::(?<method>get|post|put|patch|delete|any|match)\(\s*["'](?<name>[^"']*)/,
  },
  {
    languages: csharp,
    kind: 'http_route',
    pattern: /^\s*\[Http(?<method>Get|Post|Put|Delete|Patch)\b(?:\(\s*"(?<name>[^"]*)")?/,
  },
  {
    languages: csharp,
    kind: 'http_route',
    pattern: /\.Map(?<method>Get|Post|Put|Delete|Patch)\(\s*"(?<name>[^"]*)"/,
  },
  {
    languages: rust,
    kind: 'http_route',
    pattern: /^\s*#\[(?<method>get|post|put|delete|patch)\("(?<name>[^"]*)"/,
  },
  {
    languages: rust,
    kind: 'http_route',
    pattern: /\.(?<method>route)\(\s*"(?<name>\/[^"]*)"\s*,/,
  },
]

/** Lines above this length were not written by a person. */
const MAX_LINE = 1000
const comment = /^\s*(?:\/\/|#(?!\[)|\*|--)/

/** Routes and commands that a program registers by the usual calls and annotations, by the look of the line. */
export function extractLineSurfaces(language: string, text: string): FileSurface[] {
  const used = patterns.filter(({ languages }) => languages.has(language))
  if (used.length === 0) return []
  return text.split(/\r\n|\n|\r/).flatMap((line, index) => {
    if (line.length > MAX_LINE || comment.test(line)) return []
    for (const { kind, pattern } of used) {
      const groups = pattern.exec(line)?.groups
      if (!groups) continue
      const method = groups['method']?.toUpperCase()
      const name = [method, groups['name']].filter((part) => part !== undefined).join(' ')
      return [{ kind, name, line: index + 1 }]
    }
    return []
  })
}
