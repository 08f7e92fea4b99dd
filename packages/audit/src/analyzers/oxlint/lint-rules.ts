import type { Severity } from '@audit-tools/shared/findings'

/** What one rule of oxlint is worth here. Only rules whose every match is a fault of the code as written are used. */
export interface LintRule {
  /** As oxlint's configuration names it. */
  readonly name: string
  readonly title: string
  readonly severity: Severity
  readonly standing: 'finding' | 'lead'
}

function listRules(
  severity: Severity,
  standing: LintRule['standing'],
  titles: Readonly<Record<string, string>>,
): LintRule[] {
  return Object.entries(titles).map(([name, title]) => ({ name, title, severity, standing }))
}

/** The code throws or computes something else than it says. */
const wrong = {
  'for-direction': 'Loop whose counter runs away from its end',
  'no-class-assign': 'Class name that is assigned to',
  'no-compare-neg-zero': 'Comparison with -0, which also holds for 0',
  'no-const-assign': 'Constant that is assigned to',
  'no-dupe-class-members': 'Class member that replaces one of the same name',
  'no-dupe-else-if': 'Branch that is never reached: its condition was tested before',
  'no-dupe-keys': 'Object key given twice: the first value is lost',
  'no-duplicate-case': 'Case that is never reached: it stands twice in the switch',
  'no-empty-character-class': 'Regular expression with an empty class, which never matches',
  'no-import-assign': 'Import that is assigned to, which throws',
  'no-invalid-regexp': 'Regular expression that cannot be parsed, which throws',
  'no-new-native-nonconstructor': 'Built-in called with new, which throws',
  'no-obj-calls': 'Object such as Math or JSON called as a function, which throws',
  'no-this-before-super': 'this used before super was called, which throws',
  'no-unsafe-negation': 'Negation that binds to the left side of in or instanceof only',
  'no-unsafe-optional-chaining': 'Optional chain whose missing value throws at once',
  'no-useless-backreference': 'Back reference that can only match nothing',
  'use-isnan': 'Comparison with NaN, which never holds',
  'valid-typeof': 'typeof compared with a word that it never gives',
  'typescript/no-non-null-asserted-optional-chain':
    'Optional chain whose missing value is asserted away',
  'typescript/no-unsafe-declaration-merging':
    'Interface and class of one name: members that nobody sets',
  'oxc/bad-array-method-on-arguments': 'Array method called on arguments, which has none',
  'oxc/bad-char-at-comparison': 'charAt compared with more than one character, which never holds',
  'oxc/bad-min-max-func': 'Math.min and Math.max nested so that the result is constant',
  'oxc/bad-object-literal-comparison': 'Comparison with a new object, which never holds',
  'oxc/missing-throw': 'Error that is made and not thrown',
  'oxc/number-arg-out-of-range': 'Number outside of the range its function takes, which throws',
  'oxc/uninvoked-array-callback': 'Callback over an array of holes, which is never called',
  'unicorn/no-await-in-promise-methods':
    'await inside of Promise.all, which runs the parts one by one',
  'unicorn/no-invalid-fetch-options': 'fetch with a body and GET or HEAD, which throws',
  'unicorn/no-invalid-remove-event-listener':
    'Listener removed by a new function, which removes nothing',
} as const

/** Likely a slip: the code works and something in it does nothing. */
const doubtful = {
  'no-unsafe-finally': 'Jump out of finally that drops an error or a result',
  'getter-return': 'Getter that returns nothing',
  'no-setter-return': 'Setter that returns a value, which is lost',
  'oxc/bad-comparison-sequence': 'Chained comparison that compares a boolean with a number',
  'oxc/const-comparisons': 'Comparisons that together always or never hold',
  'no-async-promise-executor': 'Async function in new Promise: what it throws is lost',
  'no-constant-binary-expression': 'Expression whose one side decides it for good',
  'no-debugger': 'debugger statement left in the code',
  'no-ex-assign': 'Caught error that is overwritten',
  'no-global-assign': 'Built-in global that is assigned to',
  'no-self-assign': 'Value assigned to itself',
  'no-shadow-restricted-names': 'Variable that hides undefined, NaN or the like',
  'no-sparse-arrays': 'Array literal with a hole',
  'oxc/double-comparisons': 'Two comparisons that one operator says',
  'oxc/erasing-op': 'Operation whose result is always 0',
  'typescript/no-duplicate-enum-values': 'Two members of an enum with one value',
  'typescript/no-misused-new': 'new or constructor declared where it is never called',
} as const

export const lintRules: readonly LintRule[] = [
  ...listRules('medium', 'finding', wrong),
  ...listRules('low', 'lead', doubtful),
]
