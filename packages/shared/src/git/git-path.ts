/** A path as git stores it: relative to the top, with `/`. */
export interface GitPath {
  /** Decoded as UTF-8. */
  readonly path: string
  /** The bytes, only where they are not UTF-8: `path` is then for people, not for opening. */
  readonly rawPath?: Buffer
}

export function decodeGitPath(bytes: Buffer): GitPath {
  const path = bytes.toString('utf8')
  return Buffer.from(path).equals(bytes) ? { path } : { path, rawPath: Buffer.from(bytes) }
}

/** The parts of NUL-terminated output. */
export function* splitNul(output: Buffer): Generator<Buffer> {
  let start = 0
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, start)) {
    yield output.subarray(start, end)
    start = end + 1
  }
  if (start < output.byteLength) yield output.subarray(start)
}
