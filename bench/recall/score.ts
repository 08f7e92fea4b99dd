import type { Sink } from './sinks.ts'
import type { Remark, ToolRun } from './tools.ts'

/** A remark this near to the sink names it. */
const LINE_TOLERANCE = 3

interface Hit {
  readonly atFile: boolean
  readonly atLine: boolean
}

/** Whether a tool named the file of a sink with its class, and its line too. */
function judgeHit(sink: Sink, remarks: readonly Remark[]): Hit {
  const inFile = remarks.filter(({ file, cwe }) => file === sink.file && cwe === sink.cwe)
  return {
    atFile: inFile.length > 0,
    atLine: inFile.some(
      ({ lineStart, lineEnd }) =>
        sink.line >= lineStart - LINE_TOLERANCE && sink.line <= lineEnd + LINE_TOLERANCE,
    ),
  }
}

export interface Score {
  readonly tool: string
  readonly version: string
  readonly fileHits: number
  readonly lineHits: number
  readonly sinks: number
  readonly remarks: number
  readonly remarksPerKloc: number
  readonly cpuSeconds: number
  /** Line hits of a class or a part, as `hits/sinks`. */
  readonly byClass: Readonly<Record<string, string>>
  readonly byPart: Readonly<Record<string, string>>
  readonly missed: readonly string[]
}

export function scoreTool(run: ToolRun, sinks: readonly Sink[], kloc: number): Score {
  const hits = sinks.map((sink, index) => judgeHit(sink, run.remarks[index] ?? []))
  const tally = (group: (sink: Sink) => string): Record<string, string> => {
    const groups = [...new Set(sinks.map(group))]
    return Object.fromEntries(
      groups.map((name) => {
        const members = sinks.flatMap((sink, index) => (group(sink) === name ? [hits[index]] : []))
        return [name, `${members.filter((hit) => hit?.atLine).length}/${members.length}`]
      }),
    )
  }
  const remarks = run.remarks.reduce((sum, list) => sum + list.length, 0)
  return {
    tool: run.tool,
    version: run.version,
    fileHits: hits.filter((hit) => hit.atFile).length,
    lineHits: hits.filter((hit) => hit.atLine).length,
    sinks: sinks.length,
    remarks,
    remarksPerKloc: remarks / kloc,
    cpuSeconds: run.cpuSeconds,
    byClass: tally((sink) => sink.class),
    byPart: tally((sink) => sink.part),
    missed: sinks.flatMap((sink, index) =>
      hits[index]?.atLine || sink.part === 'check'
        ? []
        : [`${sink.package}@${sink.version} ${sink.file}:${sink.line}`],
    ),
  }
}
