import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { renderChatCompletion, renderChatStream } from './chat-completion.ts'

/** One request that reached the loopback provider. */
export interface ProviderCall {
  /** 0-based, in order of arrival. */
  readonly index: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** The texts of all messages, joined: what a model would read. */
  readonly prompt: string
}

/** What the test has the provider do. */
export type ProviderReply =
  | {
      readonly kind: 'answer'
      readonly text: string
      readonly inputTokens?: number
      readonly outputTokens?: number
      readonly delayMs?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly finishReason?: string
      readonly model?: string
    }
  | {
      readonly kind: 'status'
      readonly status: number
      readonly body: unknown
      readonly headers?: Readonly<Record<string, string>>
      readonly delayMs?: number
    }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Streams the text and drops the connection before saying that it ended. */
  | { readonly kind: 'cut'; readonly text: string }
  /** Refuses without a word, as a service that is down. */
  | { readonly kind: 'reset' }

export interface ProviderServer {
  /** Base URL with `/v1`. */
  readonly url: string
  readonly calls: readonly ProviderCall[]
  /** Requests that are being answered now. */
  readonly inFlight: number
  /** The most requests that were in flight at once. */
  readonly peakInFlight: number
  close(): Promise<void>
}

export type DecideReply = (call: ProviderCall) => ProviderReply | Promise<ProviderReply>

/**
 * Plays an OpenAI-compatible provider on 127.0.0.1 and a free port: real HTTP, and a test that decides each answer. It
 * streams when it is asked to.
 */
export async function startProviderServer(decide: DecideReply): Promise<ProviderServer> {
  const calls: ProviderCall[] = []
  const counters = { inFlight: 0, peak: 0 }
  const server = createServer((request, response) => {
    counters.inFlight += 1
    counters.peak = Math.max(counters.peak, counters.inFlight)
    response.on('close', () => {
      counters.inFlight -= 1
    })
    answerRequest({ request, response, calls, decide }).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)))
    })
  })
  await listen(server)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    get inFlight() {
      return counters.inFlight
    },
    get peakInFlight() {
      return counters.peak
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly calls: ProviderCall[]
  readonly decide: DecideReply
}

async function answerRequest({ request, response, calls, decide }: Exchange): Promise<void> {
  const body = await readBody(request)
  const call: ProviderCall = {
    index: calls.length,
    path: request.url ?? '/',
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    body,
    prompt: readPrompt(body),
  }
  calls.push(call)
  const reply = await decide(call)
  if ('delayMs' in reply && reply.delayMs !== undefined) await wait(reply.delayMs)
  if (response.destroyed) return
  sendReply(response, reply, body)
}

function sendReply(response: ServerResponse, reply: ProviderReply, body: unknown): void {
  const streams = readField(body, 'stream') === true
  const model = readField(body, 'model')
  switch (reply.kind) {
    case 'hang':
      return
    case 'reset':
      response.destroy()
      return
    case 'status':
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
      return
    case 'cut': {
      const events = renderChatStream({ kind: 'answer', text: reply.text }, model).split('\n\n')
      // The text whole, without what says that it ended.
      const sent = events.filter((event) => event.includes('"delta":{"content"'))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`${sent.join('\n\n')}\n\n`, () => response.destroy())
      return
    }
    case 'answer':
      response.writeHead(200, {
        'content-type': streams ? 'text/event-stream' : 'application/json',
        ...reply.headers,
      })
      response.end(streams ? renderChatStream(reply, model) : renderChatCompletion(reply, model))
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? null : (JSON.parse(text) as unknown)
}

function readPrompt(body: unknown): string {
  const messages = readField(body, 'messages')
  if (!Array.isArray(messages)) return ''
  return messages.map((message) => readText(message, 'content')).join('\n')
}

function readText(value: unknown, key: string): string {
  const field = readField(value, key)
  return typeof field === 'string' ? field : ''
}

function readField(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[key]
    : undefined
}

async function listen(server: Server): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
}

async function wait(delayMs: number): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, delayMs)
  })
}
