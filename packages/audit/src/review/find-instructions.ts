/** Ways in which text of a repository speaks to whoever reviews it. Wide on purpose: a wrong flag costs one line. */
const ADDRESSES = [
  /\b(?:reviewers?|auditors?|ai|llms?|assistants?|agents?|models?)\b[^\n]{0,40}[:,][^\n]{0,60}\b(?:return|report|ignore|skip|mark|say|answer|do not|don't|must|never|no findings)\b/i,
  /\b(?:ignore|disregard|forget|override)\b[^\n]{0,30}\b(?:previous|prior|above|earlier|all)\b[^\n]{0,30}\b(?:instructions?|rules?|prompts?)\b/i,
  /\b(?:return|report)\s+no\s+(?:findings|issues|defects|problems)\b/i,
  /\bsystem prompt\b|<\/?(?:system|instructions?)>/i,
]

/** 1-based numbers of the lines that read like instructions to a reviewer. They are data, and are said to be. */
export function findInstructionLines(text: string, firstLine = 1): number[] {
  return text
    .split(/\r\n|\r|\n/)
    .flatMap((line, index) =>
      ADDRESSES.some((address) => address.test(line.slice(0, 2000))) ? [firstLine + index] : [],
    )
}
