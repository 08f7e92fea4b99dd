/** A scripted answer, whichever wire format it goes out in. */
export interface ScriptedAnswer {
  readonly kind: 'answer'
  readonly text: string
  /** All input tokens, those read from a cache included. */
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly cachedInputTokens?: number
  readonly delayMs?: number
  readonly headers?: Readonly<Record<string, string>>
  /** In the words of the wire format; absent: a natural end. */
  readonly finishReason?: string
  readonly model?: string
  /** Declines in these words instead of answering, as far as the wire format can say so. */
  readonly refusal?: string
  /** Asks the client to run tools instead of ending its turn. */
  readonly toolCalls?: readonly ScriptedToolCall[]
}

export interface ScriptedToolCall {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

/** How one API words its requests and answers. */
export interface WireFormat {
  /** Whether a request to this path is one of this API's. */
  accepts(path: string): boolean
  /** The texts of a request, joined: what a model would read. */
  readPrompt(body: unknown): string
  /** An answer as one JSON object. */
  renderWhole(answer: ScriptedAnswer, model: string): string
  /** The same as server-sent events, each ending with an empty line. */
  renderEvents(answer: ScriptedAnswer, model: string): readonly string[]
  /** Whether an event belongs to what says that the answer has ended. */
  isClosing(event: string): boolean
}

/** Characters per token where a script states no usage. */
const CHARACTERS_PER_TOKEN = 4

export interface ScriptedUsage {
  readonly input: number
  readonly output: number
  readonly cached: number
}

export function countUsage(answer: ScriptedAnswer): ScriptedUsage {
  return {
    input: answer.inputTokens ?? 100,
    output: answer.outputTokens ?? Math.ceil(answer.text.length / CHARACTERS_PER_TOKEN),
    cached: answer.cachedInputTokens ?? 0,
  }
}

/** Cuts a text into a few pieces, as a model streams it. */
export function cutText(text: string): readonly string[] {
  const size = Math.max(1, Math.ceil(text.length / 4))
  const pieces: string[] = []
  for (let start = 0; start < text.length; start += size) {
    pieces.push(text.slice(start, start + size))
  }
  return pieces
}

export function readField(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[key]
    : undefined
}

/** The text of a string, or of a list of parts that have texts. */
export function readContentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => readField(part, 'text') ?? readField(part, 'content'))
    .map((text) => (typeof text === 'string' ? text : readContentText(text)))
    .join('\n')
}

export function readMessagesText(messages: unknown): string {
  if (typeof messages === 'string') return messages
  if (!Array.isArray(messages)) return ''
  return messages.map((message) => readContentText(readField(message, 'content'))).join('\n')
}
