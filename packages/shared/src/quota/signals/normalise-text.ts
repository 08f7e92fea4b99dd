/** What is read of a text: its beginning and, since failures come last, more of its end. */
const HEAD_CHARACTERS = 8_192
const TAIL_CHARACTERS = 24_576

// eslint-disable-next-line no-control-regex -- terminal colours and cursor moves begin with ESC
const TERMINAL_SEQUENCE = /\u001b(?:\[[0-9;?]{0,32}[A-Za-z]|[A-Za-z])/g
// eslint-disable-next-line no-control-regex -- other control characters separate words and mean nothing
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** Keeps the beginning and the end of a long text, so that reading it costs the same however long it is. */
function boundText(text: string): string {
  if (text.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return text
  return `${text.slice(0, HEAD_CHARACTERS)}\n${text.slice(-TAIL_CHARACTERS)}`
}

/**
 * Gives words one spelling: compatibility forms folded (NFKC), quotes straight, dashes plain, the dots that CLIs put
 * between clauses one character, no terminal sequences, no control or invisible characters but tabs and newlines.
 */
export function normaliseText(text: string): string {
  return boundText(text)
    .replace(TERMINAL_SEQUENCE, '')
    .replace(/\r\n?/g, '\n')
    .normalize('NFKC')
    .replace(CONTROL, ' ')
    .replace(INVISIBLE, '')
    .replace(/[\u2018\u2019\u201a\u201b\u2032\u02bc`\u00b4]/g, "'")
    .replace(/[\u201c-\u201f\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2022\u2219\u22c5\u30fb\u2027]/g, '\u00b7')
}
