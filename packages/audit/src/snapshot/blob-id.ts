import { createHash } from 'node:crypto'

export type BlobAlgorithm = 'sha1' | 'sha256'

/** The id that git gives to this content. */
export function computeBlobId(content: Uint8Array, algorithm: BlobAlgorithm): string {
  return createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest('hex')
}

/**
 * The id of this content with line ends as the index has them. Git may check text out with CRLF and store it with LF;
 * the id in the index then is the one that every checkout agrees on.
 */
export function matchBlobId(content: Buffer, id: string): boolean {
  const algorithm = id.length === 64 ? 'sha256' : 'sha1'
  if (computeBlobId(content, algorithm) === id) return true
  return content.includes('\r\n') && computeBlobId(dropCarriageReturns(content), algorithm) === id
}

function dropCarriageReturns(content: Buffer): Buffer {
  return Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
}
