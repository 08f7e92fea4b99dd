import {
  countUsage,
  cutText,
  readField,
  readMessagesText,
  type ScriptedAnswer,
  type WireFormat,
} from './wire-format.ts'

/** OpenAI's chat completions, as most services speak them: every path that no other format takes. */
export const chatCompletions: WireFormat = {
  accepts: () => true,
  readPrompt: (body) => readMessagesText(readField(body, 'messages')),
  renderWhole(answer, model) {
    return JSON.stringify({
      id: 'chatcmpl-scripted',
      object: 'chat.completion',
      model: answer.model ?? model,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: answer.text, ...renderExtras(answer) },
          finish_reason: readFinish(answer),
        },
      ],
      usage: renderUsage(answer),
    })
  },
  renderEvents(answer, model) {
    const pieces: object[] = cutText(answer.text).map((content) => ({
      delta: { content },
      finish_reason: null,
    }))
    pieces.push({ delta: renderExtras(answer), finish_reason: readFinish(answer) })
    const events = pieces.map((choice) => ({
      id: 'chatcmpl-scripted',
      object: 'chat.completion.chunk',
      model: answer.model ?? model,
      choices: [{ index: 0, ...choice }],
    }))
    const last = { ...events.at(-1), choices: [], usage: renderUsage(answer) }
    const lines = [...events, last].map((event) => `data: ${JSON.stringify(event)}\n\n`)
    return [...lines, 'data: [DONE]\n\n']
  },
  isClosing: (event) => !event.includes('"delta":{"content"'),
}

function readFinish(answer: ScriptedAnswer): string {
  return answer.finishReason ?? (answer.toolCalls === undefined ? 'stop' : 'tool_calls')
}

function renderExtras({ refusal, toolCalls }: ScriptedAnswer): object {
  return {
    ...(refusal === undefined ? {} : { refusal }),
    ...(toolCalls === undefined
      ? {}
      : {
          tool_calls: toolCalls.map(({ name, input }, index) => ({
            index,
            id: `call_${index}`,
            type: 'function',
            function: { name, arguments: JSON.stringify(input) },
          })),
        }),
  }
}

function renderUsage(answer: ScriptedAnswer): object {
  const { input, output, cached } = countUsage(answer)
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached === 0 ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
  }
}
