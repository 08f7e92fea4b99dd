import { hint, sure, type PatternRule } from '../pattern-rule.ts'
import { base, built, request, call, sqlText } from './go-matchers.ts'

/** Go: text from variables and requests that becomes a command, code, SQL or a path. */
export const goInjectionRules: readonly PatternRule[] = [
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
]
