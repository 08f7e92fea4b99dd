import type { RuleLanguage } from './rule.ts'

const byExtension: Readonly<Record<string, RuleLanguage>> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  pyw: 'python',
  go: 'go',
  java: 'java',
}

/** The language of the rule pack that a file is written in, by its extension. */
export function decideRuleLanguage(path: string): RuleLanguage | undefined {
  if (/\.d\.[cm]?ts$/.test(path)) return undefined
  return byExtension[path.slice(path.lastIndexOf('.') + 1)]
}
