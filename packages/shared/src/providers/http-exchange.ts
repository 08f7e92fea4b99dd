import { Agent, errors, request } from 'undici'

import { readErrorMessage, readSystemErrorCode } from '../core/index.ts'

/**
 * One connection pool for all endpoints. undici's own limits on the first header (300 s) and on the body are off: a slow
 * model may think for longer, and our clocks decide.
 */
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 30_000 } })

/** A reply longer than this is not an answer to a review. */
const MAX_BODY_BYTES = 32 * 1024 * 1024

export interface HttpRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly timeoutMs: number
  /** Longest time without a byte, once the answer has started. */
  readonly idleTimeoutMs: number
  readonly signal: AbortSignal
}

export type HttpExchange =
  | {
      readonly kind: 'response'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
      /** The connection ended before the body did. */
      readonly cut: boolean
    }
  | { readonly kind: 'timeout'; readonly message: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'network'; readonly message: string }

/** Sends one JSON request and reads the whole answer. Every failure of the network is a return value. */
export async function exchange(options: HttpRequest): Promise<HttpExchange> {
  const timer = startTimer(options)
  let head: { status: number; headers: Record<string, string> } | undefined
  const chunks: Buffer[] = []
  try {
    const response = await request(options.url, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json', ...options.headers },
      body: JSON.stringify(options.body),
      signal: timer.signal,
    })
    head = { status: response.statusCode, headers: flattenHeaders(response.headers) }
    let bytes = 0
    timer.touch()
    for await (const chunk of response.body) {
      timer.touch()
      const data = chunk as Buffer
      bytes += data.byteLength
      if (bytes > MAX_BODY_BYTES) return { kind: 'network', message: 'the answer is over 32 MB' }
      chunks.push(data)
    }
    return { kind: 'response', ...head, body: Buffer.concat(chunks).toString('utf8'), cut: false }
  } catch (error) {
    if (options.signal.aborted) return { kind: 'cancelled' }
    if (timer.expired !== null) return { kind: 'timeout', message: timer.expired }
    if (head !== undefined && chunks.length > 0) {
      return { kind: 'response', ...head, body: Buffer.concat(chunks).toString('utf8'), cut: true }
    }
    return { kind: 'network', message: describeNetworkError(error, options.url) }
  } finally {
    timer.stop()
  }
}

interface ExchangeTimer {
  readonly signal: AbortSignal
  /** Why the clock ended the exchange; null while it has not. */
  readonly expired: string | null
  /** Notes that a byte came. */
  touch(): void
  stop(): void
}

function startTimer({ timeoutMs, idleTimeoutMs, signal }: HttpRequest): ExchangeTimer {
  const controller = new AbortController()
  let expired: string | null = null
  const expire = (message: string) => (): void => {
    expired ??= message
    controller.abort()
  }
  const total = setTimeout(expire(`no whole answer within ${timeoutMs} ms`), timeoutMs)
  let idle: NodeJS.Timeout | undefined
  return {
    signal: AbortSignal.any([signal, controller.signal]),
    get expired() {
      return expired
    },
    touch() {
      clearTimeout(idle)
      idle = setTimeout(expire(`nothing came for ${idleTimeoutMs} ms`), idleTimeoutMs)
    },
    stop() {
      clearTimeout(total)
      clearTimeout(idle)
    },
  }
}

function flattenHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), String(value)] as const],
  )
  return Object.fromEntries(entries)
}

function describeNetworkError(error: unknown, url: string): string {
  const code = readSystemErrorCode(error) ?? (error instanceof errors.UndiciError ? error.code : '')
  const host = URL.canParse(url) ? new URL(url).host : url
  return `the connection to ${host} failed: ${code || readErrorMessage(error)}`
}
