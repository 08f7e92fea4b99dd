import { escapeControls } from '@audit-tools/shared/core'

/** Text from outside as inline Markdown: no control characters, no markup, one line. */
export function escapeMarkdown(text: string): string {
  return escapeControls(text.replaceAll('\n', ' ')).replace(/[\\`*_[\]<>|#!~&]/g, '\\$&')
}

/** Inline code that survives backticks inside. */
export function renderCode(text: string): string {
  const clean = escapeControls(text)
  const fence = '`'.repeat(measureLongestRun(clean) + 1)
  const pad = clean.startsWith('`') || clean.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${clean}${pad}${fence}`
}

/** A fenced block whose fence is longer than any run of backticks inside. */
export function renderFence(text: string, language = ''): string {
  const clean = escapeControls(text.replaceAll('\r\n', '\n'), { multiline: true })
  const fence = '`'.repeat(Math.max(3, measureLongestRun(clean) + 1))
  return `${fence}${language}\n${clean}\n${fence}`
}

/** A table whose cells are Markdown already; pipes in them must be escaped by their makers. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(renderRow).join('\n')
}

function renderRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function measureLongestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
}
