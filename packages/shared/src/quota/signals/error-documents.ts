import { isJsonObject, type JsonObject } from './documents.ts'

/** Events that carry what a model or a tool said: never evidence of a limit, whatever words are in them. */
const CONTENT_TYPE =
  /^(?:item|items|tool|message|text|user|assistant|thread|step|stream_event|content|reasoning|part|file|init)(?:$|[._-])|^turn\.(?:started|completed)$/

const ERROR_TYPE = /(?:^|[._-])(?:error|failed|failure)$/

/**
 * Whether a JSON object reports a failure: an error body, an error event of a CLI, a result that says it is one, or a
 * response with its status. Everything else in a stream is output.
 */
export function isErrorDocument(document: JsonObject): boolean {
  const { type } = document
  if (typeof type === 'string' && CONTENT_TYPE.test(type))
    return document['isApiErrorMessage'] === true
  if (typeof document['is_error'] === 'boolean') return document['is_error']
  if (
    typeof type === 'string' &&
    (ERROR_TYPE.test(type) || /^(?:session\.status|retry)$/.test(type))
  )
    return true
  if (isFilled(document['error']) || isFilled(document['errors']) || isFilled(document['err']))
    return true
  return (
    hasFailureStatus(document) ||
    hasHeaders(document) ||
    isLoggedError(document) ||
    (isFilled(document['code']) && typeof document['message'] === 'string') ||
    isFilled(document['__type']) ||
    isFilled(document['base_resp']) ||
    isProblem(document) ||
    typeof document['detail'] === 'string' ||
    hasWait(document)
  )
}

/** Fields with which a server says when to come again. */
function hasWait(document: JsonObject): boolean {
  return ['retry_after', 'retryAfter', 'retry_after_ms', 'retry_after_seconds'].some((key) =>
    isFilled(document[key]),
  )
}

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== ''
}

function hasFailureStatus(document: JsonObject): boolean {
  return ['status', 'status_code', 'statusCode', 'raw_status_code'].some((key) => {
    const status = document[key]
    return status === 'error' || (typeof status === 'number' && status >= 400)
  })
}

function hasHeaders(document: JsonObject): boolean {
  return isJsonObject(document['headers']) || isJsonObject(document['responseHeaders'])
}

function isLoggedError(document: JsonObject): boolean {
  const level = document['level'] ?? document['severity']
  return typeof level === 'string' && /^(?:warn|warning|error|fatal|critical)$/i.test(level)
}

/** Problem details (RFC 9457), whose type is a URI. */
function isProblem(document: JsonObject): boolean {
  return typeof document['type'] === 'string' && document['type'].includes('problem-types')
}
