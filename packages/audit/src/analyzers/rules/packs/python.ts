import { hint, likely, type Matcher, minor, type PatternRule, sure } from '../pattern-rule.ts'

const base = { lens: 'security', languages: ['python'] } as const

/** A text put together from a literal and something that is not constant. */
const composed: Matcher = {
  all: [
    {
      any: [
        { kind: 'binary_operator', has: { kind: 'string', stopBy: 'end' } },
        { kind: 'string', has: { kind: 'interpolation' } },
        { kind: 'call', has: { field: 'function', regex: '\\.format$' } },
      ],
    },
    {
      any: [
        { has: { kind: 'identifier', regex: '[a-z]', stopBy: 'end' } },
        { has: { kind: 'attribute', stopBy: 'end' } },
      ],
    },
    { not: { regex: 'quote\\(|escape\\(|int\\(' } },
  ],
}

/** A variable that the same function puts together that way. */
const composedBefore: Matcher = {
  all: [
    { kind: 'identifier', pattern: '$TEXT' },
    {
      inside: {
        kind: 'function_definition',
        stopBy: 'end',
        has: {
          kind: 'assignment',
          stopBy: 'end',
          all: [
            { has: { field: 'left', pattern: '$TEXT' } },
            { has: { field: 'right', ...composed } },
          ],
        },
      },
    },
  ],
}

const built: Matcher = { any: [composed, composedBefore] }
const notLiteral: Matcher = {
  any: [
    { kind: 'identifier' },
    { kind: 'attribute' },
    { kind: 'subscript' },
    { kind: 'call' },
    { kind: 'binary_operator' },
    { kind: 'string', has: { kind: 'interpolation' } },
  ],
}
/** What a web framework hands over from the request. */
const request: Matcher = {
  regex:
    '\\brequest\\.(args|form|values|json|files|cookies|headers|GET|POST|data|query_params|get_json|path_params)\\b',
}

function call(callee: string, argument: Matcher, more: Matcher = { kind: 'call' }): Matcher {
  return {
    all: [
      { kind: 'call' },
      { has: { field: 'function', regex: `^(?:${callee})$` } },
      { has: { field: 'arguments', has: { nthChild: 1, ...argument } } },
      more,
    ],
  }
}

function option(text: string): Matcher {
  return { has: { field: 'arguments', has: { kind: 'keyword_argument', regex: `^(?:${text})$` } } }
}

const shellTrue = option('shell\\s*=\\s*True')
const shellCall =
  'os\\.(system|popen)|commands\\.(getoutput|getstatusoutput)|subprocess\\.(getoutput|getstatusoutput)'
const subprocessCall = '(?:subprocess\\.)?(?:run|call|Popen|check_output|check_call)'
const exceptPass: Matcher = { has: { kind: 'block', has: { kind: 'pass_statement', nthChild: 1 } } }

export const pythonRules: readonly PatternRule[] = [
  {
    ...base,
    id: 'py-command-injection',
    title: 'Shell command built from variables',
    category: 'injection',
    severity: 'high',
    cwe: 'CWE-78',
    message: 'A shell interprets quotes, `;`, `|` and `$()` in what is put into this command line.',
    suggestion:
      'Pass a list of arguments to subprocess.run without shell=True, or quote each part with shlex.quote.',
    needs: /os\.system|popen|commands\.get|subprocess|shell\s*=\s*True/,
    cases: [
      { matcher: call(shellCall, built), verdict: sure },
      { matcher: call(subprocessCall, built, shellTrue), verdict: sure },
      { matcher: call(shellCall, notLiteral), verdict: hint },
      { matcher: call(subprocessCall, notLiteral, shellTrue), verdict: hint },
    ],
    positive: `import os
def ping(host):
    os.system("ping -c 1 " + host)
`,
    negative: `import os, subprocess
def ping(host):
    os.system("ping -c 1 localhost")
    subprocess.run(["ping", "-c", "1", host])
`,
  },
  {
    ...base,
    id: 'py-code-injection',
    title: 'Code evaluated from a variable',
    category: 'injection',
    severity: 'high',
    cwe: 'CWE-94',
    message:
      'The text is run as Python with the rights of this process, so whoever chooses it runs code of their own.',
    suggestion: 'Use ast.literal_eval for data, or a table of allowed functions.',
    needs: /\b(eval|exec)\s*\(/,
    cases: [
      { matcher: call('eval|exec', { any: [built, request] }), verdict: sure },
      { matcher: call('eval', notLiteral), verdict: likely },
      { matcher: call('exec', notLiteral), verdict: hint },
    ],
    positive: `def calculate(formula):
    return eval("(" + formula + ")")
`,
    negative: `import ast
def calculate(formula):
    eval("1 + 1")
    return ast.literal_eval(formula)
`,
  },
  {
    ...base,
    id: 'py-sql-injection',
    title: 'SQL put together from variables',
    category: 'injection',
    severity: 'high',
    cwe: 'CWE-89',
    message:
      'Quotes in the variable end the literal it stands in, so whoever chooses it changes the statement.',
    suggestion: 'Pass the values as the second argument of execute.',
    needs: /\.(execute|executemany|raw|executescript)\s*\(/,
    cases: [
      {
        matcher: {
          all: [
            call('[\\s\\S]*\\.(execute|executemany|executescript|raw)', built),
            {
              any: [
                { regex: sqlText() },
                { inside: { kind: 'function_definition', stopBy: 'end', regex: sqlText() } },
              ],
            },
          ],
        },
        verdict: sure,
      },
    ],
    positive: `def find(cursor, name):
    cursor.execute("SELECT * FROM users WHERE name = '%s'" % name)
`,
    negative: `def find(cursor, name):
    cursor.execute("SELECT * FROM users WHERE name = %s", (name,))
`,
  },
  {
    ...base,
    id: 'py-path-traversal',
    title: 'File path taken from a request',
    category: 'path-traversal',
    severity: 'high',
    cwe: 'CWE-22',
    message:
      'With `..` in it the path leaves the directory it is meant for, and any file of this process can be reached.',
    suggestion:
      'Use werkzeug.utils.safe_join or send_from_directory, or compare os.path.realpath with the root.',
    needs: /\brequest\./,
    cases: [
      {
        matcher: call(
          'open|send_file|os\\.path\\.join|os\\.(remove|unlink|listdir)|shutil\\.\\w+',
          request,
        ),
        verdict: sure,
      },
      {
        matcher: {
          all: [
            { kind: 'call' },
            { has: { field: 'function', regex: '^(open|send_file|os\\.path\\.join)$' } },
            { has: { field: 'arguments', has: request } },
            { not: { regex: 'secure_filename|basename' } },
          ],
        },
        verdict: sure,
      },
    ],
    positive: `import os
from flask import request
def download():
    return open(os.path.join("files", request.args["name"])).read()
`,
    negative: `import os
from flask import request
from werkzeug.utils import secure_filename
def download():
    return open(os.path.join("files", secure_filename(request.args["name"]))).read()
`,
  },
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

function sqlText(): string {
  return '(?is)["\'](\\s|\\()*(select\\s.*\\sfrom|insert\\s+into|update\\s.*\\sset|delete\\s+from|drop\\s+table)\\b'
}
