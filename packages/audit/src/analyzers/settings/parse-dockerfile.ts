/** One instruction of a Dockerfile, its continued lines joined. */
export interface DockerInstruction {
  /** In capitals: `RUN`. */
  readonly name: string
  readonly argument: string
  /** UTF-16 offset of the instruction. */
  readonly offset: number
}

const instruction = /^[ \t]*([A-Za-z]+)[ \t]+(.*)$/

/** Reads the instructions of a Dockerfile; comments and what is no instruction are left out. */
export function parseDockerfile(text: string): DockerInstruction[] {
  const instructions: DockerInstruction[] = []
  let open: { name: string; argument: string; offset: number } | undefined
  let offset = 0
  for (const line of text.split('\n')) {
    const content = line.trimEnd()
    const isComment = /^\s*#/.test(content)
    const match = open === undefined && !isComment ? instruction.exec(content) : null
    if (open !== undefined && !isComment) open.argument += ` ${stripContinuation(content.trim())}`
    else if (match !== null) {
      const [, name = '', argument = ''] = match
      open = { name: name.toUpperCase(), argument: stripContinuation(argument), offset }
    }
    if (open !== undefined && !isComment && !content.endsWith('\\')) {
      instructions.push(open)
      open = undefined
    }
    offset += line.length + 1
  }
  return open === undefined ? instructions : [...instructions, open]
}

function stripContinuation(text: string): string {
  return text.endsWith('\\') ? text.slice(0, -1).trimEnd() : text
}
