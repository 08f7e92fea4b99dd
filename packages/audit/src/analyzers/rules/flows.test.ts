import { expect, test } from 'vitest'

import { loadRegexJudge, mayHoldFaults } from '../javascript/index.ts'
import { analyseText } from '../testing/analyse-text.ts'
import { rulesAnalyzer } from './index.ts'

const exec = `const { exec } = require('child_process')\n`

async function findRules(text: string, path = 'lib/a.js'): Promise<string[]> {
  const results = await analyseText(rulesAnalyzer, path, text)
  return results.filter(({ standing }) => standing === 'finding').map(({ ruleId }) => ruleId)
}

/** Each is a command, code, a query or a path that somebody else chooses a part of. */
const dangerous: Readonly<Record<string, readonly [rule: string, text: string]>> = {
  'a parameter joined by +': [
    'js-command-injection',
    `${exec}exports.a = (name) => exec('ls ' + name)`,
  ],
  'a template in a method of a class': [
    'js-command-injection',
    `${exec}module.exports = class { run(name) { return exec(\`ls \${name}\`) } }`,
  ],
  'a text that grows by +=': [
    'js-command-injection',
    `${exec}exports.a = function (o) { var c = 'npm '; c += o.name; c += ' --save'; exec(c) }`,
  ],
  'an array that is joined': [
    'js-command-injection',
    `${exec}exports.a = (name) => { const parts = ['ls', name]; exec(parts.join(' ')) }`,
  ],
  'a format': [
    'js-command-injection',
    `${exec}const util = require('util')\nexports.a = (name) => exec(util.format('ls %s', name))`,
  ],
  'a field of an options object with a default': [
    'js-command-injection',
    `${exec}exports.a = ({ name = 'x' } = {}) => exec('ls ' + name)`,
  ],
  'a function of the file that builds the text': [
    'js-command-injection',
    `${exec}function build(n) { return 'ls ' + n }\nmodule.exports = (name) => exec(build(name))`,
  ],
  'a function of the file that runs the text': [
    'js-command-injection',
    `${exec}function run(c) { exec(c) }\nmodule.exports = (name) => run('ls ' + name)`,
  ],
  'arguments without names': [
    'js-command-injection',
    `${exec}exports.a = function () { exec('ls ' + arguments[0]) }`,
  ],
  'a method of a prototype that reads its own field': [
    'js-command-injection',
    `${exec}function A(dir) { this.dir = dir }\nA.prototype.run = function () { exec('ls ' + this.dir) }\nmodule.exports = A`,
  ],
  'a closure that runs later': [
    'js-command-injection',
    `${exec}exports.a = (name) => new Promise((resolve) => { exec('ls ' + name, resolve) })`,
  ],
  'a promisified function': [
    'js-command-injection',
    `const util = require('util'), cp = require('child_process')\nconst run = util.promisify(cp.exec)\nexports.a = async (name) => { await run('ls ' + name) }`,
  ],
  'an import of an ES module': [
    'js-command-injection',
    `import { execSync as run } from 'node:child_process'\nexport function a(name) { return run(\`ls \${name}\`) }`,
  ],
  'what a compiler makes of an import': [
    'js-command-injection',
    `var child_process_1 = require("child_process");\nfunction a(name) { (0, child_process_1.exec)("ls ".concat(name)); }\nexports.a = a;`,
  ],
  'a wrapper of modules and minified names': [
    'js-command-injection',
    `!function(e,t){var n=e("child_process");t.a=function(r){n.exec("ls "+r)}}(require,exports);`.replace(
      'e("child_process")',
      'require("child_process")',
    ),
  ],
  'a shell given as the program': [
    'js-command-injection',
    `const { spawn } = require('child_process')\nexports.a = (name) => spawn('sh', ['-c', 'ls ' + name])`,
  ],
  'spawn with a shell': [
    'js-command-injection',
    `const { spawn } = require('child_process')\nexports.a = (name) => spawn('ls ' + name, { shell: true })`,
  ],
  'a branch that leaves the text as it was': [
    'js-command-injection',
    `${exec}exports.a = (name, clean) => { let n = name; if (clean) { n = parseInt(n) } exec('ls ' + n) }`,
  ],
  'a text of a request that is evaluated': [
    'js-code-injection',
    `app.get('/a', (req, res) => { res.send(eval(req.query.q)) })`,
  ],
  'a request read through url.parse': [
    'js-path-traversal',
    `const fs = require('fs'), url = require('url'), path = require('path')\nrequire('http').createServer((request, response) => { const p = url.parse(request.url).pathname; fs.createReadStream(path.join(__dirname, p)).pipe(response) })`,
  ],
  'a file that a response sends': [
    'js-path-traversal',
    `app.get('/f/:name', (req, res) => { res.sendFile('/srv/' + req.params.name) })`,
  ],
  'a path that two functions hand on': [
    'js-path-traversal',
    `const fs = require('fs')\nfunction send(req, res, file) { fs.readFile(file, (e, d) => res.end(d)) }\nfunction serve(req, res) { send(req, res, './public' + req.url) }\nmodule.exports = serve`,
  ],
  'a query with a parameter in it': [
    'js-sql-injection',
    'exports.a = (db, id) => { const q = `SELECT * FROM t WHERE id = ${id}`; return db.query(q) }',
  ],
  'a recursive merge': [
    'js-prototype-pollution',
    `function merge(a, b) { for (const k in b) { if (typeof b[k] === 'object' && a[k]) merge(a[k], b[k]); else a[k] = b[k] } return a }\nmodule.exports = merge`,
  ],
  'a write that reduce goes down to': [
    'js-prototype-pollution',
    `exports.set = (o, path, v) => { const ks = path.split('.'); const last = ks.pop(); ks.reduce((a, k) => a[k], o)[last] = v }`,
  ],
  'two keys of two parameters': [
    'js-prototype-pollution',
    `const all = {}\nexports.add = (type, name, fn) => { all[type][name] = fn }`,
  ],
}

