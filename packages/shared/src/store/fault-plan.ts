import { AuditToolsError, type Environment } from '../core/index.ts'

/** Faults that the environment asks the effect layer to inject, so that built binaries can be crashed at every step. */
export interface FaultPlan {
  /** `AUDIT_TOOLS_CRASH_AT=before:12` or `after:12`: SIGKILL at the 12th effect of this process. */
  readonly crash?: { readonly when: 'before' | 'after'; readonly effect: number }
  /** `AUDIT_TOOLS_FAIL_WRITES=ENOSPC:3`: from the 3rd space-taking effect on, each fails with that code. */
  readonly failWrites?: { readonly code: string; readonly from: number }
  /** `AUDIT_TOOLS_EFFECT_LOG=path`: one line per effect, `number name path`. */
  readonly logPath?: string
}

/** Reads the fault plan; undefined when nothing is asked for. Throws `usage-invalid` on a value it cannot read. */
export function parseFaultPlan(environment: Environment): FaultPlan | undefined {
  const crash = environment['AUDIT_TOOLS_CRASH_AT']
  const failWrites = environment['AUDIT_TOOLS_FAIL_WRITES']
  const logPath = environment['AUDIT_TOOLS_EFFECT_LOG']
  if (!crash && !failWrites && !logPath) return undefined
  return {
    ...(crash ? { crash: parseCrash(crash) } : {}),
    ...(failWrites ? { failWrites: parseFailWrites(failWrites) } : {}),
    ...(logPath ? { logPath } : {}),
  }
}

function parseCrash(text: string): NonNullable<FaultPlan['crash']> {
  const match = /^(?<when>before|after):(?<effect>[1-9]\d*)$/.exec(text)
  const when = match?.groups?.['when']
  if (when !== 'before' && when !== 'after') {
    throw new AuditToolsError(
      'usage-invalid',
      `AUDIT_TOOLS_CRASH_AT is ${JSON.stringify(text)}; write before:N or after:N, or unset it`,
    )
  }
  return { when, effect: Number(match?.groups?.['effect']) }
}

function parseFailWrites(text: string): NonNullable<FaultPlan['failWrites']> {
  const match = /^(?<code>E[A-Z]+):(?<from>[1-9]\d*)$/.exec(text)
  const code = match?.groups?.['code']
  if (code === undefined) {
    throw new AuditToolsError(
      'usage-invalid',
      `AUDIT_TOOLS_FAIL_WRITES is ${JSON.stringify(text)}; write CODE:N such as ENOSPC:3, or unset it`,
    )
  }
  return { code, from: Number(match?.groups?.['from']) }
}
