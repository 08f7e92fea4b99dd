import {
  type AuditToolsError,
  errorInfo,
  ExitCode,
  isAuditToolsError,
  readErrorMessage,
} from '../core/index.ts'
import type { Command, CommandContext } from './define-command.ts'

/**
 * Prints an error for a person on standard error and, with `--json`, for a program on standard output as
 * `{ error: { code, message, details } }`. Returns the exit code that belongs to it.
 */
export function reportError(error: unknown, context: CommandContext, command?: Command): ExitCode {
  const { output, common } = context
  const known = isAuditToolsError(error) ? error : undefined
  const code = known?.code ?? 'internal-fault'
  const message = readErrorMessage(error)
  const exitCode = known ? readExitCode(known) : ExitCode.Internal

  output.progress('')
  output.warn(`${output.style('red', 'error:')} ${message.replaceAll('\n', '\n  ')}`)
  output.warn(`  ${code}, explained in docs/errors/${code}.md`)
  if (code === 'usage-invalid') {
    output.warn(`  help: ${[context.name, command?.name, '--help'].filter(Boolean).join(' ')}`)
  }
  if (exitCode === ExitCode.Internal) output.warn(describeFault(error, context))
  if (common.json) output.json({ error: { code, message, details: known?.details ?? {} } })
  return exitCode
}

/** Another copy of this package may know codes that this one does not. */
function readExitCode({ code }: AuditToolsError): ExitCode {
  const info: { readonly exitCode: ExitCode } | undefined = errorInfo[code]
  return info?.exitCode ?? ExitCode.Internal
}

function describeFault(error: unknown, { name, version }: CommandContext): string {
  const stack = error instanceof Error && error.stack ? error.stack : String(error)
  return [
    `This is a fault of ${name}, not of yours. Please report it with what follows.`,
    `${name} ${version}, node ${process.version}, ${process.platform} ${process.arch}`,
    stack,
  ].join('\n')
}