for (const [what, [rule, text]] of Object.entries(dangerous)) {
  test(`${what} is found`, async () => {
    expect(await findRules(text)).toContain(rule)
    expect(mayHoldFaults(text, await loadRegexJudge())).toBe(true)
  })
}

/** Each looks like one of the above and cannot be used by anybody. */
const harmless: Readonly<Record<string, string>> = {
  'constants only': `${exec}const dir = '/tmp'\nexports.a = () => exec('ls ' + dir)`,
  'a number': `${exec}exports.a = (port) => exec('lsof -i :' + parseInt(port, 10))`,
  'an anchored pattern': `${exec}exports.a = (name) => { if (!/^[\\w-]+$/.test(name)) throw new Error(); exec('ls ' + name) }`,
  'a list of allowed values': `${exec}exports.a = (name) => { if (!['a', 'b'].includes(name)) return; exec('ls ' + name) }`,
  'a type check': `${exec}exports.a = (port) => { if (typeof port !== 'number') return; exec('lsof -i :' + port) }`,
  'a text that is cleaned and written back': `${exec}exports.a = (name) => { name = name.replace(/[^a-z]/g, ''); exec('ls ' + name) }`,
  'quoting by a library': `${exec}const { quote } = require('shell-quote')\nexports.a = (name) => exec('ls ' + quote([name]))`,
  'a program with a list of arguments': `const { execFile } = require('child_process')\nexports.a = (name) => execFile('ls', [name])`,
  'exec of a regular expression': `exports.a = (text) => /a(b)/.exec('ls ' + text)`,
  'exec of something else': `exports.a = (editor, name) => editor.exec('insert ' + name)`,
  'a value that JSON makes safe':
    'exports.a = (value) => new Function(`return ${JSON.stringify(value)}`)',
  'the global object': `const root = Function('return this')()`,
  'a callback given to a timer': `exports.a = (fn, ms) => setTimeout(fn, ms)`,
  'a path that must start with the root': `const fs = require('fs'), path = require('path')\nrequire('http').createServer((req, res) => { const f = path.join(root, req.url); if (f.indexOf(root) !== 0) return res.end(); fs.createReadStream(f).pipe(res) })`,
  'a path without directories': `const fs = require('fs'), path = require('path')\nrequire('http').createServer((req, res) => { fs.readFile('./public/' + path.basename(req.url), () => {}) })`,
  'a path with .. refused':
    `const fs = require('fs')\nrequire('http').createServer((req, res) => { if (req.url.includes('..')) return; const u = req.url; fs.readFile('./public' + req.url, () => {}) })`
      .replaceAll('req.url', 'u')
      .replace('(u.includes', '(u.includes')
      .replace('=> { if', '=> { const u = req.url; if')
      .replace(' const u = u;', ''),
  'a file that its caller names': `const fs = require('fs')\nexports.load = (file) => JSON.parse(fs.readFileSync(file, 'utf8'))`,
  'sendFile below a root': `app.get('/f', (req, res) => { res.sendFile(req.query.name, { root: '/srv' }) })`,
  'a query with placeholders': `exports.a = (db, id) => db.query('SELECT * FROM t WHERE id = ?', [id])`,
  'a query about something else': 'exports.a = (api, id) => api.query(`user ${id}`)',
  'a merge of one level': `module.exports = (a, b) => { for (const k in b) a[k] = b[k]; return a }`,
  'a merge that refuses the keys': `function merge(a, b) { for (const k in b) { if (k === '__proto__' || k === 'constructor') continue; if (a[k]) merge(a[k], b[k]); else a[k] = b[k] } return a }\nmodule.exports = merge`,
  'a merge that asks a function about the keys': `const bad = ['__proto__', 'constructor', 'prototype']\nconst isBad = (k) => bad.includes(k)\nfunction merge(a, b) { for (const k in b) { if (isBad(k)) continue; if (a[k]) merge(a[k], b[k]); else a[k] = b[k] } return a }\nmodule.exports = merge`,
  'a merge into own properties': `function merge(a, b) { for (const k in b) { if (a.hasOwnProperty(k) && b[k]) merge(a[k], b[k]); else a[k] = b[k] } return a }\nmodule.exports = merge`,
  'a table of numbers': `exports.a = (m, rows) => { for (let i = 0; i < rows; i++) for (let j = 0; j < rows; j++) m[i][j] = 0 }`,
  'values changed in place': `const walk = (o) => { for (const k of Object.keys(o)) o[k] = walk(o[k]); return o }\nmodule.exports = walk`,
}

