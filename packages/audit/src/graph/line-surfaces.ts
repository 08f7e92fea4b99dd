import type { FileSurface } from './facts.ts'

interface SurfacePattern {
  readonly languages: ReadonlySet<string>
  readonly kind: FileSurface['kind']
  /** Tried on each line; `method` and `name` make up the surface's name. */
  readonly pattern: RegExp
}

const jvm = new Set(['Java', 'Kotlin', 'Groovy'])

const patterns: readonly SurfacePattern[] = [
  {
    languages: new Set(['Python']),
    kind: 'http_route',
    pattern:
      /^\s*@\w+\.(?<method>route|get|post|put|delete|patch|websocket)\(\s*["'](?<name>[^"']*)/,
  },
  {
    languages: new Set(['Python']),
    kind: 'http_route',
    pattern: /^\s*(?<method>path|re_path)\(\s*r?["'](?<name>[^"']*)["']\s*,/,
  },
  {
    languages: new Set(['Python']),
    kind: 'cli_command',
    pattern: /^\s*@\w+\.command\(\s*["'](?<name>[^"']+)|\.add_parser\(\s*["'](?<name>[^"']+)/,
  },
  {
    languages: new Set(['Go']),
    kind: 'http_route',
    pattern:
      /\.(?<method>HandleFunc|Handle|GET|POST|PUT|DELETE|PATCH|Get|Post|Put|Delete|Patch)\(\s*"(?<name>(?:[A-Z]+ )?\/[^"]*)"\s*,/,
  },
  { languages: new Set(['Go']), kind: 'cli_command', pattern: /^\s*Use:\s*"(?<name>[^"]+)"/ },
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
    pattern: /^\s*(?<method>get|post|put|patch|delete|match)\s*\(?\s*["'](?<name>\/[^"']*)["']/,
  },
  {
    languages: new Set(['PHP']),
    kind: 'http_route',
    pattern: /\bRoute::(?<method>get|post|put|patch|delete|any|match)\(\s*["'](?<name>[^"']*)/,
  },
  {
    languages: new Set(['C#']),
    kind: 'http_route',
    pattern:
      /^\s*\[Http(?<method>Get|Post|Put|Delete|Patch)(?:\(\s*"(?<name>[^"]*)")?|\.Map(?<method>Get|Post|Put|Delete|Patch)\(\s*"(?<name>[^"]*)"/,
  },
  {
    languages: new Set(['Rust']),
    kind: 'http_route',
    pattern:
      /^\s*#\[(?<method>get|post|put|delete|patch)\("(?<name>[^"]*)"|\.(?<method>route)\(\s*"(?<name>\/[^"]*)"\s*,/,
  },
]
