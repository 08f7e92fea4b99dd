import type { Severity } from '@audit-tools/shared/findings'

import type { SettingFile, SettingTarget } from './setting-file.ts'

/** One thing that may be wrong with a build, deployment or package setting. */
export interface SettingCheck {
  readonly id: string
  readonly title: string
  readonly severity: Severity
  readonly standing: 'finding' | 'lead'
  readonly cwe: string
  readonly target: SettingTarget
  readonly message: string
  readonly suggestion: string
  readonly find: (file: SettingFile) => SettingMatch[]
  /** Text of a file in which the check finds something, and of one that looks alike and in which it does not. */
  readonly positive: string
  readonly negative: string
}

export interface SettingMatch {
  /** UTF-16 offset of what is wrong. */
  readonly offset: number
  /** What is told besides the message. Never a secret. */
  readonly detail?: string
  /** A stretch of the text that must not be shown. */
  readonly secret?: { readonly start: number; readonly end: number }
}
