import type { Writable } from 'node:stream'

import type { Clock } from '../core/index.ts'
import { isTerminal } from './terminal.ts'

/** Where nothing can be redrawn, a log stays readable with one progress message in this time. */
const PLAIN_INTERVAL_MS = 10_000
/** More redraws than this are not seen. */
const REDRAW_INTERVAL_MS = 50

export interface Progress {
  update(text: string): void
  /** Writes something else to the terminal with the progress out of its way. */
  around(write: () => void): void
}

export function createProgress(options: {
  readonly stream: Writable
  readonly clock: Clock
  readonly render: (text: string) => string
}): Progress {
  return isTerminal(options.stream) ? createRedrawn(options) : createPlain(options)
}

function createRedrawn({ stream, clock, render }: Parameters<typeof createProgress>[0]): Progress {
  let shown = ''
  let drawnAt = -Infinity
  const erase = (): void => {
    if (shown === '') return
    const up = shown.split('\n').length - 1
    stream.write(`\r${up > 0 ? `\u001b[${up}A` : ''}\u001b[J`)
  }
  // With automatic wrapping off, a line longer than the terminal is cut by it and stays one line.
  const draw = (): void => {
    if (shown !== '') stream.write(`\u001b[?7l${shown}\u001b[?7h`)
  }
  return {
    update(text) {
      const now = clock.monotonic()
      if (text !== '' && now - drawnAt < REDRAW_INTERVAL_MS) return
      drawnAt = now
      erase()
      shown = render(text)
      draw()
    },
    around(write) {
      erase()
      write()
      draw()
    },
  }
}

function createPlain({ stream, clock, render }: Parameters<typeof createProgress>[0]): Progress {
  let printed = ''
  let printedAt = -Infinity
  return {
    update(text) {
      const now = clock.monotonic()
      if (text === '' || text === printed || now - printedAt < PLAIN_INTERVAL_MS) return
      printed = text
      printedAt = now
      stream.write(`${render(text)}\n`)
    },
    around: (write) => write(),
  }
}
