/** What one reviewer was asked to read. */
export interface ReviewScope {
  /** POSIX paths, as the prompt shows them. */
  readonly paths: readonly string[]
  /** Ids of the audit tasks in the packet, for results keyed by task. */
  readonly taskPaths: ReadonlyMap<string, readonly string[]>
}
