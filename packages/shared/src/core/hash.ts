import { createHash, hash as hashOnce } from 'node:crypto'

/** SHA-256 as 64 hexadecimal characters. */
export function hashContent(content: string | Uint8Array): string {
  return hashOnce('sha256', content, 'hex')
}

/** A hash of several parts in which no two different lists of parts collide by joining. */
export function hashParts(parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  return hash.digest('hex')
}
