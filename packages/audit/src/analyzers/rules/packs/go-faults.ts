import { hint, likely, minor, type PatternRule } from '../pattern-rule.ts'
import { base, call } from './go-matchers.ts'

/** Go: unsafe formats, slow patterns, weak cryptography and dropped errors. */
export const goFaultRules: readonly PatternRule[] = [
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
