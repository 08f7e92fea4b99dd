/** Keeps the last `maxBytes` of a stream in memory that never grows beyond twice that. */
export class TailBuffer {
  private buffer = Buffer.alloc(0)
  private used = 0
  private readonly maxBytes: number
  /** Everything that went through, kept or not. */
  totalBytes = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  push(chunk: Uint8Array): void {
    this.totalBytes += chunk.byteLength
    const kept = chunk.subarray(Math.max(0, chunk.byteLength - this.maxBytes))
    if (kept.byteLength === 0) return
    this.makeRoom(kept.byteLength)
    this.buffer.set(kept, this.used)
    this.used += kept.byteLength
  }

  private makeRoom(byteLength: number): void {
    const needed = this.used + byteLength
    if (needed <= this.buffer.byteLength) return
    if (needed > 2 * this.maxBytes) {
      const keep = this.maxBytes - byteLength
      this.buffer.copyWithin(0, this.used - keep, this.used)
      this.used = keep
      return
    }
    const grown = Buffer.allocUnsafe(
      Math.min(2 * this.maxBytes, Math.max(needed, 2 * this.buffer.byteLength, 4096)),
    )
    this.buffer.copy(grown, 0, 0, this.used)
    this.buffer = grown
  }

  get truncated(): boolean {
    return this.totalBytes > this.maxBytes
  }

  /** The kept bytes; a copy. */
  read(): Buffer {
    const start = Math.max(0, this.used - this.maxBytes)
    return Buffer.from(this.buffer.subarray(start, this.used))
  }
}

/** Decodes bytes that may have been cut inside a character at the front. */
export function decodeTail(bytes: Buffer): string {
  let start = 0
  while (start < Math.min(3, bytes.byteLength) && isContinuation(bytes[start])) start += 1
  return bytes.toString('utf8', start)
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
