import { hint, likely, sure, type PatternRule } from '../pattern-rule.ts'
import {
  base,
  built,
  notLiteral,
  request,
  call,
  shellTrue,
  shellCall,
  subprocessCall,
  sqlText,
} from './python-matchers.ts'

/** Python: text from variables and requests that becomes a command, code, SQL or a path. */
export const pythonInjectionRules: readonly PatternRule[] = [
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
        matcher: {
          all: [
            call('open|send_file|os\\.path\\.join|os\\.(remove|unlink|listdir)|shutil\\.\\w+', {
              any: [{ nthChild: 1 }],
            }),
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
]
