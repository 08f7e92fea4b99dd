import { createParser } from 'eventsource-parser'
import { z } from 'zod'

import type { TokenUsage } from './provider.ts'

const UsageSchema = z.looseObject({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
})

const BlockSchema = z.looseObject({ type: z.string(), text: z.string().optional() })

const StopDetailsSchema = z.looseObject({ explanation: z.string().nullish() }).nullish()

const MessageSchema = z.looseObject({
  type: z.literal('message'),
  model: z.string().nullish(),
  content: z.array(BlockSchema),
  stop_reason: z.string().nullish(),
  stop_details: StopDetailsSchema,
  usage: UsageSchema.nullish(),
})

const EventSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('message_start'), message: MessageSchema }),
  z.looseObject({ type: z.literal('content_block_start'), content_block: BlockSchema }),
  z.looseObject({
    type: z.literal('content_block_delta'),
    delta: z.looseObject({ type: z.string(), text: z.string().optional() }),
  }),
  z.looseObject({
    type: z.literal('message_delta'),
    delta: z.looseObject({ stop_reason: z.string().nullish(), stop_details: StopDetailsSchema }),
    usage: UsageSchema.nullish(),
  }),
  z.looseObject({ type: z.literal('error'), error: z.unknown() }),
])

type Message = z.infer<typeof MessageSchema>
type MessageEvent = z.infer<typeof EventSchema>
type Usage = z.infer<typeof UsageSchema>

/** A Messages API answer, whole or as far as it came. */
export interface AnthropicReply {
  readonly text: string
  readonly model: string | null
  readonly usage: TokenUsage | null
  readonly stopReason: string | null
  /** Why the model declined, where it says so. */
  readonly explanation: string | null
  /** An error that came after the answer had begun. */
  readonly error: unknown
}

interface Draft extends Omit<AnthropicReply, 'usage'> {
  readonly counts: Usage | null
}

/** Reads a message or a stream of its events; null when it is neither. Events of unknown types are skipped. */
export function readAnthropicReply(body: string, contentType: string): AnthropicReply | null {
  const draft = contentType.includes('event-stream') ? readEvents(body) : readWhole(body)
  if (draft === null) return null
  const { counts, ...reply } = draft
  return { ...reply, usage: counts === null ? null : readUsage(counts) }
}

function readWhole(body: string): Draft | null {
  const message = MessageSchema.safeParse(parseJson(body))
  return message.success ? startDraft(message.data) : null
}

function startDraft({ content, model, stop_reason, stop_details, usage }: Message): Draft {
  return {
    text: content.map(({ text = '' }) => text).join(''),
    model: model ?? null,
    counts: usage ?? null,
    stopReason: stop_reason ?? null,
    explanation: stop_details?.explanation ?? null,
    error: undefined,
  }
}

const EMPTY: Draft = {
  text: '',
  model: null,
  counts: null,
  stopReason: null,
  explanation: null,
  error: undefined,
}

function readEvents(body: string): Draft | null {
  let draft: Draft | null = null
  const parser = createParser({
    onEvent({ data }) {
      const event = EventSchema.safeParse(parseJson(data))
      if (event.success) draft = takeEvent(draft ?? EMPTY, event.data)
    },
  })
  parser.feed(body.endsWith('\n\n') ? body : `${body}\n\n`)
  return draft
}

function takeEvent(draft: Draft, event: MessageEvent): Draft {
  switch (event.type) {
    case 'message_start':
      return startDraft(event.message)
    case 'content_block_start':
      return { ...draft, text: draft.text + (event.content_block.text ?? '') }
    case 'content_block_delta':
      return { ...draft, text: draft.text + (event.delta.text ?? '') }
    case 'message_delta':
      return {
        ...draft,
        stopReason: event.delta.stop_reason ?? draft.stopReason,
        explanation: event.delta.stop_details?.explanation ?? draft.explanation,
        // The counts of the end are totals and may leave out what the start has said.
        counts: event.usage ? { ...draft.counts, ...event.usage } : draft.counts,
      }
    case 'error':
      return { ...draft, error: event.error }
  }
}

/** This API counts tokens read from and written to its cache apart; ours are all that went in. */
function readUsage(usage: Usage): TokenUsage {
  const { input_tokens: fresh, output_tokens: output } = usage
  const cached = usage.cache_read_input_tokens ?? 0
  const written = usage.cache_creation_input_tokens ?? 0
  return {
    inputTokens: typeof fresh === 'number' ? fresh + cached + written : null,
    outputTokens: output ?? null,
    cachedInputTokens: usage.cache_read_input_tokens ?? null,
    costUsd: null,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The last event of a stream that was cut: there is nothing whole in it.
    return null
  }
}
