import type { ProviderReply } from './provider-server.ts'

/** Replies that real providers give, in their own words (`wire-formats.md` names the sources). */

/** 429 with a stated wait, as OpenAI-compatible services send it. */
export function replyRateLimited(retryAfterSeconds: number): ProviderReply {
  return {
    kind: 'status',
    status: 429,
    headers: { 'retry-after': String(retryAfterSeconds) },
    body: {
      error: {
        message: `Rate limit reached for requests. Please try again in ${retryAfterSeconds}s.`,
        type: 'requests',
        param: null,
        code: 'rate_limit_exceeded',
      },
    },
  }
}

/** No money left: only a person can mend it. */
export function replyCreditExhausted(): ProviderReply {
  return {
    kind: 'status',
    status: 429,
    body: {
      error: {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        type: 'insufficient_quota',
        param: null,
        code: 'insufficient_quota',
      },
    },
  }
}

/** The service as a whole is busy. */
export function replyOverloaded(): ProviderReply {
  return {
    kind: 'status',
    status: 529,
    body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  }
}

/** The key is not accepted. */
export function replyUnauthorized(): ProviderReply {
  return {
    kind: 'status',
    status: 401,
    body: {
      error: {
        message: 'Incorrect API key provided.',
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_api_key',
      },
    },
  }
}

/** The model is not there. */
export function replyModelGone(model: string): ProviderReply {
  return {
    kind: 'status',
    status: 404,
    body: {
      error: {
        message: `The model \`${model}\` does not exist or you do not have access to it.`,
        type: 'invalid_request_error',
        param: null,
        code: 'model_not_found',
      },
    },
  }
}

/** The request does not fit the model. */
export function replyTooLarge(limitTokens: number, sentTokens: number): ProviderReply {
  return {
    kind: 'status',
    status: 400,
    body: {
      error: {
        message: `This model's maximum context length is ${limitTokens} tokens. However, your messages resulted in ${sentTokens} tokens.`,
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
  }
}

/** An error in Anthropic's words, such as `rate_limit_error` with 429. */
export function replyAnthropicError(
  status: number,
  type: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ProviderReply {
  return { kind: 'status', status, headers, body: { type: 'error', error: { type, message } } }
}

/** A plan's closed five-hour window, as a subscription's endpoint answers. */
export function replyPlanLimit(resetsAt: number, now: number): ProviderReply {
  return replyAnthropicError(
    429,
    'rate_limit_error',
    'This request would exceed your account rate limit. Please try again later.',
    {
      'retry-after': String(Math.ceil((resetsAt - now) / 1000)),
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': String(Math.ceil(resetsAt / 1000)),
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      'x-should-retry': 'false',
    },
  )
}

/** A plan's closed window, as Codex's endpoint answers. */
export function replyCodexPlanLimit(resetsInSeconds: number, now: number): ProviderReply {
  return {
    kind: 'status',
    status: 429,
    body: {
      error: {
        type: 'usage_limit_reached',
        message: 'The usage limit has been reached',
        plan_type: 'plus',
        resets_at: Math.ceil(now / 1000) + resetsInSeconds,
        resets_in_seconds: resetsInSeconds,
      },
    },
  }
}
