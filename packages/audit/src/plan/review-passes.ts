import { coreLenses, type Lens } from '@audit-tools/shared/findings'

import type { FileKind } from '../snapshot/index.ts'

export const depths = ['quick', 'standard', 'deep'] as const
export type Depth = (typeof depths)[number]

/** One reading of some kinds of files under some lenses; each file is in it once. */
export interface ReviewPass {
  readonly id: 'code' | 'settings' | 'upkeep'
  readonly lenses: readonly Lens[]
  readonly kinds: ReadonlySet<FileKind>
}

interface PassRule extends ReviewPass {
  readonly depths: ReadonlySet<Depth>
}

const settingsLenses = ['config_deployment', 'security'] as const satisfies readonly Lens[]

const passRules: readonly PassRule[] = [
  {
    id: 'code',
    depths: new Set(['quick']),
    lenses: coreLenses,
    kinds: new Set(['source']),
  },
  {
    id: 'code',
    depths: new Set(['standard', 'deep']),
    lenses: [...coreLenses, 'tests'],
    kinds: new Set(['source', 'test']),
  },
  {
    id: 'settings',
    depths: new Set(['quick', 'standard', 'deep']),
    lenses: settingsLenses,
    kinds: new Set(['config']),
  },
  {
    id: 'upkeep',
    depths: new Set(['deep']),
    lenses: ['architecture', 'maintainability', 'performance', 'operability', 'observability'],
    kinds: new Set(['source']),
  },
]

/** The passes of a depth. Lenses that it lacks join the reading of code, which costs no further pass. */
export function choosePasses(depth: Depth, extraLenses: readonly Lens[]): ReviewPass[] {
  const passes = passRules.filter((rule) => rule.depths.has(depth))
  const known = new Set(passes.flatMap((pass) => pass.lenses))
  const missing = [...new Set(extraLenses)].filter((lens) => !known.has(lens))
  return passes.map(({ id, lenses, kinds }) => ({
    id,
    lenses: id === 'code' ? [...lenses, ...missing] : lenses,
    kinds,
  }))
}
