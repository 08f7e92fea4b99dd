/** A command line as the platform's shell reads it: POSIX single quotes, or double quotes on Windows. */
export function quoteCommand(words: readonly string[], platform: NodeJS.Platform): string {
  const quote = platform === 'win32' ? quoteForWindows : quoteForPosix
  return words.map(quote).join(' ')
}

function quoteForPosix(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** The rules of CommandLineToArgvW: backslashes count only before a quote, and at the end. */
function quoteForWindows(word: string): string {
  if (/^[\w@+=:,./\\-]+$/.test(word)) return word
  const escaped = word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')
  return `"${escaped}"`
}
