/** A download that goes straight into an interpreter. */
export const pipedDownload =
  /\b(curl|wget)\b[^|;&\n]{0,400}\|\s*(sudo\s+(-\w+\s+)?)?(env\s+)?(\/(usr\/)?bin\/)?(ba|z|da|k)?sh\b|\b(ba|z)?sh\s+(-c\s+)?["']?(<\(|\$\()\s*(curl|wget)\b/

/** Offsets of every match of a pattern in a stretch of text. */
export function findOffsets(text: string, pattern: RegExp, base: number): number[] {
  const flags = pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`
  return Array.from(text.matchAll(new RegExp(pattern.source, flags)), ({ index }) => base + index)
}
