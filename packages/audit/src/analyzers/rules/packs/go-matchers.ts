import type { Matcher } from '../pattern-rule.ts'

export const base = { lens: 'security', languages: ['go'] } as const

const text: Matcher = {
  any: [{ kind: 'interpreted_string_literal' }, { kind: 'raw_string_literal' }],
}

/** A text put together from a literal and a variable, by `+` or by fmt.Sprintf. */
const composed: Matcher = {
  any: [
    {
      kind: 'binary_expression',
      all: [{ has: { ...text, stopBy: 'end' } }, { has: { kind: 'identifier', stopBy: 'end' } }],
    },
    {
      kind: 'call_expression',
      all: [
        { has: { field: 'function', regex: '^fmt\\.Sprintf$' } },
        {
          has: {
            field: 'arguments',
            has: {
              any: [
                { kind: 'identifier' },
                { kind: 'selector_expression' },
                { kind: 'call_expression' },
              ],
            },
          },
        },
        { regex: '%[sv+]' },
      ],
    },
  ],
}

/** A variable that the same function puts together that way. */
const composedBefore: Matcher = {
  all: [
    { kind: 'identifier', pattern: '$TEXT' },
    {
      inside: {
        any: [
          { kind: 'function_declaration' },
          { kind: 'method_declaration' },
          { kind: 'func_literal' },
        ],
        stopBy: 'end',
        has: {
          any: [{ kind: 'short_var_declaration' }, { kind: 'assignment_statement' }],
          stopBy: 'end',
          all: [
            { has: { field: 'left', has: { pattern: '$TEXT' } } },
            { has: { field: 'right', has: composed } },
          ],
        },
      },
    },
  ],
}

export const built: Matcher = { any: [composed, composedBefore] }
export const request: Matcher = {
  regex:
    '\\br(eq|equest)?\\.(URL\\.(Path|Query\\(\\))|FormValue\\(|PostFormValue\\(|Header\\.Get\\(|PathValue\\()',
}

export function call(callee: string, argument: Matcher): Matcher {
  return {
    all: [
      { kind: 'call_expression' },
      { has: { field: 'function', regex: `^(?:${callee})$` } },
      { has: { field: 'arguments', has: argument } },
    ],
  }
}

export const sqlText =
  '(?is)["`](\\s|\\()*(select\\s.*\\sfrom|insert\\s+into|update\\s.*\\sset|delete\\s+from|drop\\s+table)\\b'
