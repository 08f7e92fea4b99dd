import { hint, likely, minor, sure, type PatternRule } from '../pattern-rule.ts'
import { base, built, notLiteral, request, call, option, exceptPass } from './python-matchers.ts'

/** Python: unsafe formats, slow patterns, weak cryptography and dropped errors. */
export const pythonFaultRules: readonly PatternRule[] = [
  {
    ...base,
    id: 'py-unsafe-deserialization',
    title: 'Deserialiser that can run code',
    category: 'deserialization',
    severity: 'high',
    cwe: 'CWE-502',
    message:
      'This format can name any function to be called while it is read, so whoever made the data runs code here.',
    suggestion: 'Use JSON, or yaml.safe_load; sign pickles that never leave your own processes.',
    needs: /pickle|marshal|yaml|jsonpickle|dill|shelve/,
    cases: [
      {
        matcher: {
          all: [
            call('yaml\\.(load|load_all)', notLiteral),
            { not: option('Loader\\s*=\\s*[\\w.]*(Safe|Base)Loader') },
            { not: { regex: '(Safe|Base)Loader' } },
          ],
        },
        verdict: sure,
      },
      {
        matcher: call('(?:c?[pP]ickle|dill|marshal)\\.(?:loads|load)|jsonpickle\\.decode', {
          any: [request, built],
        }),
        verdict: sure,
      },
      {
        matcher: call('(?:c?[pP]ickle|dill)\\.loads|jsonpickle\\.decode', notLiteral),
        verdict: likely,
      },
      {
        matcher: call('(?:c?[pP]ickle|dill|marshal)\\.load|marshal\\.loads', notLiteral),
        verdict: hint,
      },
    ],
    positive: `import yaml
def read(text):
    return yaml.load(text)
`,
    negative: `import yaml
def read(text):
    return yaml.load(text, Loader=yaml.SafeLoader) or yaml.safe_load(text)
`,
  },
  {
    ...base,
    id: 'py-regex-exponential',
    title: 'Regular expression with exponential backtracking',
    category: 'regex',
    severity: 'high',
    cwe: 'CWE-1333',
    message:
      'Each further character doubles the time of a failing match, so a short text stops the process.',
    suggestion:
      'Make the repeated parts start with different characters, or limit the length of the text first.',
    needs: /\bre\.(compile|match|search|fullmatch|sub|split|findall|finditer)\s*\(/,
    cases: [
      {
        matcher: call('re\\.(compile|match|search|fullmatch|sub|split|findall|finditer)', {
          kind: 'string',
          pattern: '$REGEX',
        }),
        regexVariable: 'REGEX',
        verdict: sure,
      },
    ],
    positive: `import re
def is_list(text):
    return re.match(r"^(\\w+,?)+$", text)
`,
    negative: `import re
def is_list(text):
    return re.match(r"^\\w+(,\\w+)*$", text)
`,
  },
  {
    ...base,
    id: 'py-weak-crypto',
    title: 'Broken or weakened cryptography',
    category: 'crypto',
    severity: 'medium',
    cwe: 'CWE-327',
    message: 'The algorithm or setting no longer protects what it is used for.',
    suggestion:
      'Use SHA-256 or better, AES-GCM, a password hash such as scrypt or Argon2, and keep certificate checks on.',
    needs: /hashlib|MD5|SHA1?\b|DES|ARC4|MODE_ECB|_create_unverified_context|verify\s*=\s*False/,
    cases: [
      {
        matcher: call('hashlib\\.(md5|sha1)', { regex: '(?i)passw|secret|token' }),
        verdict: likely,
      },
      {
        matcher: {
          all: [
            { kind: 'call' },
            { has: { field: 'function', regex: '^(DES3?|ARC4|ARC2|Blowfish)\\.new$' } },
          ],
        },
        verdict: likely,
      },
      { matcher: { kind: 'attribute', regex: '^\\w+\\.MODE_ECB$' }, verdict: likely },
      {
        matcher: { kind: 'attribute', regex: '^ssl\\._create_unverified_context$' },
        verdict: likely,
      },
      {
        matcher: {
          all: [
            {
              kind: 'call',
              has: { field: 'function', regex: '^(requests|httpx|session|self\\.session)\\.\\w+$' },
            },
            option('verify\\s*=\\s*False'),
          ],
        },
        verdict: likely,
      },
      {
        matcher: {
          all: [
            { kind: 'call' },
            { has: { field: 'function', regex: '^hashlib\\.(md5|sha1)$' } },
            { not: { regex: 'usedforsecurity\\s*=\\s*False' } },
          ],
        },
        verdict: hint,
      },
    ],
    positive: `import hashlib
def store(password):
    return hashlib.md5(password.encode()).hexdigest()
`,
    negative: `import hashlib
def store(password, salt):
    return hashlib.scrypt(password, salt=salt, n=2**14, r=8, p=1)
`,
  },
  {
    ...base,
    id: 'py-swallowed-error',
    title: 'Every error is caught and dropped',
    category: 'error-handling',
    lens: 'reliability',
    severity: 'low',
    cwe: 'CWE-390',
    message:
      'The handler catches all errors, also those nobody expected, and does nothing with them.',
    suggestion: 'Catch the error that is expected, and log or re-raise the others.',
    needs: /\bexcept\b/,
    cases: [
      {
        matcher: {
          all: [
            { kind: 'except_clause', regex: '^except\\s*:' },
            exceptPass,
            { not: { has: { kind: 'comment', stopBy: 'end' } } },
          ],
        },
        verdict: minor,
      },
      {
        matcher: {
          all: [
            { kind: 'except_clause', regex: '^except\\s+(BaseException|Exception)\\b' },
            exceptPass,
            { not: { has: { kind: 'comment', stopBy: 'end' } } },
          ],
        },
        verdict: hint,
      },
    ],
    positive: `def load(path):
    try:
        return open(path).read()
    except:
        pass
`,
    negative: `def load(path):
    try:
        return open(path).read()
    except FileNotFoundError:
        pass
`,
  },
]
