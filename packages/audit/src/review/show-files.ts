import type { PacketFile } from './review-packet.ts'
import type { PromptFile } from './render-prompt.ts'

/** Cuts a file's text to the ranges of a packet; a range past the end shows nothing. */
export function showFile(file: PacketFile, text: string): PromptFile[] {
  const whole = { path: file.path, text, firstLine: 1, totalLines: file.total_lines }
  if (file.ranges.length === 0) return [whole]
  const lines = text.split(/(?<=\r\n|\r(?!\n)|\n)/)
  return file.ranges.flatMap(({ first, last }) => {
    const shown = lines.slice(first - 1, last)
    return shown.length === 0 ? [] : [{ ...whole, text: shown.join(''), firstLine: first }]
  })
}
