import { hint, likely, minor, sure, type PatternRule } from '../pattern-rule.ts'
import { base, notLiteral, call, creation } from './java-matchers.ts'

/** Java: unsafe formats, slow patterns, weak cryptography and dropped errors. */
export const javaFaultRules: readonly PatternRule[] = [
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
    needs: /catch\s*\([^)]{0,200}(Exception|Throwable)[^)]{0,80}\)\s*\{\s*\}/,
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
