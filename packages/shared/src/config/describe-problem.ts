import type { z } from 'zod'

import { findNearest } from '../core/index.ts'
import { formatKeyPath, listNamesAt } from './config-keys.ts'
import { looksLikeSecret } from './secret.ts'

/** Longer values are cut, so that a message stays one line. */
const MAX_SHOWN = 60

/** One sentence per thing that is wrong: the key, the value, and what to do. */
export function describeIssue(issue: z.core.$ZodIssue): string[] {
  const key = issue.path.length === 0 ? 'the configuration' : formatKeyPath(issue.path)
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((name) => describeUnknownKey(issue.path, name))
    case 'invalid_type':
      return [`${key} must be ${nameType(issue.expected)}, not ${formatValue(issue.input)}`]
    case 'invalid_value':
      return [describeChoice(key, issue.values.map(String), issue.input)]
    case 'invalid_union':
      return [describeUnion(key, issue)]
    case 'too_small':
      return [`${key} must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}, not ${formatValue(issue.input)}`]
  }
}
