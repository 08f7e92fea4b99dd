export interface PlannedCommand {
  readonly file: string
  readonly args: string[]
  /** Windows only: the arguments are quoted already. */
  readonly verbatim: boolean
}

const batchFile = /\.(?:cmd|bat)$/i
const shellMeta = /[()\][%!^"`<>&|;, *?]/g

/**
 * How a command is started. Windows can start a batch file only through its shell (Node refuses otherwise), so there each
 * argument is quoted for the program and then for the shell; everywhere else no shell is ever involved.
 */
export function planCommand(
  command: string,
  args: readonly string[],
  platform: NodeJS.Platform,
): PlannedCommand {
  if (platform !== 'win32' || !batchFile.test(command)) {
    return { file: command, args: [...args], verbatim: false }
  }
  if (args.some((argument) => /[\r\n\0]/.test(argument))) {
    throw Object.assign(new Error('a batch file cannot be given an argument with a line break'), {
      code: 'EINVAL',
    })
  }
  const line = [escapeMeta(command), ...args.map(quoteForBatch)].join(' ')
  return { file: 'cmd.exe', args: ['/d', '/s', '/v:off', '/c', `"${line}"`], verbatim: true }
}

/** Quotes one argument for a batch file. The shell reads it twice: for the call and for `%*` inside the file. */
function quoteForBatch(argument: string): string {
  const quoted = `"${argument.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\*)$/, '$1$1')}"`
  return escapeMeta(escapeMeta(quoted))
}

function escapeMeta(text: string): string {
  return text.replaceAll(shellMeta, '^$&')
}
