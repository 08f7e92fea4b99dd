import type { RegexJudge } from './regex-backtracking.ts'

/** Words without which no sink of `sinks.ts` can be in a file. */
const sinkWords = [
  /child[-_/]?process|shelljs|execa|cross-spawn|exec-sh|sync-exec|async-execute|shell-exec|node-exec|promised-exec|exec-then/i,
  /(?<![.\w$])(exec|execSync|execAsync|execPromise|execCommand|runCommand|shellExec|execShell|sh|shell|spawn|spawnSync|execFile|execFileSync)\s*\(/,
  /\b(cp|proc|child|shell|sh|ssh|this|self|that|exports|utils?|helpers?|cmd)\.(exec|execSync|execAsync|execPromise|execCommand|runCommand|shellExec|execShell|sh|shell|spawn|spawnSync|execFile|execFileSync)\s*\(/i,
  /\b(eval|execScript|Function)\b\s*\)?\s*\(|['"](node:)?vm2?['"]|\bset(Timeout|Interval)\(\s*(['"`]|[\w.]+\s*\+)/,
  /\b(readFile|createReadStream|writeFile|createWriteStream|appendFile|open|unlink|rmdir|rm|readdir|outputFile|remove|readJson|readJSON|sendFile|sendfile|download)(Sync)?\b/,
  /\b(select|insert|update|delete|drop|create|alter)\b[\s\S]*\.(query|execute|exec|raw|run|all|get|each|prepare|\$queryRawUnsafe|\$executeRawUnsafe)\s*\(|\.(query|execute|exec|raw|run|all|get|each|prepare|\$queryRawUnsafe|\$executeRawUnsafe)\s*\(\s*[`'"]\s*\(?\s*(select|insert|update|delete|drop|create|alter)\b/i,
  /node-serialize|serialize-to-js|funcster|cryo/,
]

/** A write by key beside something that gives keys: without both, no write can change a prototype. */
const computedWrite = /\]\s*=(?![=>])/
const keySource =
  /\.split\(|\bin\b|\.keys\(|\.entries\(|\.shift\(|\.reduce|\]\s*\[|\.forEach\(|\barguments\b/

const constructedRegex = /\bRegExp\(\s*['"`]/

/**
 * Whether a file can hold anything that the JavaScript rules look for. A few linear scans instead of a parse; it may
 * say yes for nothing, never no for something the rules would find.
 */
export function mayHoldFaults(text: string, judge: RegexJudge): boolean {
  if (sinkWords.some((words) => words.test(text))) return true
  if (computedWrite.test(text) && keySource.test(text)) return true
  if (constructedRegex.test(text)) return true
  return listRegexLiterals(text).some(({ source, flags }) => judge(source, flags) !== undefined)
}

/** What may stand before a regular expression, as far as one character (or a keyword) tells it from a division. */
const regexLiteral =
  /(?:[(,=:[!&|?{};+~>\n]|\b(?:return|typeof|case|in|of|do|else|void|delete|await|yield))[ \t]*\/((?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/g

/** Everything in a text that looks like a regular expression literal; parts of comments and strings among it. */
export function listRegexLiterals(text: string): { source: string; flags: string }[] {
  return Array.from(text.matchAll(regexLiteral), ([, source = '', flags = '']) => ({
    source,
    flags,
  }))
}
