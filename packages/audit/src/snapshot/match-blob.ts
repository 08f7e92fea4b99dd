import { hashBlob } from '@audit-tools/shared/git'

/**
 * Whether this content has this blob id, as it is or with LF line ends: git may check text out with CRLF and store it
 * with LF, and the stored id is the one that every checkout agrees on.
 */
export function matchBlob(content: Buffer, id: string): boolean {
  const algorithm = id.length === 64 ? 'sha256' : 'sha1'
  if (hashBlob(content, algorithm) === id) return true
  return content.includes('\r\n') && hashBlob(dropCarriageReturns(content), algorithm) === id
}

function dropCarriageReturns(content: Buffer): Buffer {
  return Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
}
