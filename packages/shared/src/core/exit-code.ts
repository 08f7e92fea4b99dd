/** Exit codes of every command of both tools (`docs/reference/exit-codes.md`). */
export const ExitCode = {
  Done: 0,
  AnswerIsNo: 1,
  Usage: 2,
  Environment: 3,
  Incomplete: 4,
  InProgress: 10,
  Waiting: 20,
  NeedsPerson: 30,
  Internal: 70,
} as const

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]
