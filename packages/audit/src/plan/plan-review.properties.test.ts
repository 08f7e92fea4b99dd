import { compareText, hashParts } from '@audit-tools/shared/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { planConfig, planFiles } from '../../test/support/plan-of.ts'
import type { SnapshotFile } from '../snapshot/index.ts'
import type { Packet, Plan } from './plan.ts'
import { depths } from './review-passes.ts'

const nameArbitrary = fc.constantFrom('a', 'b', 'user', 'order', 'src', 'test', 'lib', 'index')
const fileArbitrary: fc.Arbitrary<SnapshotFile> = fc
  .record({
    directories: fc.array(nameArbitrary, { maxLength: 4 }),
    name: nameArbitrary,
    extension: fc.constantFrom('.ts', '.py', '.test.ts', '.yml'),
    lines: fc.oneof(fc.nat(300), fc.nat(6000)),
    lineBytes: fc.constantFrom(1, 20, 40, 200, 40_000),
    hash: fc.constantFrom('1', '2', '3'),
  })
  .map(({ directories, name, extension, lines, lineBytes, hash }) => {
    const path = [...directories, name + extension].join('/')
    const kind = extension === '.yml' ? 'config' : extension === '.test.ts' ? 'test' : 'source'
    const bytes = Math.min(lines * lineBytes, 5_000_000)
    return { path, bytes, lines, hash, language: null, kind, kindReason: 'generated' }
  })
const filesArbitrary = fc.uniqueArray(fileArbitrary, {
  selector: (file) => file.path,
  minLength: 1,
  maxLength: 40,
})
const depthArbitrary = fc.constantFrom(...depths)
const ceilingArbitrary = fc.constantFrom(8000, 20_000, 60_000)

/** What the packets of a pass cover of a file, and what is named as not covered, in order. */
function listCovered(plan: Plan, passId: string, file: SnapshotFile): [number, number][] {
  const whole = { first: 1, last: file.lines }
  const covers = plan.packets
    .filter((packet) => packet.passId === passId)
    .flatMap((packet) => packet.files.filter(({ path }) => path === file.path))
    .flatMap((entry) => (entry.covers.length === 0 ? [whole] : entry.covers))
  const named = plan.notCovered
    .filter((entry) => entry.path === file.path && entry.passId === passId)
    .map((entry) => entry.lines)
  return [...covers, ...named]
    .map(({ first, last }): [number, number] => [first, last])
    .toSorted(([left], [right]) => left - right)
}

test('every file in scope is covered exactly once in each pass or named as not covered', () => {
  fc.assert(
    fc.property(filesArbitrary, depthArbitrary, ceilingArbitrary, (files, depth, ceiling) => {
      const plan = planFiles(files, { depth, maxPromptTokens: ceiling })
      for (const pass of plan.passes) {
        for (const file of files.filter(({ kind }) => pass.kinds.has(kind))) {
          const covered = listCovered(plan, pass.id, file)
          let next = 1
          for (const [first, last] of covered) {
            expect(first).toBe(next)
            next = last + 1
          }
          expect(next).toBe(file.lines + 1)
        }
      }
      expect(new Set(plan.packets.map(({ id }) => id)).size).toBe(plan.packets.length)
    }),
  )
})

test('no packet is above the ceiling, and each reviews something under some lens', () => {
  fc.assert(
    fc.property(filesArbitrary, depthArbitrary, ceilingArbitrary, (files, depth, ceiling) => {
      for (const packet of planFiles(files, { depth, maxPromptTokens: ceiling }).packets) {
        expect(packet.promptTokens).toBeLessThanOrEqual(ceiling)
        expect(packet.files.length * packet.lenses.length).toBeGreaterThan(0)
      }
    }),
  )
})

test('identical input in any order gives identical bytes', () => {
  fc.assert(
    fc.property(filesArbitrary, fc.string(), (files, seed) => {
      const shuffled = files.toSorted((left, right) =>
        compareText(hashParts([seed, left.path]), hashParts([seed, right.path])),
      )
      expect(JSON.stringify(planFiles(shuffled))).toBe(JSON.stringify(planFiles(files)))
    }),
  )
})

test('R02 an edited file restales the packets that hold it, and at most those that its packet takes in', () => {
  fc.assert(
    fc.property(filesArbitrary, fc.nat(), fc.nat(8000), fc.nat(60), (files, pick, lines, width) => {
      const edited = files[pick % files.length]
      if (!edited) return
      const after = { ...edited, lines, bytes: lines * width, hash: 'edited' }
      const before = planFiles(files, { maxPromptTokens: 20_000 })
      const now = planFiles(
        files.map((file) => (file === edited ? after : file)),
        { maxPromptTokens: 20_000 },
      )
      const ids = new Set(now.packets.map(({ id }) => id))
      const lost = before.packets.filter(({ id }) => !ids.has(id))
      for (const packet of lost.filter((candidate) => !holds(candidate, edited.path))) {
        const taker = now.packets.find(
          (candidate) =>
            holds(candidate, edited.path) &&
            packet.files.every(({ path }) => holds(candidate, path)),
        )
        expect(taker).toBeDefined()
        expect(after.bytes + after.lines).toBeLessThan(edited.bytes + 10 * edited.lines)
      }
    }),
  )
})

function holds({ files }: Packet, path: string): boolean {
  return files.some((file) => file.path === path)
}

test('another prompt version gives every packet another id', () => {
  fc.assert(
    fc.property(filesArbitrary, (files) => {
      const ids = new Set(planFiles(files).packets.map(({ id }) => id))
      const others = planFiles(files, { ...planConfig, promptVersion: '2' }).packets
      expect(others.filter(({ id }) => ids.has(id))).toEqual([])
    }),
  )
})
