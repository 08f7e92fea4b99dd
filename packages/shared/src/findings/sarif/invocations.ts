import type { ImportedRun } from '../importers/import-outcome.ts'
import type { SarifInvocation, SarifRun } from './log.ts'

export function readToolName(run: SarifRun): string {
  return run.tool?.driver?.name?.trim() || 'unnamed tool'
}

/** The results of a run, none when it has no list of them. */
export function listResults(run: SarifRun): readonly unknown[] {
  return Array.isArray(run.results) ? run.results : []
}

/** What a run says about itself: ran or failed, and what it could not do. */
export function describeRun(run: SarifRun): ImportedRun {
  const invocations = (run.invocations ?? []).filter((item) => item !== null)
  const failed = invocations.find((invocation) => invocation.executionSuccessful === false)
  const notes = invocations.flatMap((invocation) => listNotes(invocation))
  if (run.externalPropertyFileReferences?.results !== undefined) {
    notes.push('some results are in other files, which are not read')
  }
  const version = run.tool?.driver?.semanticVersion ?? run.tool?.driver?.version
  const reason = explainFailure(run, failed)
  return {
    tool: readToolName(run),
    ...(version === undefined ? {} : { version }),
    outcome: reason === undefined ? { kind: 'ran' } : { kind: 'failed', reason },
    notes,
  }
}

function explainFailure(run: SarifRun, failed: SarifInvocation | undefined): string | undefined {
  if (failed !== undefined) return explain(failed)
  // SARIF: no list of results means that the tool did not get as far as looking for any.
  return Array.isArray(run.results) || run.externalPropertyFileReferences?.results !== undefined
    ? undefined
    : 'it has no list of results'
}

function explain(invocation: SarifInvocation): string {
  const causes = [
    invocation.processStartFailureMessage,
    invocation.exitCodeDescription,
    invocation.exitSignalName && `signal ${invocation.exitSignalName}`,
    invocation.exitCode === undefined ? undefined : `exit code ${invocation.exitCode}`,
    ...listNotes(invocation),
  ].filter((cause) => cause !== undefined && cause !== '')
  return causes.length > 0 ? causes.join('; ') : 'the tool says that it did not run to its end'
}

/** Notifications of errors; warnings and notes are not about coverage. */
function listNotes(invocation: SarifInvocation): string[] {
  const all = [
    ...(invocation.toolExecutionNotifications ?? []),
    ...(invocation.toolConfigurationNotifications ?? []),
  ]
  return all.flatMap((notification) => {
    const text = notification?.message?.text
    return notification?.level === 'error' && text !== undefined ? [text] : []
  })
}
