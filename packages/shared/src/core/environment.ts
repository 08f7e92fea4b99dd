/** The process environment as plain data. The only place that reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

export function readEnvironment(): Environment {
  // eslint-disable-next-line node/no-process-env -- the one reader; everybody else takes an Environment
  return process.env
}
