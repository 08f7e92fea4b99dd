import { compareText, groupBy } from '@audit-tools/shared/core'
import { LensSchema } from '@audit-tools/shared/findings'
import { z } from 'zod'

import type { Packet, Plan, Rank } from './plan.ts'

const TASKS_VERSION = 'audit-code-tasks/v1alpha1'
const COVERAGE_VERSION = 'audit-code-coverage/v1alpha1'

const priorities: Readonly<Record<Rank, 'low' | 'medium' | 'high'>> = {
  small: 'low',
  standard: 'medium',
  deep: 'high',
}

const RangeSchema = z.tuple([z.int().positive(), z.int().nonnegative()])

const TaskSchema = z.strictObject({
  task_id: z.string().min(1).describe('Id that a result may name'),
  unit_id: z.string().describe('Unit of the files'),
  lens: LensSchema,
  file_paths: z.array(z.string()).describe('Files of the task'),
  file_line_counts: z.record(z.string(), z.int()).describe('Lines of each file').optional(),
  tags: z.array(z.string()).describe('Packet, pass').optional(),
  status: z.enum(['pending', 'complete']).describe('Whether an answer covers it').optional(),
  priority: z.enum(['low', 'medium', 'high']).describe('From the risk of its files').optional(),
})

/** `audit_tasks.json`: the plan as tasks, each the files of a packet under one lens. */
export const AuditTasksSchema = z.strictObject({
  contract_version: z.literal(TASKS_VERSION).describe('Shape of this file'),
  tasks: z.array(TaskSchema),
})

export type AuditTasks = z.infer<typeof AuditTasksSchema>

/** The id of a packet's task under one of its lenses. */
export function nameTask(packetId: string, lens: string): string {
  return `${packetId}-${lens}`
}

export function describeTasks(plan: Plan): AuditTasks {
  return {
    contract_version: TASKS_VERSION,
    tasks: plan.packets.flatMap((packet) => listTasks(packet)),
  }
}

function listTasks(packet: Packet): AuditTasks['tasks'] {
  return packet.lenses.map((lens) => ({
    task_id: nameTask(packet.id, lens),
    unit_id: packet.unitId,
    lens,
    file_paths: packet.files.map(({ path }) => path),
    tags: [packet.id, packet.passId],
    priority: priorities[packet.rank],
  }))
}

/** `coverage_matrix.json`: which packet covers which file in which pass, and what none covers. */
export const CoverageMatrixSchema = z.strictObject({
  contract_version: z.literal(COVERAGE_VERSION).describe('Shape of this file'),
  passes: z.array(z.strictObject({ id: z.string(), lenses: z.array(LensSchema) })),
  packets: z.array(z.tuple([z.string(), z.int()])).describe('Packet, place of its pass'),
  files: z
    .array(z.tuple([z.string(), z.array(z.int())]))
    .describe('Path, places of the packets that cover it'),
  not_covered: z.array(
    z.strictObject({
      path: z.string(),
      pass: z.string(),
      lines: RangeSchema.describe('First and last line'),
      reason: z.string(),
    }),
  ),
})

export type CoverageMatrix = z.infer<typeof CoverageMatrixSchema>

export function describeCoverage(plan: Plan): CoverageMatrix {
  const places = new Map(plan.passes.map(({ id }, place) => [id, place]))
  const covering = groupBy(
    plan.packets.flatMap(({ files }, place) => files.map(({ path }) => ({ path, place }))),
    ({ path }) => path,
  )
  return {
    contract_version: COVERAGE_VERSION,
    passes: plan.passes.map(({ id, lenses }) => ({ id, lenses: [...lenses] })),
    packets: plan.packets.map(({ id, passId }) => [id, places.get(passId) ?? -1]),
    files: [...covering]
      .map(([path, list]): [string, number[]] => [path, list.map(({ place }) => place)])
      .toSorted(([left], [right]) => compareText(left, right)),
    not_covered: plan.notCovered.map(({ path, passId, lines, reason }) => ({
      path,
      pass: passId,
      lines: [lines.first, lines.last],
      reason,
    })),
  }
}
