import {
  countUsage,
  cutText,
  readContentText,
  readField,
  readMessagesText,
  type ScriptedAnswer,
  type WireFormat,
} from './wire-format.ts'

/** Anthropic's Messages API. */
export const anthropicMessages: WireFormat = {
  accepts: (path) => /\/v1\/messages(?:\?|$)/.test(path),
  readPrompt(body) {
    const system = readContentText(readField(body, 'system'))
    return `${system}\n${readMessagesText(readField(body, 'messages'))}`
  },
  renderWhole(answer, model) {
    return JSON.stringify({
      ...renderMessage(answer, model),
      content: renderBlocks(answer),
      stop_reason: readStop(answer),
      stop_details: renderStopDetails(answer),
      usage: renderUsage(answer),
    })
  },
  renderEvents(answer, model) {
    const message = {
      ...renderMessage(answer, model),
      content: [],
      stop_reason: null,
      usage: { ...renderUsage(answer), output_tokens: 1 },
    }
    const blocks = renderBlocks(answer)
    return [
      renderEvent({ type: 'message_start', message }),
      renderEvent({ type: 'ping' }),
      ...blocks.flatMap(renderBlockEvents),
      renderEvent({
        type: 'message_delta',
        delta: {
          stop_reason: readStop(answer),
          stop_sequence: null,
          stop_details: renderStopDetails(answer),
        },
        usage: { output_tokens: countUsage(answer).output },
      }),
      renderEvent({ type: 'message_stop' }),
    ]
  },
  isClosing: (event) => /^event: (?:content_block_stop|message_delta|message_stop)/.test(event),
}

type Block =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_use'
      readonly id: string
      readonly name: string
      readonly input: object
    }

function renderMessage({ model: answered }: ScriptedAnswer, model: string): object {
  return {
    id: 'msg_scripted',
    type: 'message',
    role: 'assistant',
    model: answered ?? model,
    stop_sequence: null,
  }
}

function renderBlocks({ text, toolCalls = [] }: ScriptedAnswer): Block[] {
  return [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...toolCalls.map(({ name, input }, index) => ({
      type: 'tool_use' as const,
      id: `toolu_scripted_${index}`,
      name,
      input,
    })),
  ]
}

function renderBlockEvents(block: Block, index: number): string[] {
  const isText = block.type === 'text'
  const deltas = isText
    ? cutText(block.text).map((text) => ({ type: 'text_delta', text }))
    : [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }]
  return [
    renderEvent({
      type: 'content_block_start',
      index,
      content_block: isText ? { ...block, text: '' } : { ...block, input: {} },
    }),
    ...deltas.map((delta) => renderEvent({ type: 'content_block_delta', index, delta })),
    renderEvent({ type: 'content_block_stop', index }),
  ]
}

function readStop({ finishReason, refusal, toolCalls }: ScriptedAnswer): string {
  if (refusal !== undefined) return 'refusal'
  return finishReason ?? (toolCalls === undefined ? 'end_turn' : 'tool_use')
}

function renderStopDetails({ refusal }: ScriptedAnswer): object | null {
  return refusal === undefined ? null : { type: 'refusal', category: null, explanation: refusal }
}

function renderUsage(answer: ScriptedAnswer): object {
  const { input, output, cached } = countUsage(answer)
  return {
    input_tokens: input - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: output,
  }
}

function renderEvent(event: { readonly type: string; readonly [key: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
