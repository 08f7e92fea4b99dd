import type { Writable } from 'node:stream'

import { isTerminal } from './terminal.ts'

/** Where nothing can be redrawn, a log stays readable with one progress message in this time. */
const PLAIN_INTERVAL_MS = 10_000
/** More redraws than this are not seen. */
const REDRAW_INTERVAL_MS = 50

export interface Progress {
  /** Shows `text`, at once or as soon as the last showing is old enough; '' clears it at once. */
  update(text: string): void
  /** Runs `write`, which prints something else, with the progress out of its way. */
  around(write: () => void): void
}

/** One way of showing progress. */
interface Display {
  readonly intervalMs: number
  show(text: string): void
  around(write: () => void): void
}

export function createProgress(stream: Writable, render: (text: string) => string): Progress {
  const display = isTerminal(stream) ? createRedrawn(stream, render) : createPlain(stream, render)
  let latest = ''
  let shown = ''
  let cooling: NodeJS.Timeout | undefined
  const show = (): void => {
    shown = latest
    display.show(shown)
    cooling = setTimeout(() => {
      cooling = undefined
      if (latest !== shown) show()
    }, display.intervalMs)
    cooling.unref()
  }
  return {
    update(text) {
      latest = text
      if (text === '') {
        clearTimeout(cooling)
        cooling = undefined
        shown = ''
        display.show('')
      } else if (cooling === undefined && latest !== shown) show()
    },
    around: (write) => display.around(write),
  }
}

function createRedrawn(stream: Writable, render: (text: string) => string): Display {
  let drawn = ''
  const erase = (): void => {
    if (drawn === '') return
    const linesUp = drawn.split('\n').length - 1
    stream.write(`\r${linesUp > 0 ? `\u001b[${linesUp}A` : ''}\u001b[J`)
  }
  // With automatic wrapping off, the terminal cuts a line that is too long, and it stays one line.
  const draw = (): void => {
    if (drawn !== '') stream.write(`\u001b[?7l${drawn}\u001b[?7h`)
  }
  return {
    intervalMs: REDRAW_INTERVAL_MS,
    show(text) {
      erase()
      drawn = render(text)
      draw()
    },
    around(write) {
      erase()
      write()
      draw()
    },
  }
}

function createPlain(stream: Writable, render: (text: string) => string): Display {
  return {
    intervalMs: PLAIN_INTERVAL_MS,
    show: (text) => {
      if (text !== '') stream.write(`${render(text)}\n`)
    },
    around: (write) => write(),
  }
}
