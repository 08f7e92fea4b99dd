import { AuditToolsError, compareText, groupBy, hashParts } from '@audit-tools/shared/core'

import {
  assessRisk,
  combineRisk,
  cutTree,
  type Graph,
  matchTestsByName,
  placeFile,
} from '../graph/index.ts'
import type { SnapshotFile } from '../snapshot/index.ts'
import { chooseLeads } from './choose-leads.ts'
import type { NotCovered, Packet, PacketFile, Plan, PlanInput, PlanLead, Rank } from './plan.ts'
import {
  CONTEXT_TOKENS,
  estimateTokens,
  measureInstructions,
  measureLeads,
  measureNeighbours,
} from './prompt-cost.ts'
import { choosePasses, type ReviewPass } from './review-passes.ts'
import { type FilePart, splitFile } from './split-file.ts'

/** Below this a packet would hold more instructions than code. */
const MIN_PROMPT_TOKENS = 8000

const MAX_NEIGHBOURS = 30

/** Part of a file on its way into a packet. */
interface Piece {
  readonly file: SnapshotFile
  readonly part: FilePart
  readonly whole: boolean
}

/** A place in the tree; without a piece for what no packet covers, which keeps its place all the same. */
interface Slot {
  readonly place: readonly string[]
  readonly weight: number
  readonly piece?: Piece
}

interface Context {
  readonly input: PlanInput
  readonly risks: ReadonlyMap<string, number>
  readonly unitOf: ReadonlyMap<string, string>
  readonly targetsOf: ReadonlyMap<string, readonly string[]>
  readonly leadsByPath: ReadonlyMap<string, readonly PlanLead[]>
}

/**
 * Cuts the files in scope into packets. Pure: equal input, in any order, gives an equal plan. Which files share a packet
 * follows from their paths and sizes, so an edit touches the packets that hold the file, and at most joins
 * neighbouring ones when it shrinks the file. Throws `config-invalid` for a ceiling that leaves no room.
 */
export function planReview(input: PlanInput): Plan {
  const { snapshot, graph, leads, config, only } = input
  if (config.maxPromptTokens < MIN_PROMPT_TOKENS) {
    throw new AuditToolsError(
      'config-invalid',
      `a ceiling of ${config.maxPromptTokens} prompt tokens leaves no room for code. Set at least ${MIN_PROMPT_TOKENS}`,
    )
  }
  const context: Context = {
    input,
    risks: new Map(
      assessRisk(snapshot, graph, leads).files.map(({ path, score }) => [path, score]),
    ),
    unitOf: new Map(graph.units.flatMap(({ id, files }) => files.map((path) => [path, id]))),
    targetsOf: listTargets(graph),
    leadsByPath: groupBy(leads, (lead) => lead.path),
  }
  const files = snapshot.files
    .filter(({ path }) => only === undefined || only.has(path))
    .toSorted((left, right) => compareText(left.path, right.path))
  const tests = matchTestsByName(files)
  const passes = choosePasses(config.depth, config.extraLenses)
  const planned = passes.map((pass) => planPass(pass, { files, tests, context }))
  const packets = planned.flatMap((part) => part.packets).toSorted(comparePackets)
  return {
    passes,
    units: graph.units,
    packets,
    notCovered: planned.flatMap((part) => part.notCovered).toSorted(compareNotCovered),
    totals: {
      promptTokens: packets.reduce((sum, packet) => sum + packet.promptTokens, 0),
      sourceTokens: packets.reduce((sum, packet) => sum + packet.sourceTokens, 0),
    },
  }
}

function listTargets({ edges }: Graph): ReadonlyMap<string, readonly string[]> {
  const byFile = groupBy(edges, (edge) => edge.from)
  return new Map([...byFile].map(([from, own]) => [from, own.map((edge) => edge.to)]))
}

function comparePackets(left: Packet, right: Packet): number {
  return right.risk - left.risk || compareText(left.id, right.id)
}

function compareNotCovered(left: NotCovered, right: NotCovered): number {
  return (
    compareText(left.path, right.path) ||
    compareText(left.passId, right.passId) ||
    left.lines.first - right.lines.first
  )
}

interface PassInput {
  readonly files: readonly SnapshotFile[]
  readonly tests: ReadonlyMap<string, string>
  readonly context: Context
}

