import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { anthropicMessages } from './anthropic-message.ts'
import { chatCompletions } from './chat-completion.ts'
import { openaiResponses } from './openai-response.ts'
import { readField, type ScriptedAnswer, type WireFormat } from './wire-format.ts'

/** The first that accepts a path is the one that speaks. */
const wireFormats: readonly WireFormat[] = [anthropicMessages, openaiResponses, chatCompletions]

/** One request that reached the loopback provider. */
export interface ProviderCall {
  /** 0-based, in order of arrival. */
  readonly index: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** The texts of all messages, joined: what a model would read. */
  readonly prompt: string
}

/** What the test has the provider do. */
export type ProviderReply =
  | ScriptedAnswer
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
 * Plays a provider on 127.0.0.1 and a free port: real HTTP, and a test that decides each answer. By its path a request is
 * one of chat completions, of Anthropic's messages or of OpenAI's responses. It streams when it is asked to.
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
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    body,
    prompt: findFormat(request).readPrompt(body),
  }
  if (isAside(call)) {
    answerAside(response, call)
    return
  }
  calls.push(call)
  const reply = await decide(call)
  if ('delayMs' in reply && reply.delayMs !== undefined) await wait(reply.delayMs)
  if (response.destroyed) return
  sendReply(response, reply, { body, format: findFormat(request) })
}

function findFormat({ url = '/' }: IncomingMessage): WireFormat {
  return wireFormats.find((format) => format.accepts(url)) ?? chatCompletions
}

/** What clients ask beside their work: whether the service is there, which models it has, how long a prompt is. */
function isAside({ method, path }: ProviderCall): boolean {
  return method !== 'POST' || path.includes('/count_tokens')
}

function answerAside(response: ServerResponse, { path, prompt }: ProviderCall): void {
  const answer = path.includes('/count_tokens')
    ? { input_tokens: Math.ceil(prompt.length / 4) }
    : { object: 'list', data: [] }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answer))
}

interface Asked {
  readonly body: unknown
  readonly format: WireFormat
}

function sendReply(response: ServerResponse, reply: ProviderReply, { body, format }: Asked): void {
  const streams = readField(body, 'stream') === true
  const asked = readField(body, 'model')
  const model = typeof asked === 'string' ? asked : ''
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
      const events = format.renderEvents({ kind: 'answer', text: reply.text }, model)
      // The text whole, without what says that it ended.
      const sent = events.filter((event) => !format.isClosing(event))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(sent.join(''), () => response.destroy())
      return
    }
    case 'answer':
      response.writeHead(200, {
        'content-type': streams ? 'text/event-stream' : 'application/json',
        ...reply.headers,
      })
      response.end(
        streams ? format.renderEvents(reply, model).join('') : format.renderWhole(reply, model),
      )
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? null : (JSON.parse(text) as unknown)
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
