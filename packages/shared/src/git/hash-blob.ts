import { createHash } from 'node:crypto'

/** The id that git gives to a file with this content, computed without git. */
export function hashBlob(content: string | Uint8Array, algorithm: 'sha1' | 'sha256'): string {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return createHash(algorithm).update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex')
}
