import type { Matcher } from '../pattern-rule.ts'

export const base = { lens: 'security', languages: ['java'] } as const

/** A text put together from a literal and a variable, by `+` or by String.format. */
const composed: Matcher = {
  any: [
    {
      kind: 'binary_expression',
      all: [
        { has: { kind: 'string_literal', stopBy: 'end' } },
        { has: { kind: 'identifier', regex: '[a-z]', stopBy: 'end' } },
      ],
    },
    {
      kind: 'method_invocation',
      all: [
        { regex: '^String\\.format\\(|"\\.formatted\\(' },
        { has: { kind: 'identifier', regex: '^[a-z]', stopBy: 'end' } },
      ],
    },
  ],
}

/** A variable that the same method puts together that way. */
const composedBefore: Matcher = {
  all: [
    { kind: 'identifier', pattern: '$TEXT' },
    {
      inside: {
        any: [{ kind: 'method_declaration' }, { kind: 'constructor_declaration' }],
        stopBy: 'end',
        has: {
          stopBy: 'end',
          any: [
            {
              kind: 'variable_declarator',
              all: [
                { has: { field: 'name', pattern: '$TEXT' } },
                { has: { field: 'value', ...composed } },
              ],
            },
            {
              kind: 'assignment_expression',
              all: [
                { has: { field: 'left', pattern: '$TEXT' } },
                { has: { field: 'right', ...composed } },
              ],
            },
          ],
        },
      },
    },
  ],
}

export const built: Matcher = { any: [composed, composedBefore] }
export const notLiteral: Matcher = {
  any: [{ kind: 'identifier' }, { kind: 'method_invocation' }, { kind: 'binary_expression' }],
}
export const request: Matcher = {
  regex:
    '\\b(request|req|httpRequest)\\.(getParameter|getHeader|getPathInfo|getRequestURI|getQueryString)\\(',
}

export function call(name: string, argument: Matcher): Matcher {
  return {
    all: [
      { kind: 'method_invocation' },
      { has: { field: 'name', regex: `^(?:${name})$` } },
      { has: { field: 'arguments', has: argument } },
    ],
  }
}

export function creation(type: string, argument: Matcher): Matcher {
  return {
    all: [
      { kind: 'object_creation_expression' },
      { has: { field: 'type', regex: `^(?:${type})$` } },
      { has: { field: 'arguments', has: argument } },
    ],
  }
}

export const sqlText =
  '(?is)"(\\s|\\()*(select\\s.*\\sfrom|from\\s+\\w+|insert\\s+into|update\\s.*\\sset|delete\\s+from)\\b'
