import {
  countUsage,
  cutText,
  readField,
  readMessagesText,
  type ScriptedAnswer,
  type WireFormat,
} from './wire-format.ts'

/** OpenAI's Responses API, which Codex speaks. */
export const openaiResponses: WireFormat = {
  accepts: (path) => /\/responses(?:\?|$)/.test(path),
  readPrompt(body) {
    const instructions = readField(body, 'instructions')
    const input = readMessagesText(readField(body, 'input'))
    return `${typeof instructions === 'string' ? instructions : ''}\n${input}`
  },
  renderWhole: (answer, model) => JSON.stringify(renderResponse(answer, model)),
  renderEvents(answer, model) {
    const response = renderResponse(answer, model)
    const items = renderItems(answer)
    const events = [
      {
        type: 'response.created',
        response: { ...response, status: 'in_progress', output: [], usage: null },
      },
      ...items.flatMap((item, index) => renderItemEvents(item, index, answer)),
      isIncomplete(answer)
        ? { type: 'response.incomplete', response }
        : { type: 'response.completed', response },
    ]
    return events.map(
      (event, number) =>
        `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: number })}\n\n`,
    )
  },
  isClosing: (event) => /^event: response\.(?:output_item\.done|completed|incomplete)/.test(event),
}

type Item = { readonly type: string; readonly id: string } & Readonly<Record<string, unknown>>

function renderResponse(answer: ScriptedAnswer, model: string): object {
  const { input, output, cached } = countUsage(answer)
  return {
    id: 'resp_scripted',
    object: 'response',
    model: answer.model ?? model,
    status: isIncomplete(answer) ? 'incomplete' : 'completed',
    incomplete_details: isIncomplete(answer) ? { reason: answer.finishReason } : null,
    output: renderItems(answer),
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  }
}

function isIncomplete({ finishReason }: ScriptedAnswer): boolean {
  return finishReason === 'max_output_tokens' || finishReason === 'content_filter'
}

function renderItems({ text, refusal, toolCalls = [] }: ScriptedAnswer): Item[] {
  const content =
    refusal === undefined
      ? { type: 'output_text', text, annotations: [] }
      : { type: 'refusal', refusal }
  const message: Item = {
    type: 'message',
    id: 'msg_scripted',
    role: 'assistant',
    status: 'completed',
    content: [content],
  }
  return [
    ...(text === '' && refusal === undefined ? [] : [message]),
    ...toolCalls.map(({ name, input }, index) => ({
      type: 'function_call',
      id: `fc_${index}`,
      call_id: `call_${index}`,
      name,
      arguments: JSON.stringify(input),
    })),
  ]
}

function renderItemEvents(
  item: Item,
  index: number,
  { text, refusal }: ScriptedAnswer,
): { readonly type: string }[] {
  const place = { item_id: item.id, output_index: index, content_index: 0 }
  const hasText = item.type === 'message' && refusal === undefined
  const started = hasText ? { ...item, content: [] } : item
  const deltas = hasText
    ? cutText(text).map((delta) => ({ type: 'response.output_text.delta', ...place, delta }))
    : []
  return [
    { type: 'response.output_item.added', ...place, item: started } as { readonly type: string },
    ...deltas,
    { type: 'response.output_item.done', ...place, item } as { readonly type: string },
  ]
}
