import { type KindFacts, type KindRule, kindRules } from './kind-rules.ts'
import type { FileKind } from './snapshot.ts'

/** What a file is for, and the rule that says so. A text that nobody can name is an asset. */
export function decideKind(facts: KindFacts): { kind: FileKind; reason: string } {
  return (
    kindRules.find((rule) => holds(rule, facts)) ?? { kind: 'asset', reason: 'unknown language' }
  )
}

function holds(rule: KindRule, facts: KindFacts): boolean {
  const { filename, path, directory, head, language, type } = rule
  return (
    (!filename || filename.test(facts.filename)) &&
    (!path || path.test(facts.path)) &&
    (!directory || facts.directories.some((name) => directory.test(name))) &&
    (!language || (facts.language !== null && language.has(facts.language.name))) &&
    (!type || (facts.language !== null && type.has(facts.language.type))) &&
    facts.bytes >= (rule.minBytes ?? 0) &&
    facts.bytes >= (rule.minMeanLineBytes ?? 0) * facts.lines &&
    (!head || head.test(facts.head))
  )
}
