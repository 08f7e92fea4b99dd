import { join } from 'node:path'

/** Where the files of an audit live. All paths are absolute. */
export interface AuditLayout {
  readonly root: string
  /** `.audit-tools/`, shared by both tools and kept out of git by its own `.gitignore`. */
  readonly toolDirectory: string
  /** `.audit-tools/audit/`, or what `--artifacts-dir` says. */
  readonly directory: string
  readonly cacheDirectory: string
  readonly runsDirectory: string
  readonly importsDirectory: string
  readonly dismissals: string
  readonly baseline: string
  readonly findings: string
  readonly report: string
  readonly sarif: string
  readonly state: string
  /** Names the run whose results the files above are. */
  readonly latest: string
  /** Names the run that a host works on. */
  readonly activeRun: string
  readonly hostCapabilities: string
  readonly handoff: string
  readonly handoffText: string
  /** What a host without subagents works on. */
  readonly currentTask: string
  readonly singleTaskPrompt: string
}

export function planLayout(root: string, artifactsDirectory?: string): AuditLayout {
  const toolDirectory = join(root, '.audit-tools')
  const directory = artifactsDirectory ?? join(toolDirectory, 'audit')
  return {
    root,
    toolDirectory,
    directory,
    cacheDirectory: join(directory, 'cache'),
    runsDirectory: join(directory, 'runs'),
    importsDirectory: join(directory, 'imports'),
    dismissals: join(directory, 'dismissals.json'),
    baseline: join(directory, 'baseline.json'),
    findings: join(directory, 'audit-findings.json'),
    report: join(directory, 'audit-report.md'),
    sarif: join(directory, 'audit-report.sarif'),
    state: join(directory, 'audit_state.json'),
    latest: join(directory, 'latest-run.json'),
    activeRun: join(directory, 'active-run.json'),
    hostCapabilities: join(directory, 'host-capabilities.json'),
    handoff: join(directory, 'operator-handoff.json'),
    handoffText: join(directory, 'operator-handoff.md'),
    currentTask: join(directory, 'dispatch', 'current-task.json'),
    singleTaskPrompt: join(directory, 'dispatch', 'current-single-task-prompt.md'),
  }
}
