import type { AnalyzerResult } from '../analyzer.ts'
import {
  buildModel,
  findPollutingWrites,
  findSinks,
  findSlowRegexes,
  type Node,
  type Origin,
  parseSource,
  pickStrongest,
  type RegexJudge,
  type SourceModel,
  traceOrigins,
} from '../javascript/index.ts'
import { LineIndex } from '../source-text.ts'
import { flowRules } from './flow-rules.ts'
import { judgeFlow, judgeRegex } from './judge.ts'
import type { RuleInfo } from './rule.ts'
import {
  exponentialRegexRule,
  polynomialRegexRule,
  prototypePollutionRule,
  scanningRegexRule,
} from './structure-rules.ts'
import type { Verdict } from './verdict.ts'

export type JavaScriptOutcome =
  | { readonly kind: 'analysed'; readonly results: AnalyzerResult[] }
  | { readonly kind: 'skipped'; readonly reason: string }

/** Runs every JavaScript rule that needs more than a pattern on one file, from one parse. */
export function analyseJavaScript(
  path: string,
  text: string,
  judge: RegexJudge,
): JavaScriptOutcome {
  try {
    const parsed = parseSource(path, text)
    if (parsed.kind === 'unparsable') return { kind: 'skipped', reason: parsed.reason }
    const model = buildModel(path, text, parsed.program)
    const file: FileContext = { model, lines: new LineIndex(text) }
    const results = [...reportFlows(file), ...reportPollution(file), ...reportRegexes(file, judge)]
    return { kind: 'analysed', results }
  } catch (error) {
    // Expressions nested thousands deep, as generators write them, exceed the stack.
    if (error instanceof RangeError) return { kind: 'skipped', reason: 'nested too deep' }
    throw error
  }
}

interface FileContext {
  readonly model: SourceModel
  readonly lines: LineIndex
}

const httpServer = /createServer|writeHead|\.setHeader\(|\bsendStatus\(/

function reportFlows(file: FileContext): AnalyzerResult[] {
  const servesHttp = httpServer.test(file.model.text)
  return findSinks(file.model).flatMap((sink) => {
    const rule = flowRules.find((one) => one.sink === sink.kind)
    const origin = pickStrongest(
      sink.arguments.flatMap((argument) => traceOrigins(file.model, argument, sink.use)),
    )
    if (rule === undefined || origin === undefined) return []
    const verdict = judgeFlow({ sink: sink.kind, origin, servesHttp })
    if (verdict === undefined) return []
    const told = `${describeOrigin(file, origin)} flows into ${rule.effect} (\`${sink.callee}\`).`
    return [report(file, { rule, verdict, told, nodes: [sink.call] })]
  })
}

function describeOrigin({ lines }: FileContext, origin: Origin): string {
  const name = origin.name.split('\n', 1)[0] ?? ''
  const where = `\`${name}\` (line ${lines.lineAt(origin.node.start)})`
  const way = origin.indirect ? ' through functions of other files' : ''
  switch (origin.kind) {
    case 'request':
      return `The request ${where}${way}`
    case 'parameter':
      return `The parameter ${where}${way}`
    case 'callback':
      return `The value ${where} that a callback receives${way}`
    case 'environment':
      return `${where}, read from the environment of the process,${way}`
    case 'unknown':
      return `${where}, which this file does not make,${way}`
  }
}

function reportPollution(file: FileContext): AnalyzerResult[] {
  const rule = prototypePollutionRule
  return findPollutingWrites(file.model).map((write) => {
    const isSure = write.origin.kind !== 'callback'
    const verdict: Verdict = {
      standing: isSure ? 'finding' : 'lead',
      confidence: write.isPartlyGuarded || write.origin.indirect ? 'low' : 'medium',
      severity: write.isPartlyGuarded || !write.isDeep ? 'medium' : rule.severity,
    }
    const key = file.model.text.slice(write.key.start, write.key.end)
    const rest = write.isPartlyGuarded ? ' `__proto__` is refused, `constructor` is not.' : ''
    const told = `${describeOrigin(file, write.origin)} chooses the key \`${key}\`.${rest}`
    return report(file, { rule, verdict, told, nodes: write.nodes })
  })
}

const regexRules = {
  exponential: exponentialRegexRule,
  polynomial: polynomialRegexRule,
  scan: scanningRegexRule,
} as const

function reportRegexes(file: FileContext, judge: RegexJudge): AnalyzerResult[] {
  return findSlowRegexes(file.model, judge).map(({ growth, source, pattern, character, use }) => {
    const rule = regexRules[growth]
    const verdict = judgeRegex(growth, use?.origin)
    const line = file.lines.lineAt(pattern.start)
    const shown = source.length > 80 ? `${source.slice(0, 80)}...` : source
    const met =
      use === undefined ? '' : ` ${describeOrigin(file, use.origin)} is matched against it.`
    const told = `Line ${line}: \`/${shown}/\` is slow on a long run of ${JSON.stringify(character)}.${met}`
    return report(file, { rule, verdict, told, nodes: [use?.node ?? pattern] })
  })
}

interface Report {
  readonly rule: RuleInfo
  readonly verdict: Verdict
  readonly told: string
  readonly nodes: readonly Node[]
}

function report(
  { model, lines }: FileContext,
  { rule, verdict, told, nodes }: Report,
): AnalyzerResult {
  const start = nodes[0]?.start ?? 0
  const lineStart = lines.lineAt(start)
  const lineEnd = lines.lineAt(nodes.at(-1)?.start ?? start)
  return {
    ruleId: rule.id,
    title: rule.title,
    category: rule.category,
    lens: rule.lens,
    severity: verdict.severity,
    confidence: verdict.confidence,
    cwe: rule.cwe,
    path: model.path,
    lineStart,
    lineEnd,
    quote: lines.quoteAt(start, lineEnd),
    summary: `${told} ${rule.message}`,
    suggestion: rule.suggestion,
    standing: verdict.standing,
  }
}
