import { hint, likely, type Matcher, minor, type PatternRule, sure } from '../pattern-rule.ts'

const base = { lens: 'security', languages: ['go'] } as const

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

const built: Matcher = { any: [composed, composedBefore] }
const request: Matcher = {
  regex:
    '\\br(eq|equest)?\\.(URL\\.(Path|Query\\(\\))|FormValue\\(|PostFormValue\\(|Header\\.Get\\(|PathValue\\()',
}

function call(callee: string, argument: Matcher): Matcher {
  return {
    all: [
      { kind: 'call_expression' },
      { has: { field: 'function', regex: `^(?:${callee})$` } },
      { has: { field: 'arguments', has: argument } },
    ],
  }
}

const sqlText =
  '(?is)["`](\\s|\\()*(select\\s.*\\sfrom|insert\\s+into|update\\s.*\\sset|delete\\s+from|drop\\s+table)\\b'

export const goRules: readonly PatternRule[] = [
  {
    ...base,
    id: 'go-command-injection',
    title: 'Shell command built from variables',
    category: 'injection',
    severity: 'high',
    cwe: 'CWE-78',
    message: 'A shell interprets quotes, `;`, `|` and `$()` in what is put into this command line.',
    suggestion: 'Call the program itself with one argument per parameter of exec.Command.',
    needs: /exec\.Command/,
    cases: [
      {
        matcher: {
          all: [
            call('exec\\.Command(?:Context)?', {
              kind: 'interpreted_string_literal',
              regex: '^"(?:/bin/|/usr/bin/)?(?:ba|z|da)?sh"$|^"cmd(?:\\.exe)?"$|^"powershell',
            }),
            call('exec\\.Command(?:Context)?', built),
          ],
        },
        verdict: sure,
      },
      {
        matcher: {
          all: [
            call('exec\\.Command(?:Context)?', {
              kind: 'interpreted_string_literal',
              regex: '^"(?:/bin/|/usr/bin/)?(?:ba|z|da)?sh"$',
            }),
            call('exec\\.Command(?:Context)?', {
              any: [{ kind: 'identifier', regex: '^[a-z]', nthChild: { position: 'n+3' } }],
            }),
          ],
        },
        verdict: hint,
      },
    ],
    positive: `package a
import "os/exec"
func ping(host string) { exec.Command("sh", "-c", "ping -c 1 "+host).Run() }
`,
    negative: `package a
import "os/exec"
func ping(host string) { exec.Command("ping", "-c", "1", host).Run() }
`,
  },
  {
    ...base,
    id: 'go-sql-injection',
    title: 'SQL put together from variables',
    category: 'injection',
    severity: 'high',
    cwe: 'CWE-89',
    message:
      'Quotes in the variable end the literal it stands in, so whoever chooses it changes the statement.',
    suggestion: 'Pass the values as further arguments and put placeholders into the statement.',
    needs: /\.(Query|QueryRow|Exec|QueryContext|QueryRowContext|ExecContext|Raw|Prepare)\(/,
    cases: [
      {
        matcher: {
          all: [
            call(
              '[\\s\\S]*\\.(?:Query|QueryRow|Exec|QueryContext|QueryRowContext|ExecContext|Raw|Prepare)',
              built,
            ),
            {
              any: [
                { regex: sqlText },
                {
                  inside: {
                    any: [{ kind: 'function_declaration' }, { kind: 'method_declaration' }],
                    stopBy: 'end',
                    regex: sqlText,
                  },
                },
              ],
            },
          ],
        },
        verdict: sure,
      },
    ],
    positive: `package a
import "fmt"
func find(db DB, name string) { db.Query(fmt.Sprintf("SELECT * FROM users WHERE name = '%s'", name)) }
`,
    negative: `package a
func find(db DB, name string) { db.Query("SELECT * FROM users WHERE name = ?", name) }
`,
  },
  {
    ...base,
    id: 'go-path-traversal',
    title: 'File path taken from a request',
    category: 'path-traversal',
    severity: 'high',
    cwe: 'CWE-22',
    message:
      'With `..` in it the path leaves the directory it is meant for, and any file of this process can be reached.',
    suggestion:
      'Use http.FileServer or os.Root, or check filepath.IsLocal before the path is joined.',
    needs:
      /\b(os\.(Open|ReadFile|Create|OpenFile|Remove)|ioutil\.ReadFile|http\.ServeFile|filepath\.Join)\b/,
    cases: [
      {
        matcher: call(
          'os\\.(?:Open|ReadFile|Create|OpenFile|Remove|RemoveAll)|ioutil\\.ReadFile|http\\.ServeFile',
          request,
        ),
        verdict: sure,
      },
      {
        matcher: call('os\\.(?:Open|ReadFile|Create|OpenFile|Remove|RemoveAll)|ioutil\\.ReadFile', {
          all: [
            { kind: 'identifier', pattern: '$FILE' },
            {
              inside: {
                any: [
                  { kind: 'function_declaration' },
                  { kind: 'method_declaration' },
                  { kind: 'func_literal' },
                ],
                stopBy: 'end',
                all: [
                  { not: { regex: 'IsLocal|HasPrefix|filepath\\.Base|path\\.Base' } },
                  {
                    has: {
                      any: [{ kind: 'short_var_declaration' }, { kind: 'assignment_statement' }],
                      stopBy: 'end',
                      all: [
                        { has: { field: 'left', has: { pattern: '$FILE' } } },
                        { has: { field: 'right', ...request } },
                      ],
                    },
                  },
                ],
              },
            },
          ],
        }),
        verdict: sure,
      },
    ],
    positive: `package a
import ("net/http"; "os"; "path/filepath")
func get(w http.ResponseWriter, r *http.Request) { os.ReadFile(filepath.Join("files", r.FormValue("name"))) }
`,
    negative: `package a
import ("net/http"; "os")
func get(w http.ResponseWriter, r *http.Request) { os.ReadFile("files/index.html") }
`,
  },
  {
    ...base,
    id: 'go-weak-crypto',
    title: 'Broken or weakened cryptography',
    category: 'crypto',
    severity: 'medium',
    cwe: 'CWE-327',
    message: 'The algorithm or setting no longer protects what it is used for.',
    suggestion:
      'Use SHA-256 or better, AES-GCM, bcrypt for passwords, and keep certificate checks on.',
    needs: /\b(md5|sha1|des|rc4)\.|InsecureSkipVerify/,
    cases: [
      {
        matcher: { kind: 'keyed_element', regex: '^InsecureSkipVerify:\\s*true$' },
        verdict: likely,
      },
      {
        matcher: {
          kind: 'call_expression',
          has: { field: 'function', regex: '^(des\\.New(TripleDES)?Cipher|rc4\\.NewCipher)$' },
        },
        verdict: likely,
      },
      {
        matcher: call('md5\\.Sum|sha1\\.Sum', { regex: '(?i)passw|secret|token' }),
        verdict: likely,
      },
      {
        matcher: {
          kind: 'call_expression',
          has: { field: 'function', regex: '^(md5|sha1)\\.(New|Sum)$' },
        },
        verdict: hint,
      },
    ],
    positive: `package a
import "crypto/tls"
var client = tls.Config{InsecureSkipVerify: true}
`,
    negative: `package a
import "crypto/tls"
var client = tls.Config{MinVersion: tls.VersionTLS12}
`,
  },
  {
    ...base,
    id: 'go-swallowed-error',
    title: 'An error is tested and dropped',
    category: 'error-handling',
    lens: 'reliability',
    severity: 'low',
    cwe: 'CWE-390',
    message:
      'The error is looked at and nothing is done with it, so what failed goes on as if it had worked.',
    suggestion: 'Return the error, or say in the block why it does not matter.',
    needs: /!=\s*nil\s*\{\s*\}/,
    cases: [
      {
        matcher: {
          all: [
            {
              kind: 'if_statement',
              has: { field: 'condition', regex: '^\\w*[eE]rr\\w*\\s*!=\\s*nil$' },
            },
            { has: { field: 'consequence', regex: '^\\{\\s*\\}$' } },
          ],
        },
        verdict: minor,
      },
    ],
    positive: `package a
func load() { if err := read(); err != nil {
} }
`,
    negative: `package a
func load() error { if err := read(); err != nil { return err }
return nil }
`,
  },
]