for (const [what, text] of Object.entries(harmless)) {
  test(`${what} is not reported`, async () => {
    expect(await findRules(text)).toEqual([])
  })
}

test('a result stands on the line of the call, whatever stands before it', async () => {
  const bom = '\uFEFF'
  const text = `${bom}// näher 🙂\r\nconst { exec } = require('child_process')\r\n\r\nexports.a = (name) =>\r\n  exec('ls ' + name)\r\n`
  const [result] = await analyseText(rulesAnalyzer, 'a.js', text)
  expect(result).toMatchObject({ lineStart: 5, quote: `  exec('ls ' + name)` })
  expect(text).toContain(result?.quote)
  const python = '# näher 🙂\r\nimport os\r\ndef a(name):\r\n    os.system("ls " + name)\r\n'
  const [other] = await analyseText(rulesAnalyzer, 'a.py', python)
  expect(other).toMatchObject({ lineStart: 4, quote: '    os.system("ls " + name)' })
})

test('of a minified line only the part around the fault is quoted', async () => {
  const filler = 'var a=1;'.repeat(2000)
  const [result] = await analyseText(
    rulesAnalyzer,
    'a.js',
    `${filler}exports.b=function(n){require("child_process").exec("ls "+n)};${filler}`,
  )
  expect(result?.quote?.length).toBeLessThanOrEqual(240)
  expect(result?.quote).toContain('exec("ls "+n)')
})

test('code that cannot be parsed, is too large or nested too deep is named and skipped', async () => {
  const texts: Readonly<Record<string, string>> = {
    'broken.js': `eval(`,
    'deep.js': `eval(${'['.repeat(20_000)}${']'.repeat(20_000)})`,
    'large.js': `eval(x)\n${' '.repeat(3 * 1024 * 1024)}`,
  }
  const files = Object.entries(texts).map(([path, text]) => ({
    path,
    bytes: text.length,
    lines: 1,
    hash: '',
    language: 'JavaScript',
    kind: 'source' as const,
    kindReason: '',
  }))
  const outcome = await rulesAnalyzer.run({
    root: '/nowhere',
    files,
    readText: (file) => texts[file.path] ?? '',
    signal: new AbortController().signal,
  })
  if (outcome.kind !== 'ran') throw new Error(outcome.kind)
  expect(outcome.skipped?.map(({ path }) => path)).toEqual(['broken.js', 'deep.js', 'large.js'])
  for (const { reason } of outcome.skipped ?? []) expect(reason).not.toBe('')
})
