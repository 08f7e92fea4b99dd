import type { SinkKind } from '../javascript/index.ts'
import type { RuleInfo } from './rule.ts'

/** A rule about text from outside that reaches a call in JavaScript or TypeScript. */
export interface FlowRule extends RuleInfo {
  readonly sink: SinkKind
  /** What the call does with the text, after "flows into". */
  readonly effect: string
}

const base = {
  category: 'injection',
  lens: 'security',
  languages: ['javascript', 'typescript'],
} as const

export const flowRules: readonly FlowRule[] = [
  {
    ...base,
    id: 'js-command-injection',
    title: 'Shell command built from outside text',
    sink: 'command',
    effect: 'a shell command line',
    severity: 'high',
    cwe: 'CWE-78',
    message:
      'A shell interprets quotes, `;`, `&&`, `|` and `$()` in this text, so whoever chooses it runs commands of their own.',
    suggestion:
      'Call execFile or spawn with an array of arguments and no shell, and check the text against an allow-list.',
    positive: `const { exec } = require('child_process')
module.exports = function ping(host, done) {
  exec('ping -c 1 ' + host, done)
}`,
    negative: `const { exec, execFile } = require('child_process')
module.exports = function ping(host, done) {
  exec('ping -c 1 localhost', done)
  execFile('ping', ['-c', '1', host], done)
}`,
  },
  {
    ...base,
    id: 'js-code-injection',
    title: 'Code built from outside text',
    sink: 'code',
    effect: 'evaluated code',
    severity: 'high',
    cwe: 'CWE-94',
    message:
      'The text is run as JavaScript with the rights of this process, so whoever chooses it runs code of their own.',
    suggestion:
      'Parse the text (JSON.parse, a grammar) or look the wanted function up in a table instead of evaluating it.',
    positive: `exports.calculate = function (formula) {
  return eval('(' + formula + ')')
}`,
    negative: `exports.root = function () {
  return new Function('return this')() || eval('globalThis')
}`,
  },
  {
    ...base,
    id: 'js-path-traversal',
    title: 'File path built from outside text',
    category: 'path-traversal',
    sink: 'path',
    effect: 'the path of a file',
    severity: 'high',
    cwe: 'CWE-22',
    message:
      'With `..` in it the path leaves the directory it is meant for, and any file of this process can be reached.',
    suggestion:
      'Resolve the path and require that it starts with the resolved root and a separator before the file is opened.',
    positive: `const http = require('http'), fs = require('fs'), url = require('url')
http.createServer(function (req, res) {
  const name = url.parse(req.url).pathname
  fs.readFile('./public' + name, (error, data) => res.end(data))
}).listen(80)`,
    negative: `const http = require('http'), fs = require('fs'), path = require('path')
http.createServer(function (req, res) {
  const file = path.join(root, req.url)
  if (!file.startsWith(root)) return res.end()
  fs.readFile(file, (error, data) => res.end(data))
}).listen(80)`,
  },
  {
    ...base,
    id: 'js-sql-injection',
    title: 'SQL built from outside text',
    sink: 'sql',
    effect: 'an SQL statement',
    severity: 'high',
    cwe: 'CWE-89',
    message:
      'Quotes in the text end the literal it stands in, so whoever chooses it changes the statement.',
    suggestion: 'Pass the value as a parameter of a prepared statement.',
    positive: `exports.find = (db, name) => db.query("SELECT * FROM users WHERE name = '" + name + "'")`,
    negative: `exports.find = (db, name) => db.query('SELECT * FROM users WHERE name = ?', [name])`,
  },
  {
    ...base,
    id: 'js-unsafe-deserialization',
    title: 'Outside text deserialised into code',
    category: 'deserialization',
    sink: 'deserialize',
    effect: 'a deserialiser that can create functions',
    severity: 'critical',
    cwe: 'CWE-502',
    message:
      'This deserialiser can rebuild functions and call them, so whoever chooses the text runs code of their own.',
    suggestion: 'Use JSON.parse and check the result against a schema.',
    positive: `const serialize = require('node-serialize')
exports.load = (cookie) => serialize.unserialize(cookie)`,
    negative: `exports.load = (cookie) => JSON.parse(cookie)`,
  },
]
