import type { Matcher } from '../pattern-rule.ts'

export const base = { lens: 'security', languages: ['python'] } as const

/** A text put together from a literal and something that is not constant. */
const composed: Matcher = {
  all: [
    {
      any: [
        { kind: 'binary_operator', has: { kind: 'string', stopBy: 'end' } },
        { kind: 'string', has: { kind: 'interpolation' } },
        { kind: 'call', has: { field: 'function', regex: '\\.format$' } },
      ],
    },
    {
      any: [
        { has: { kind: 'identifier', regex: '[a-z]', stopBy: 'end' } },
        { has: { kind: 'attribute', stopBy: 'end' } },
      ],
    },
    { not: { regex: 'quote\\(|escape\\(|int\\(' } },
  ],
}

/** A variable that the same function puts together that way. */
const composedBefore: Matcher = {
  all: [
    { kind: 'identifier', pattern: '$TEXT' },
    {
      inside: {
        kind: 'function_definition',
        stopBy: 'end',
        has: {
          kind: 'assignment',
          stopBy: 'end',
          all: [
            { has: { field: 'left', pattern: '$TEXT' } },
            { has: { field: 'right', ...composed } },
          ],
        },
      },
    },
  ],
}

export const built: Matcher = { any: [composed, composedBefore] }
export const notLiteral: Matcher = {
  any: [
    { kind: 'identifier' },
    { kind: 'attribute' },
    { kind: 'subscript' },
    { kind: 'call' },
    { kind: 'binary_operator' },
    { kind: 'string', has: { kind: 'interpolation' } },
  ],
}
/** What a web framework hands over from the request. */
export const request: Matcher = {
  regex:
    '\\brequest\\.(args|form|values|json|files|cookies|headers|GET|POST|data|query_params|get_json|path_params)\\b',
}

export function call(callee: string, argument: Matcher, more: Matcher = { kind: 'call' }): Matcher {
  return {
    all: [
      { kind: 'call' },
      { has: { field: 'function', regex: `^(?:${callee})$` } },
      { has: { field: 'arguments', has: { nthChild: 1, ...argument } } },
      more,
    ],
  }
}

export function option(text: string): Matcher {
  return { has: { field: 'arguments', has: { kind: 'keyword_argument', regex: `^(?:${text})$` } } }
}

export const shellTrue = option('shell\\s*=\\s*True')
export const shellCall =
  'os\\.(system|popen)|commands\\.(getoutput|getstatusoutput)|subprocess\\.(getoutput|getstatusoutput)'
export const subprocessCall = '(?:subprocess\\.)?(?:run|call|Popen|check_output|check_call)'
export const exceptPass: Matcher = {
  has: { kind: 'block', has: { kind: 'pass_statement', nthChild: 1 } },
}

export function sqlText(): string {
  return '(?is)["\'](\\s|\\()*(select\\s.*\\sfrom|insert\\s+into|update\\s.*\\sset|delete\\s+from|drop\\s+table)\\b'
}
