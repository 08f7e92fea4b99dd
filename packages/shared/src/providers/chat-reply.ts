import { createParser } from 'eventsource-parser'
import { z } from 'zod'

import type { TokenUsage } from './provider.ts'

const UsageSchema = z.looseObject({
  prompt_tokens: z.number().nullish(),
  completion_tokens: z.number().nullish(),
  prompt_tokens_details: z.looseObject({ cached_tokens: z.number().nullish() }).nullish(),
  cost: z.number().nullish(),
})

const ContentSchema = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))])

const ChunkSchema = z.looseObject({
  model: z.string().nullish(),
  error: z.unknown().optional(),
  usage: UsageSchema.nullish(),
  choices: z
    .array(
      z.looseObject({
        finish_reason: z.string().nullish(),
        message: z
          .looseObject({ content: ContentSchema.nullish(), refusal: z.string().nullish() })
          .nullish(),
        delta: z
          .looseObject({ content: ContentSchema.nullish(), refusal: z.string().nullish() })
          .nullish(),
        error: z.unknown().optional(),
      }),
    )
    .optional(),
})

/** A chat-completions answer, whole or as far as it came. */
export interface ChatReply {
  readonly text: string
  readonly model: string | null
  readonly usage: TokenUsage | null
  readonly finishReason: string | null
  readonly refusal: string | null
  /** An error object inside a successful answer, as gateways send it. */
  readonly error: unknown
}

/** Reads a JSON answer or a stream of events; null when it is neither. Comments that keep a stream alive are skipped. */
export function readChatReply(body: string, contentType: string): ChatReply | null {
  const chunks = contentType.includes('event-stream') ? readEvents(body) : readWhole(body)
  if (chunks.length === 0) return null
  return chunks.reduce(joinChunk, {
    text: '',
    model: null,
    usage: null,
    finishReason: null,
    refusal: null,
    error: undefined,
  } as ChatReply)
}

type Chunk = z.infer<typeof ChunkSchema>

function joinChunk(reply: ChatReply, chunk: Chunk): ChatReply {
  const [choice] = chunk.choices ?? []
  const part = choice?.message ?? choice?.delta
  return {
    text: reply.text + renderContent(part?.content),
    model: chunk.model ?? reply.model,
    usage: chunk.usage ? readUsage(chunk.usage) : reply.usage,
    finishReason: choice?.finish_reason ?? reply.finishReason,
    refusal: part?.refusal ?? reply.refusal,
    error: chunk.error ?? choice?.error ?? reply.error,
  }
}

function renderContent(content: z.infer<typeof ContentSchema> | null | undefined): string {
  if (content === null || content === undefined) return ''
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')
}

function readUsage(usage: z.infer<typeof UsageSchema>): TokenUsage {
  return {
    inputTokens: usage.prompt_tokens ?? null,
    outputTokens: usage.completion_tokens ?? null,
    cachedInputTokens: usage.prompt_tokens_details?.cached_tokens ?? null,
    costUsd: usage.cost ?? null,
  }
}

function readWhole(body: string): Chunk[] {
  const chunk = parseChunk(body)
  return chunk === null ? [] : [chunk]
}

function readEvents(body: string): Chunk[] {
  const chunks: Chunk[] = []
  const parser = createParser({
    onEvent({ data }) {
      const chunk = data.trim() === '[DONE]' ? null : parseChunk(data)
      if (chunk !== null) chunks.push(chunk)
    },
  })
  parser.feed(body.endsWith('\n\n') ? body : `${body}\n\n`)
  return chunks
}

function parseChunk(text: string): Chunk | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The last event of a stream that was cut: there is nothing whole in it.
    return null
  }
  const parsed = ChunkSchema.safeParse(value)
  return parsed.success ? parsed.data : null
}
