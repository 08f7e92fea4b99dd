import { AuditToolsError, readErrorMessage, readSystemErrorCode } from '../core/index.ts'
import { readFileText } from '../store/index.ts'
import { findJsonFault } from './find-json-fault.ts'

export type ConfigFileReading =
  | { readonly kind: 'ok'; readonly value: unknown }
  | { readonly kind: 'missing' }
  | { readonly kind: 'invalid'; readonly problem: string }

/** Reads a configuration file as JSON. Throws store-unreadable when it is there and cannot be read. */
export function readConfigFile(path: string): ConfigFileReading {
  const reading = readFileText(path)
  if (reading.kind === 'missing') return reading
  if (reading.kind === 'unreadable') return describeUnreadable(path, reading.cause)
  if (reading.text.trim() === '') {
    return { kind: 'invalid', problem: 'the file is empty; write {} or remove it' }
  }
  const fault = findJsonFault(reading.text)
  if (fault) {
    const { line, column, message } = fault
    return { kind: 'invalid', problem: `line ${line}, column ${column}: ${message}` }
  }
  return { kind: 'ok', value: JSON.parse(reading.text) }
}

function describeUnreadable(path: string, cause: unknown): ConfigFileReading {
  if (readSystemErrorCode(cause) === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return { kind: 'invalid', problem: 'the file is not UTF-8 text; save it as UTF-8' }
  }
  throw new AuditToolsError(
    'store-unreadable',
    `the configuration ${path} cannot be read: ${readErrorMessage(cause)}; check what it is and who may read it`,
    { details: { path }, cause },
  )
}
