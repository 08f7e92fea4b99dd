import { inspect } from 'node:util'
import type { Writable } from 'node:stream'

import { type Environment, escapeControls, formatStableJson, systemRandom } from '../core/index.ts'
import { createProgress } from './progress.ts'
import { decideColor, readColumns } from './terminal.ts'

/** The colours and weights that messages use. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/**
 * The two streams of a command. Standard output carries the answer and nothing else; standard error carries the rest.
 * Control characters from outside are escaped here, so callers pass text as it is.
 */
export interface Output {
  /** A part of the answer, on standard output; ends with a newline, added when missing. */
  write(text: string): void
  /** The whole answer as stable, indented JSON on standard output. */
  json(value: unknown): void
  /** One event as one line of JSON on standard output. */
  jsonLine(value: unknown): void
  /** Something worth knowing, on standard error; silent with `--quiet`. */
  note(text: string): void
  /** Something that needs attention, on standard error, also with `--quiet`. */
  warn(text: string): void
  /** Marks text for colour; codes are written only where the stream takes them. Pad before, not after. */
  style(style: Style, text: string): string
  /**
   * Says what is going on, in one line or several, on standard error: redrawn in place on a terminal, elsewhere printed
   * now and then. Empty text clears it. Silent with `--quiet`.
   */
  progress(text: string): void
  /** Width of the terminal, 80 where there is none. */
  readonly columns: number
}

export interface OutputOptions {
  readonly stdout: Writable
  readonly stderr: Writable
  readonly environment: Environment
  readonly quiet: boolean
  /** False forbids colour, true leaves it to the environment and the terminal. */
  readonly color: boolean
}

export function createOutput(options: OutputOptions): Output {
  const { stdout, stderr, quiet } = options
  // Text from outside cannot guess the nonce, so only what `style` made becomes a colour code.
  const nonce = systemRandom.hex(16)
  const renderFor = (stream: Writable): ((text: string) => string) => {
    const replacement =
      options.color && decideColor(stream, options.environment) ? '\u001b[$1m' : ''
    const mark = new RegExp(`${nonce}<(\\d+)>`, 'g')
    return (text) => escapeControls(text, { multiline: true }).replace(mark, replacement)
  }
  const renderOut = renderFor(stdout)
  const renderErr = renderFor(stderr)
  const progress = createProgress(stderr, renderErr)

  const print = (stream: Writable, text: string): void => {
    progress.around(() => stream.write(text.endsWith('\n') ? text : `${text}\n`))
  }
  return {
    write: (text) => print(stdout, renderOut(text)),
    json: (value) => print(stdout, escapeJson(formatStableJson(value))),
    jsonLine: (value) => print(stdout, escapeJson(JSON.stringify(value))),
    note: (text) => (quiet ? undefined : print(stderr, renderErr(text))),
    warn: (text) => print(stderr, renderErr(text)),
    style: (style, text) => {
      const [open, close] = inspect.colors[style] ?? [0, 0]
      return `${nonce}<${open}>${text}${nonce}<${close}>`
    },
    progress: (text) => (quiet ? undefined : progress.update(text)),
    columns: readColumns(stdout) ?? readColumns(stderr) ?? 80,
  }
}

/** What JSON itself leaves raw and a terminal would obey: C1 controls, separators, bidirectional overrides. */
function escapeJson(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
