import type { RegexJudge } from './regex-backtracking.ts'

/** Words without which no sink of `sinks.ts` can be in a file: of one group, every pattern must occur. */
const sinkWords: readonly (readonly RegExp[])[] = [
  [
    /child[-_/]?process|shelljs|execa|cross-spawn|(sync|async|shell|node|promised)-exec|exec(-sh|sync|-then)|async-execute/i,
  ],
  [
    /(?<![.\w$])(exec|execSync|execAsync|execPromise|execCommand|runCommand|shellExec|execShell|sh|shell|spawn|spawnSync|execFile|execFileSync)\s*\(/,
  ],
  [
    /\b(cp|proc|child|child_?process|shell|sh|ssh|this|self|that|exports|utils?|helpers?|cmd)\.(exec|execSync|execAsync|execPromise|execCommand|runCommand|shellExec|execShell|sh|shell)\s*\(/i,
  ],
  [/\.(spawn|spawnSync|execFile|execFileSync)\s*\(/],
  [
    /\b(eval|execScript|Function)\b\s{0,40}\)?\s{0,40}\(|['"](node:)?vm2?['"]|\bset(Timeout|Interval)\(\s*([`'"]|[\w.]+\s*\+)/,
  ],
  [/=\s*(Function|eval)\s*(?![\s.\w])/],
  [
    /['"](node:)?(fs|fs\/promises|fs-extra|graceful-fs|mz\/fs|fs-promise|then-fs|q-io\/fs|original-fs)['"]|\b_?fse?\./,
    /\b(readFile|createReadStream|writeFile|createWriteStream|appendFile|open|unlink|rmdir|rm|readdir|outputFile|remove|readJson|readJSON)(Sync)?\b/,
  ],
  [/\.(sendFile|sendfile|download)\s*\(/],
  [
    /\.(query|execute|exec|raw|run|all|get|each|prepare|\$queryRawUnsafe|\$executeRawUnsafe)\s*\(/,
    /\bselect\b[^;]{0,400}\bfrom\b|insert\s+into|\bupdate\b[^;]{0,200}\bset\b|delete\s+from|(drop|create|alter)\s+table/i,
  ],
  [/node-serialize|serialize-to-js|funcster|cryo/],
]

/** A write by key beside something that gives keys: without both, no write can change a prototype. */
const pollutionWords: readonly RegExp[] = [
  /\]\s*=(?![=>])/,
  /\.split\(|\bin\b|\.keys\(|\.entries\(|\.shift\(|\.reduce|\]\s*\[|\.forEach\(|\barguments\b/,
]

const constructedRegex = /\bRegExp\(\s*['"`]/

/**
 * Whether a file can hold anything that the JavaScript rules look for. A few linear scans instead of a parse. It may
 * say yes for nothing, and no only to a regular expression with a class of more than 400 members.
 */
export function mayHoldFaults(text: string, judge: RegexJudge): boolean {
  const holdsAll = (words: readonly RegExp[]): boolean => words.every((word) => word.test(text))
  if (sinkWords.some(holdsAll) || holdsAll(pollutionWords)) return true
  if (constructedRegex.test(text)) return true
  for (const { source, flags } of listRegexLiterals(text)) {
    if (source === undefined || judge(source, flags) !== undefined) return true
  }
  return false
}

/**
 * What may stand before a regular expression, as far as one character (or a keyword) tells it from a division; then
 * the expression itself. Every repetition is bounded, so that a line of slashes and brackets costs no more than
 * another.
 */
const regexLiteral =
  /(?:[(,=:[!&|?{};+~>\n]|\b(?:return|typeof|case|in|of|do|else|void|delete|await|yield))[ \t]{0,80}\/(?![*/])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.){0,400}\]){1,600})(?:(\/)([a-z]{0,9}))?/g
const longest = 600

/**
 * Everything in a text that looks like a regular expression literal, parts of comments and strings among it. One that
 * is too long to be read here has no source.
 */
export function* listRegexLiterals(
  text: string,
): Generator<{ readonly source: string | undefined; readonly flags: string }> {
  for (const [, source = '', end, flags = ''] of text.matchAll(regexLiteral)) {
    if (end !== undefined) yield { source, flags }
    else if (source.length >= longest) yield { source: undefined, flags: '' }
  }
}
