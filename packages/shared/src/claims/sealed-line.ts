import { hashContent } from '../core/index.ts'

const checksumLength = 64
const bodyStart = checksumLength + 1

/** One line, `<sha-256 of the rest> <json>`, in which any cut or changed byte shows. */
export function sealLine(value: object): string {
  const body = `${JSON.stringify(value)}\n`
  return `${hashContent(body)} ${body}`
}

/** The value of a sealed line; undefined when it is not byte for byte what was sealed. */
export function unsealLine(bytes: Uint8Array): unknown {
  const header = Buffer.from(bytes.subarray(0, bodyStart)).toString('latin1')
  const body = bytes.subarray(bodyStart)
  if (header !== `${hashContent(body)} `) return undefined
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    // Sealed, but not by `sealLine`.
    return undefined
  }
}