function planPass(
  pass: ReviewPass,
  { files, tests, context }: PassInput,
): { packets: Packet[]; notCovered: NotCovered[] } {
  const { graph, config } = context.input
  const instructions = estimateTokens(measureInstructions(pass.lenses))
  const room = config.maxPromptTokens - instructions - CONTEXT_TOKENS
  const slots: Slot[] = []
  const notCovered: NotCovered[] = []
  for (const file of files) {
    if (!pass.kinds.has(file.kind)) continue
    const place = placeFile(file.path, tests)
    const { parts, uncovered, whole } = splitFile(file, graph.cuts.get(file.path), room)
    for (const part of parts) {
      const own = whole ? place : placeLine(place, part.covers.first)
      slots.push({ place: own, weight: part.tokens, piece: { file, part, whole } })
    }
    for (const { lines, tokens, reason } of uncovered) {
      slots.push({ place: placeLine(place, lines.first), weight: tokens })
      notCovered.push({ path: file.path, passId: pass.id, lines, reason })
    }
  }
  const groups = cutTree(slots, room).map((group) => group.flatMap(({ piece }) => piece ?? []))
  const packets = groups
    .filter((group) => group.length > 0)
    .map((group) => makePacket(pass, group, context))
  return { packets, notCovered }
}

function placeLine(place: readonly string[], line: number): string[] {
  return [...place, String(line).padStart(8, '0')]
}

function makePacket(pass: ReviewPass, group: readonly Piece[], context: Context): Packet {
  const { config } = context.input
  const files = [...groupBy(group, (piece) => piece.file).entries()].map(([file, pieces]) =>
    describeFile(file, pieces),
  )
  const paths = new Set(files.map((file) => file.path))
  const neighbours = listNeighbours(paths, context.targetsOf)
  const ownLeads = chooseLeads(context.leadsByPath, files)
  const risk = combineRisk(
    group.map(({ file, part }) => ({
      score: context.risks.get(file.path) ?? 0,
      weight: part.tokens,
    })),
  )
  const surroundings =
    measureInstructions(pass.lenses) + measureNeighbours(neighbours) + measureLeads(ownLeads)
  return {
    id: makeId(pass, files, config.promptVersion),
    passId: pass.id,
    unitId: context.unitOf.get(files[0]?.path ?? '') ?? '',
    lenses: pass.lenses,
    files,
    neighbours,
    leads: ownLeads,
    risk,
    rank: chooseRank(risk, config.routing),
    promptTokens:
      estimateTokens(surroundings) + group.reduce((sum, { part }) => sum + part.tokens, 0),
    sourceTokens: group.reduce((sum, { part }) => sum + estimateTokens(part.bytes), 0),
  }
}

function describeFile(file: SnapshotFile, pieces: readonly Piece[]): PacketFile {
  const whole = pieces.some((piece) => piece.whole)
  const covers = whole ? [] : pieces.map(({ part }) => part.covers)
  const shows = whole
    ? []
    : pieces.map(({ part }, index) => {
        // What a part repeats of the one before is there already when both are in this packet.
        const follows = pieces[index - 1]?.part.covers.last === part.covers.first - 1
        return follows ? part.covers : part.shows
      })
  return {
    path: file.path,
    ...(file.diskPath === undefined ? {} : { diskPath: file.diskPath }),
    hash: file.hash,
    totalLines: file.lines,
    shows,
    covers,
  }
}

function makeId(pass: ReviewPass, files: readonly PacketFile[], promptVersion: string): string {
  const contents = files.map(({ path, hash, shows, covers }) =>
    JSON.stringify([path, hash, shows, covers]),
  )
  const hash = hashParts([promptVersion, pass.id, ...pass.lenses, '', ...contents])
  return `p-${hash.slice(0, 16)}`
}

/** Files that these use, from their own imports alone: who uses them may change without any of them changing. */
function listNeighbours(
  paths: ReadonlySet<string>,
  targetsOf: ReadonlyMap<string, readonly string[]>,
): string[] {
  const targets = new Set([...paths].flatMap((path) => targetsOf.get(path) ?? []))
  return [...targets]
    .filter((path) => !paths.has(path))
    .toSorted(compareText)
    .slice(0, MAX_NEIGHBOURS)
}

function chooseRank(risk: number, { standardAt, deepAt }: PlanInput['config']['routing']): Rank {
  return risk >= deepAt ? 'deep' : risk >= standardAt ? 'standard' : 'small'
}
