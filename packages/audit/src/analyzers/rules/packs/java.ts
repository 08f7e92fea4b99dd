import { hint, likely, type Matcher, minor, type PatternRule, sure } from '../pattern-rule.ts'

const base = { lens: 'security', languages: ['java'] } as const

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

const built: Matcher = { any: [composed, composedBefore] }
const notLiteral: Matcher = {
  any: [{ kind: 'identifier' }, { kind: 'method_invocation' }, { kind: 'binary_expression' }],
}
const request: Matcher = {
  regex:
    '\\b(request|req|httpRequest)\\.(getParameter|getHeader|getPathInfo|getRequestURI|getQueryString)\\(',
}

function call(name: string, argument: Matcher): Matcher {
  return {
    all: [
      { kind: 'method_invocation' },
      { has: { field: 'name', regex: `^(?:${name})$` } },
      { has: { field: 'arguments', has: argument } },
    ],
  }
}

function creation(type: string, argument: Matcher): Matcher {
  return {
    all: [
      { kind: 'object_creation_expression' },
      { has: { field: 'type', regex: `^(?:${type})$` } },
      { has: { field: 'arguments', has: argument } },
    ],
  }
}

const sqlText =
  '(?is)"(\\s|\\()*(select\\s.*\\sfrom|from\\s+\\w+|insert\\s+into|update\\s.*\\sset|delete\\s+from)\\b'

export const javaRules: readonly PatternRule[] = [
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
  {
    ...base,
    id: 'java-unsafe-deserialization',
    title: 'Deserialiser that can run code',
    category: 'deserialization',
    severity: 'high',
    cwe: 'CWE-502',
    message:
      'The data decides which classes are created and which of their methods run while it is read.',
    suggestion:
      'Use JSON into fixed types, or an ObjectInputFilter that allows only the classes you expect.',
    needs: /ObjectInputStream|XMLDecoder|XStream|new Yaml\(/,
    cases: [
      { matcher: creation('XMLDecoder', notLiteral), verdict: likely },
      {
        matcher: {
          all: [
            creation('ObjectInputStream', {
              any: [
                { kind: 'identifier' },
                { kind: 'method_invocation' },
                { kind: 'object_creation_expression' },
              ],
            }),
            { inside: { kind: 'method_declaration', stopBy: 'end', regex: 'readObject\\(\\)' } },
            {
              not: {
                inside: { kind: 'program', stopBy: 'end', regex: 'ObjectInputFilter|resolveClass' },
              },
            },
          ],
        },
        verdict: likely,
      },
      {
        matcher: {
          all: [
            call('load|loadAs', notLiteral),
            { has: { field: 'object', regex: '^new Yaml\\(\\)$' } },
          ],
        },
        verdict: likely,
      },
    ],
    positive: `import java.io.*;
class A { Object read(InputStream in) throws Exception { return new ObjectInputStream(in).readObject(); } }
`,
    negative: `import java.io.*;
class A { int read(InputStream in) throws Exception { return new DataInputStream(in).readInt(); } }
`,
  },
  {
    ...base,
    id: 'java-regex-exponential',
    title: 'Regular expression with exponential backtracking',
    category: 'regex',
    severity: 'high',
    cwe: 'CWE-1333',
    message:
      'Each further character doubles the time of a failing match, so a short text stops a thread.',
    suggestion:
      'Make the repeated parts start with different characters, or limit the length of the text first.',
    needs: /Pattern\.compile|\.matches\(|replaceAll|replaceFirst/,
    cases: [
      {
        matcher: call('compile|matches|replaceAll|replaceFirst', {
          kind: 'string_literal',
          nthChild: 1,
          pattern: '$REGEX',
        }),
        regexVariable: 'REGEX',
        verdict: sure,
      },
    ],
    positive: `class A { boolean isList(String text) { return text.matches("(\\\\w+,?)+$"); } }
`,
    negative: `class A { boolean isList(String text) { return text.matches("\\\\w+(,\\\\w+)*"); } }
`,
  },
  {
    ...base,
    id: 'java-weak-crypto',
    title: 'Broken or weakened cryptography',
    category: 'crypto',
    severity: 'medium',
    cwe: 'CWE-327',
    message: 'The algorithm or setting no longer protects what it is used for.',
    suggestion:
      'Use SHA-256 or better, AES/GCM/NoPadding, a password hash, and keep certificate checks on.',
    needs: /Cipher\.getInstance|MessageDigest|TrustManager|HostnameVerifier|checkServerTrusted/,
    cases: [
      {
        matcher: {
          all: [
            call('getInstance', {
              kind: 'string_literal',
              regex: '(?i)^"(DES|DESede|RC4|RC2|Blowfish|ARCFOUR|[^"]*/ECB/[^"]*)',
            }),
            { has: { field: 'object', regex: 'Cipher$' } },
          ],
        },
        verdict: likely,
      },
      {
        matcher: {
          kind: 'method_declaration',
          all: [
            { has: { field: 'name', regex: '^checkServerTrusted$' } },
            { has: { field: 'body', regex: '^\\{\\s*\\}$' } },
          ],
        },
        verdict: sure,
      },
      {
        matcher: {
          all: [
            call('getInstance', { kind: 'string_literal', regex: '(?i)^"(MD2|MD4|MD5|SHA-?1)"$' }),
            { has: { field: 'object', regex: 'MessageDigest$' } },
          ],
        },
        verdict: hint,
      },
    ],
    positive: `class A { Object cipher() throws Exception { return javax.crypto.Cipher.getInstance("AES/ECB/PKCS5Padding"); } }
`,
    negative: `class A { Object cipher() throws Exception { return javax.crypto.Cipher.getInstance("AES/GCM/NoPadding"); } }
`,
  },
  {
    ...base,
    id: 'java-swallowed-error',
    title: 'Every error is caught and dropped',
    category: 'error-handling',
    lens: 'reliability',
    severity: 'low',
    cwe: 'CWE-390',
    message:
      'The handler catches all errors, also those nobody expected, and does nothing with them.',
    suggestion: 'Catch the exception that is expected, and log or rethrow the others.',
    needs: /catch\s*\([^)]*(Exception|Throwable)[^)]*\)\s*\{\s*\}/,
    cases: [
      {
        matcher: {
          all: [
            {
              kind: 'catch_clause',
              has: {
                kind: 'catch_formal_parameter',
                regex: '^(final\\s+)?(Exception|Throwable)\\s',
              },
            },
            { has: { field: 'body', regex: '^\\{\\s*\\}$' } },
            {
              not: {
                has: { kind: 'catch_formal_parameter', regex: '\\b(ignored?|expected|unused)$' },
              },
            },
          ],
        },
        verdict: minor,
      },
    ],
    positive: `class A { void load() { try { read(); } catch (Exception e) { } } }
`,
    negative: `class A { void load() { try { read(); } catch (java.io.FileNotFoundException e) { create(); } } }
`,
  },
]
