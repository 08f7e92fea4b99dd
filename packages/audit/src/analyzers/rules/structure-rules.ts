import type { RuleInfo } from './rule.ts'

const base = {
  lens: 'security',
  languages: ['javascript', 'typescript'],
} as const

export const prototypePollutionRule: RuleInfo = {
  ...base,
  id: 'js-prototype-pollution',
  title: 'Write through two chosen keys can change a prototype',
  category: 'prototype-pollution',
  severity: 'high',
  cwe: 'CWE-1321',
  message:
    'An object is reached by a key that the caller chooses and written to under a second one: with `__proto__` or `constructor.prototype` the write changes every object of the process.',
  suggestion:
    'Refuse the keys `__proto__`, `constructor` and `prototype`, follow own properties only, or use a Map or Object.create(null).',
  positive: `exports.set = function set(object, path, value) {
  const keys = path.split('.')
  let current = object
  for (let i = 0; i < keys.length - 1; i++) {
    current = current[keys[i]] = current[keys[i]] || {}
  }
  current[keys[keys.length - 1]] = value
}`,
  negative: `exports.set = function set(object, path, value) {
  const keys = path.split('.')
  let current = object
  for (const key of keys.slice(0, -1)) {
    if (key === '__proto__' || key === 'constructor') return
    current = current[key] = current[key] || {}
  }
  current[keys.at(-1)] = value
}
exports.fill = function fill(matrix) {
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) matrix[i][j] = 0
}`,
}

export const exponentialRegexRule: RuleInfo = {
  ...base,
  id: 'regex-exponential',
  title: 'Regular expression with exponential backtracking',
  category: 'regex',
  severity: 'high',
  cwe: 'CWE-1333',
  message:
    'Two ways through the pattern match the same text and repeat, so each further character doubles the time of a failing match and a short text stops the process.',
  suggestion:
    'Make the repeated parts start with different characters, or limit the length of the text first.',
  positive: `exports.isList = (text) => /^(\\w+,?)+$/.test(text)`,
  negative: `exports.isList = (text) => /^\\w+(,\\w+)*$/.test(text)`,
}

export const polynomialRegexRule: RuleInfo = {
  ...base,
  id: 'regex-polynomial',
  title: 'Regular expression with polynomial backtracking',
  category: 'regex',
  severity: 'medium',
  cwe: 'CWE-1333',
  message:
    'Two repetitions of the pattern can match the same text, so the time of a failing match grows with the square of its length or faster.',
  suggestion:
    'Make neighbouring repetitions match different characters, or limit the length of the text first.',
  positive: `exports.parse = (text) => text.match(/^(\\d*\\.?\\d+)px$/)`,
  negative: `exports.parse = (text) => text.match(/^(\\d+(?:\\.\\d+)?)px$/)`,
}

export const scanningRegexRule: RuleInfo = {
  ...base,
  id: 'regex-scan',
  title: 'Regular expression that rescans the text',
  category: 'regex',
  severity: 'low',
  cwe: 'CWE-1333',
  message:
    'A failing match is tried again from every character of the run, so its time grows with the square of the length.',
  suggestion:
    'Anchor the pattern, use trimEnd or indexOf where they do, or limit the length of the text first.',
  positive: `exports.trim = (text) => text.replace(/\\s+$/, '')`,
  negative: `exports.trim = (text) => text.replace(/^\\s+/, '')`,
}
