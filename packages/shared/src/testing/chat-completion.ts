/** The part of a scripted answer that the chat-completions wire format shows. */
interface ChatAnswer {
  readonly kind: 'answer'
  readonly text: string
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly finishReason?: string
  readonly model?: string
}

/** Characters per token where a script states no usage. */
const CHARACTERS_PER_TOKEN = 4

function readUsage(answer: ChatAnswer): object {
  const input = answer.inputTokens ?? 100
  const output = answer.outputTokens ?? Math.ceil(answer.text.length / CHARACTERS_PER_TOKEN)
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}

/** A chat-completions answer as one JSON object. */
export function renderChatCompletion(answer: ChatAnswer, model: unknown): string {
  return JSON.stringify({
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    model: answer.model ?? model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answer.text },
        finish_reason: answer.finishReason ?? 'stop',
      },
    ],
    usage: readUsage(answer),
  })
}

/** The same as server-sent events, the text cut into a few pieces. */
export function renderChatStream(answer: ChatAnswer, model: unknown): string {
  const size = Math.max(1, Math.ceil(answer.text.length / 4))
  const pieces: object[] = []
  for (let start = 0; start < answer.text.length; start += size) {
    pieces.push({ delta: { content: answer.text.slice(start, start + size) }, finish_reason: null })
  }
  pieces.push({ delta: {}, finish_reason: answer.finishReason ?? 'stop' })
  const events = pieces.map((choice) => ({
    id: 'chatcmpl-scripted',
    object: 'chat.completion.chunk',
    model: answer.model ?? model,
    choices: [{ index: 0, ...choice }],
  }))
  const last = { ...events.at(-1), choices: [], usage: readUsage(answer) }
  const lines = [...events, last].map((event) => `data: ${JSON.stringify(event)}\n\n`)
  return `${lines.join('')}data: [DONE]\n\n`
}
