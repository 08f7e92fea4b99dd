import { type EventReading, readCliEvent } from './cli-events.ts'
import { extractDocuments, isJsonObject, type JsonObject, parseJson } from './documents.ts'
import { isErrorDocument } from './error-documents.ts'
import { collectFacts } from './facts.ts'
import {
  extractHeaderLines,
  type HeadersLike,
  type LimitWindow,
  readHeaderMap,
  readLimitHeaderMap,
} from './headers/index.ts'
import { normaliseText } from './normalise-text.ts'
import { findStatus, LIBRARY_ERROR } from './status.ts'
import type { StatedTime } from './stated-times.ts'

/** What a failed call left behind. */
export interface FailureInput {
  /** Standard error, a log's tail, a printed error: prose, JSON, JSON lines, or a mixture. */
  readonly text?: string | undefined
  /** HTTP status of the response. */
  readonly status?: number | undefined
  readonly headers?: HeadersLike | undefined
  /** The response's body, parsed or as text. */
  readonly body?: unknown
  /** The provider's name; its grammar is tried first. */
  readonly provider?: string | undefined
  /**
   * Where the text comes from. `result` is what a worker handed back: it is evidence only when it is a limit notice and
   * nothing else.
   */
  readonly channel: 'error' | 'result' | 'log'
  /** Epoch milliseconds when the failure was seen. */
  readonly now: number
  /** IANA zone of the machine that printed times without a zone; this machine's where absent. */
  readonly timeZone?: string | undefined
}

/** A failure taken apart: fields, headers and words, each ready for its reader. */
export interface Evidence {
  /** Codes of error bodies and events. */
  readonly codes: readonly string[]
  /** Codes that only prose shows. */
  readonly proseCodes: readonly string[]
  /** Messages of error bodies and the prose around them, normalised, file names left out. */
  readonly text: string
  readonly events: readonly EventReading[]
  readonly times: readonly StatedTime[]
  readonly windows: readonly LimitWindow[]
  /** From the caller, else from a body. */
  readonly status: number | undefined
  /** From prose only. */
  readonly proseStatus: number | undefined
  /** Whether anything shows that a provider speaks here and not just any program. */
  readonly hasApi: boolean
}

export function gatherEvidence(input: FailureInput): Evidence {
  const { documents, prose } = readDocuments(input)
  const events = documents.flatMap((document) => readCliEvent(document, input.now) ?? [])
  const errors = documents.filter(isErrorDocument)
  const facts = collectFacts(errors, input.now)
  const printed = extractHeaderLines(prose)
  const headers = new Map([...facts.headers, ...printed.headers, ...readHeaderMap(input.headers)])
  const messages = normaliseText(facts.messages.join('\n'))
  const spoken = removePaths(printed.rest.replace(SOURCE_LINE, ''))
  const status = input.status ?? facts.status
  const proseStatus = findStatus(spoken)
  return {
    codes: facts.codes,
    proseCodes: findProseCodes(spoken),
    text: `${removePaths(messages)}\n${spoken}`,
    events,
    times: facts.times,
    windows: readLimitHeaderMap(headers, { provider: input.provider, receivedAt: input.now }),
    status,
    proseStatus,
    hasApi:
      errors.length > 0 ||
      status !== undefined ||
      API_ERROR.test(spoken) ||
      LIBRARY_ERROR.test(spoken),
  }
}

function readDocuments(input: FailureInput): { documents: readonly JsonObject[]; prose: string } {
  const fromText = extractDocuments(input.text ?? '')
  const body = typeof input.body === 'string' ? (parseJson(input.body) ?? input.body) : input.body
  if (typeof body === 'string') {
    const fromBody = extractDocuments(body)
    return {
      documents: [...fromBody.documents, ...fromText.documents],
      prose: normaliseText(`${fromBody.rest}\n${fromText.rest}`),
    }
  }
  const bodies = (Array.isArray(body) ? body : [body]).filter(isJsonObject)
  return { documents: [...bodies, ...fromText.documents], prose: normaliseText(fromText.rest) }
}

const API_ERROR =
  /\bapi[ _-]?(?:call |status |connection )?error\b|\bAPI(?:Call|Status|Connection)?Error\b|\b[A-Z]\w{2,40}Exception: |\b(?:unexpected|last) status:? [45]\d\d\b|\berror code: [45]\d\d - /i

/** Words of a source path are no words of a provider: `rate-limit.test.ts`, `src/overloaded/model.py:429`. */
const SOURCE_PATH =
  /(?<![\w.@/\\-])[\w.@/\\-]{1,200}\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|cpp|cc|c|h|hpp|swift|scala|sh|json|ya?ml|toml|md|html?|css|sql|lock|log|txt)(?::\d{1,7}){0,2}(?![\w])/gi

/** Lines that a tool prints of code and of tests that passed: what they quote, no provider says now. */
const SOURCE_LINE =
  /^[ \t]{0,40}(?:[\u2713\u2714\u221a]|PASS\b|ok \d|\/\/|\/\*|>?[ \t]{0,4}\d{1,6} ?[|\u2502]|throw new \w|(?:const|let|var) \w{1,60} ?=|export \w|import \{|expect\(|assert\w{0,10}\(|if ?\(|return [^\n]{0,200};$|function \w|def \w{1,60}\()[^\n]{0,2000}$/gm

function removePaths(text: string): string {
  return text.replace(SOURCE_PATH, '')
}

const KEYED_CODE =
  /\b(?:type|code|error_code|reason|status|param)["']?\s{0,2}[:=]\s{0,2}["']?([A-Za-z]{1,40}(?:_[A-Za-z0-9]{1,40}){1,8})/g
const EXCEPTION = /\b([A-Z][A-Za-z]{2,60}(?:Exception|Error))\b/g

/** Codes as scripts print them: `'code': 'insufficient_quota'`, `ThrottlingException: ...`. */
function findProseCodes(prose: string): readonly string[] {
  return [...prose.matchAll(KEYED_CODE), ...prose.matchAll(EXCEPTION)].map(
    (match) => match[1] ?? '',
  )
}
