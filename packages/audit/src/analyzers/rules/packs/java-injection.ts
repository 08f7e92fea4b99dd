import { hint, sure, type PatternRule } from '../pattern-rule.ts'
import { base, built, notLiteral, request, call, creation, sqlText } from './java-matchers.ts'

/** Java: text from variables and requests that becomes a command, code, SQL or a path. */
export const javaInjectionRules: readonly PatternRule[] = [
  {
    ...base,
    id: 'java-command-injection',
    title: 'Command line built from variables',
    category: 'injection',
    severity: 'high',
    cwe: 'CWE-78',
    message:
      'What is put into this command line can add arguments, and through a shell further commands.',
    suggestion: 'Use ProcessBuilder with one element per argument and no shell.',
    needs: /\.exec\(|ProcessBuilder/,
    cases: [
      {
        matcher: {
          all: [call('exec', built), { has: { field: 'object', regex: '(?i)runtime|^rt$' } }],
        },
        verdict: sure,
      },
      {
        matcher: {
          all: [
            creation('ProcessBuilder', {
              kind: 'string_literal',
              regex: '^"(?:/bin/)?(?:ba)?sh"$|^"cmd(?:\\.exe)?"$',
            }),
            creation('ProcessBuilder', built),
          ],
        },
        verdict: sure,
      },
      {
        matcher: {
          all: [call('exec', notLiteral), { has: { field: 'object', regex: '(?i)runtime|^rt$' } }],
        },
        verdict: hint,
      },
    ],
    positive: `class A { void ping(String host) throws Exception { Runtime.getRuntime().exec("ping -c 1 " + host); } }
`,
    negative: `class A { void ping(String host) throws Exception { new ProcessBuilder("ping", "-c", "1", host).start(); } }
`,
  },
  {
    ...base,
    id: 'java-code-injection',
    title: 'Script evaluated from a variable',
    category: 'injection',
    severity: 'high',
    cwe: 'CWE-94',
    message: 'The text is run as a script or an expression with the rights of this process.',
    suggestion: 'Evaluate fixed scripts only and hand values over as bindings.',
    needs: /ScriptEngine|parseExpression|GroovyShell/,
    cases: [
      { matcher: call('eval|parseExpression|evaluate', { any: [built, request] }), verdict: sure },
      {
        matcher: {
          all: [
            call('eval', notLiteral),
            { has: { field: 'object', regex: '(?i)engine|script|groovy' } },
          ],
        },
        verdict: hint,
      },
    ],
    positive: `import javax.script.ScriptEngine;
class A { Object run(ScriptEngine engine, String formula) throws Exception { return engine.eval("x = " + formula); } }
`,
    negative: `import javax.script.ScriptEngine;
class A { Object run(ScriptEngine engine) throws Exception { return engine.eval("x = 1"); } }
`,
  },
  {
    ...base,
    id: 'java-sql-injection',
    title: 'SQL put together from variables',
    category: 'injection',
    severity: 'high',
    cwe: 'CWE-89',
    message:
      'Quotes in the variable end the literal it stands in, so whoever chooses it changes the statement.',
    suggestion: 'Use a PreparedStatement with placeholders.',
    needs:
      /executeQuery|executeUpdate|prepareStatement|createQuery|createNativeQuery|\.execute\(|queryForObject|queryForList|\.query\(/,
    cases: [
      {
        matcher: {
          all: [
            call(
              'executeQuery|executeUpdate|execute|prepareStatement|createQuery|createNativeQuery|query|queryForObject|queryForList|addBatch',
              built,
            ),
            {
              any: [
                { regex: sqlText },
                { inside: { kind: 'method_declaration', stopBy: 'end', regex: sqlText } },
              ],
            },
          ],
        },
        verdict: sure,
      },
    ],
    positive: `class A { void find(java.sql.Statement s, String name) throws Exception { s.executeQuery("SELECT * FROM users WHERE name = '" + name + "'"); } }
`,
    negative: `class A { void find(java.sql.Connection c, String name) throws Exception { c.prepareStatement("SELECT * FROM users WHERE name = ?"); } }
`,
  },
  {
    ...base,
    id: 'java-path-traversal',
    title: 'File path taken from a request',
    category: 'path-traversal',
    severity: 'high',
    cwe: 'CWE-22',
    message:
      'With `..` in it the path leaves the directory it is meant for, and any file of this process can be reached.',
    suggestion:
      'Normalise the path and require that it starts with the root before the file is opened.',
    needs: /getParameter|getPathInfo|getRequestURI|getHeader/,
    cases: [
      {
        matcher: creation('File|FileInputStream|FileReader|FileOutputStream', request),
        verdict: sure,
      },
      {
        matcher: {
          all: [
            call('get|of|resolve', request),
            { has: { field: 'object', regex: '^(Paths|Path)$|[pP]ath$|[rR]oot$|[dD]ir$' } },
          ],
        },
        verdict: sure,
      },
    ],
    positive:
      `class A { Object get(javax.servlet.http.HttpServletRequest request) { return new java.io.File("files/" + request.getParameter("name")); } }
`.replace('new java.io.File', 'new File'),
    negative: `class A { Object get(javax.servlet.http.HttpServletRequest request) { String name = request.getParameter("name"); return new File("files/index.html"); } }
`,
  },
]
