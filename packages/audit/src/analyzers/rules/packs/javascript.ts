import { hint, likely, type Matcher, type PatternRule, sure } from '../pattern-rule.ts'

const base = { lens: 'security', languages: ['javascript', 'typescript'] } as const

function call(callee: string, argument: Matcher): Matcher {
  return {
    all: [
      { kind: 'call_expression' },
      { has: { field: 'function', regex: `(?:^|\\.)(?:${callee})$` } },
      { has: { field: 'arguments', has: argument } },
    ],
  }
}

/** A call of node:crypto, not of a library with functions of the same names. */
function nodeCrypto(name: string, argument: Matcher): Matcher {
  return {
    all: [
      { kind: 'call_expression' },
      { has: { field: 'function', regex: `^(?:\\w*crypto\\w*\\.(?:default\\.)?)?${name}$` } },
      { has: { field: 'arguments', has: argument } },
    ],
  }
}

export const javascriptRules: readonly PatternRule[] = [
  {
    ...base,
    id: 'js-weak-cipher',
    title: 'Broken cipher, or one without an initialisation vector',
    category: 'crypto',
    severity: 'medium',
    cwe: 'CWE-327',
    message:
      'DES, RC4 and ECB no longer hide what they encrypt; createCipher derives its key and vector from the password alone.',
    suggestion: 'Use createCipheriv with aes-256-gcm, a random vector and a key from scrypt.',
    needs: /createCipher|createDecipher/,
    cases: [
      {
        matcher: nodeCrypto('create(?:C|Dec)ipher', { nthChild: 1 }),
        verdict: likely,
      },
      {
        matcher: nodeCrypto('create(?:C|Dec)ipheriv', {
          kind: 'string',
          nthChild: 1,
          regex: '(?i)^.(des|rc[24]|bf|blowfish|.*-ecb)',
        }),
        verdict: likely,
      },
    ],
    positive: `const crypto = require('crypto')
exports.hide = (key, text) => crypto.createCipher('aes192', key).update(text)
`,
    negative: `const crypto = require('crypto')
exports.hide = (key, iv, text) => crypto.createCipheriv('aes-256-gcm', key, iv).update(text)
`,
  },
  {
    ...base,
    id: 'js-weak-hash',
    title: 'Password or token hashed with MD5 or SHA-1',
    category: 'crypto',
    severity: 'medium',
    cwe: 'CWE-328',
    message:
      'These digests are computed in billions per second and collide, so they do not protect a secret.',
    suggestion: 'Use crypto.scrypt for passwords and SHA-256 for everything else.',
    needs: /createHash\(\s*['"`](md5|sha1)['"`]/i,
    cases: [
      {
        matcher: {
          all: [
            { kind: 'call_expression' },
            { has: { field: 'arguments', regex: '(?i)passw|pwd|secret|token' } },
            {
              has: {
                field: 'function',
                regex: '(?is)createHash\\(\\s*.(md5|sha1).\\s*\\)\\s*\\.update$',
              },
            },
          ],
        },
        verdict: likely,
      },
      {
        matcher: call('createHash', { kind: 'string', regex: '(?i)^.(md5|sha1).$' }),
        verdict: hint,
      },
    ],
    positive: `const crypto = require('crypto')
exports.store = (password) => crypto.createHash('md5').update(password).digest('hex')
`,
    negative: `const crypto = require('crypto')
exports.etag = (body) => crypto.createHash('sha256').update(body).digest('hex')
`,
  },
  {
    ...base,
    id: 'js-tls-unchecked',
    title: 'Certificate checks are switched off',
    category: 'crypto',
    severity: 'high',
    cwe: 'CWE-295',
    message: 'Anybody between the two ends can read and change what is sent.',
    suggestion: 'Remove the setting, or hand the expected certificate over with `ca`.',
    needs: /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|strictSSL/,
    cases: [
      {
        matcher: {
          kind: 'pair',
          regex: '^[\'"]?(rejectUnauthorized|strictSSL)[\'"]?\\s*:\\s*(false|0|!1)$',
        },
        verdict: likely,
      },
      {
        matcher: {
          kind: 'assignment_expression',
          regex: 'NODE_TLS_REJECT_UNAUTHORIZED[\'"]?\\]?\\s*=\\s*[\'"]?0',
        },
        verdict: sure,
      },
    ],
    positive: `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
`,
    negative: `const agent = new https.Agent({ rejectUnauthorized: true })
`,
  },
  {
    ...base,
    id: 'js-insecure-random',
    title: 'Secret made with Math.random',
    category: 'crypto',
    severity: 'medium',
    cwe: 'CWE-338',
    message: 'The next values of Math.random can be computed from a few earlier ones.',
    suggestion: 'Use crypto.randomBytes, crypto.randomUUID or crypto.getRandomValues.',
    needs:
      /(token|secret|passw(or)?d|session_?id|nonce|otp|api_?key|salt)['"]?\s{0,20}[=:][^;]{0,200}Math\.random/i,
    cases: [
      {
        matcher: {
          any: [
            { kind: 'variable_declarator', has: { field: 'name', regex: secretName() } },
            { kind: 'assignment_expression', has: { field: 'left', regex: secretName() } },
            { kind: 'pair', has: { field: 'key', regex: secretName() } },
          ],
          has: {
            kind: 'call_expression',
            regex: '^Math\\.random\\(\\)$',
            stopBy: { kind: 'statement_block' },
          },
        },
        verdict: likely,
      },
    ],
    positive: `const sessionToken = Math.random().toString(36).slice(2)
`,
    negative: `const delay = Math.random() * 1000
`,
  },
  {
    ...base,
    id: 'js-unsafe-yaml',
    title: 'YAML schema that can create functions',
    category: 'deserialization',
    severity: 'high',
    cwe: 'CWE-502',
    message:
      'The full schema of js-yaml rebuilds functions from the text, so whoever made it runs code here.',
    suggestion: 'Use the default schema of js-yaml 4, or safeLoad before it.',
    needs: /DEFAULT_FULL_SCHEMA|js-yaml-js-types/,
    cases: [
      { matcher: { kind: 'pair', regex: '^schema\\s*:.*DEFAULT_FULL_SCHEMA$' }, verdict: sure },
    ],
    positive: `const yaml = require('js-yaml')
exports.read = (text) => yaml.load(text, { schema: yaml.DEFAULT_FULL_SCHEMA })
`,
    negative: `const yaml = require('js-yaml')
exports.read = (text) => yaml.load(text, { schema: yaml.JSON_SCHEMA })
`,
  },
  {
    ...base,
    id: 'js-swallowed-error',
    title: 'An error is caught and dropped',
    category: 'error-handling',
    lens: 'reliability',
    severity: 'low',
    cwe: 'CWE-390',
    message:
      'The handler catches all errors, also those nobody expected, and does nothing with them.',
    suggestion:
      'Handle the error that is expected and rethrow the others, or say in the block why none matters.',
    needs: /catch\s*(\([^()]*\))?\s*\{\s*\}/,
    cases: [
      {
        matcher: { kind: 'catch_clause', has: { field: 'body', regex: '^\\{\\s*\\}$' } },
        verdict: hint,
      },
    ],
    positive: `try { load() } catch (error) {}
`,
    negative: `try { load() } catch (error) { report(error) }
`,
  },
]

function secretName(): string {
  return '(?i)(token|secret|password|passwd|session_?id|nonce|otp|api_?key|salt)$'
}
