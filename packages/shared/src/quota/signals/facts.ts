import { type HeaderMap, readHeaderMap } from './headers/index.ts'
import { extractDocuments, foldKey, isJsonObject, type JsonObject } from './documents.ts'
import { readStatedTimes, type StatedTime } from './stated-times.ts'

/** What the error documents of one failure say, gathered from wherever providers nest it. */
interface Facts {
  /** Values of `type`, `code`, `status`, `reason` and their like, in order, with their case. */
  readonly codes: string[]
  readonly messages: string[]
  readonly times: StatedTime[]
  readonly headers: Map<string, string>
  status: number | undefined
}

const CODE_KEYS = new Set([
  'type', 'code', 'status', 'reason', 'errorcode', 'errortype', 'errorname', 'name', 'error', 'errors', '__type', 'title',
  'statuscode', 'quotaid', 'quotametric', 'quotalimit', 'innercode', 'ratelimittype',
]) // prettier-ignore
const MESSAGE_KEYS = new Set([
  'message', 'msg', 'statusmsg', 'errormessage', 'errormsg', 'errordescription', 'description', 'detail', 'details',
  'title', 'error', 'err', 'result', 'raw', 'reason', 'body', 'responsebody',
]) // prettier-ignore
const STATUS_KEYS = new Set([
  'status', 'statuscode', 'httpstatus', 'httpstatuscode', 'apierrorstatus', 'rawstatuscode', 'code', 'errorcode',
]) // prettier-ignore
const HEADER_KEYS = new Set(['headers', 'responseheaders'])
/** Keys under which providers and wrappers nest the error that matters. */
const CARRIER_KEYS = new Set([
  'error', 'errors', 'err', 'cause', 'data', 'detail', 'details', 'properties', 'metadata', 'response', 'body',
  'responsebody', 'innererror', 'raw', 'violations', 'lasterror', 'quotadimensions', 'message', 'baseresp', 'failure', 'status',
]) // prettier-ignore

const MAX_DEPTH = 8
const MAX_NODES = 400
const MAX_ITEMS = 20
const MAX_MESSAGE_CHARACTERS = 8_192

/** Gathers the facts of error documents; later documents only add. */
export function collectFacts(documents: readonly JsonObject[], now: number): Facts {
  const facts: Facts = { codes: [], messages: [], times: [], headers: new Map(), status: undefined }
  for (const document of documents) new FactWalk(facts, now).visit(document, 0)
  return facts
}

/** Reads one document; what is nested deeper or wider than any error is left out. */
class FactWalk {
  readonly #facts: Facts
  readonly #now: number
  #nodes = 0

  constructor(facts: Facts, now: number) {
    this.#facts = facts
    this.#now = now
  }

  visit(value: unknown, depth: number): void {
    if (depth > MAX_DEPTH || this.#nodes >= MAX_NODES) return
    this.#nodes += 1
    if (Array.isArray(value)) {
      for (const item of value.slice(0, MAX_ITEMS)) this.visit(item, depth + 1)
      return
    }
    if (typeof value === 'string') {
      this.#readText(value, depth)
      return
    }
    if (!isJsonObject(value)) return
    this.#facts.times.push(...readStatedTimes(value, this.#now))
    for (const [key, item] of Object.entries(value)) this.#readEntry(foldKey(key), item, depth)
  }

  #readEntry(key: string, item: unknown, depth: number): void {
    if (typeof item === 'object') {
      if (HEADER_KEYS.has(key) && isJsonObject(item)) this.#addHeaders(readHeaderMap(item))
      else if (CARRIER_KEYS.has(key)) this.visit(item, depth + 1)
      return
    }
    if (STATUS_KEYS.has(key)) this.#facts.status = readStatus(item) ?? this.#facts.status
    if (typeof item !== 'string' && typeof item !== 'number') return
    if (CODE_KEYS.has(key) && isCode(String(item))) this.#facts.codes.push(String(item))
    if (MESSAGE_KEYS.has(key) && typeof item === 'string') this.#readText(item, depth)
  }

  /** A message; wrappers put the JSON of the error before them into it. */
  #readText(text: string, depth: number): void {
    const bounded = text.slice(0, MAX_MESSAGE_CHARACTERS)
    const { documents, rest } = extractDocuments(bounded)
    if (rest.trim() !== '{}') this.#facts.messages.push(rest)
    for (const document of documents) this.visit(document, depth + 1)
  }

  #addHeaders(headers: HeaderMap): void {
    for (const [name, value] of headers) this.#facts.headers.set(name, value)
  }
}

function isCode(text: string): boolean {
  return /^[\w.:/#-]{1,120}$/.test(text)
}

/** An HTTP status of a failure, also written as text. */
function readStatus(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
  return typeof status === 'number' && status >= 100 && status < 600 ? status : undefined
}
