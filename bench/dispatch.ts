/*
 * Simulated time to bring a scenario's items through its pools, per policy, as a multiple of a bound that no policy can
 * beat: the relaxed combinatorial one of `computeLowerBound`, which is at most the linear program's. Items that a policy
 * strands take it no time: read its multiple beside `stranded`. Baselines run with their usual parameters.
 * Flags: --scenario=FILE (default: every scenario), --seeds=N (default 30: seeds 101 to 100 + N), --json.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  computeLowerBound,
  type DispatchPolicy,
  type Scenario,
  ScenarioSchema,
  simulate,
} from '../packages/shared/src/simulator/index.ts'
import { baselines } from './dispatch/baselines.ts'

const FIRST_SEED = 101

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    scenario: { type: 'string' },
    seeds: { type: 'string', default: '30' },
  },
})
const seeds = Array.from({ length: Number(flags.seeds) }, (_, index) => FIRST_SEED + index)

function listScenarioFiles(): string[] {
  const bench = dirname(fileURLToPath(import.meta.url))
  const shared = join(bench, '../../shared/scenarios')
  const folder = existsSync(shared) ? shared : join(bench, 'data/scenarios')
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return files.toSorted().map((file) => join(folder, file))
}

interface PolicyFigures {
  readonly name: string
  readonly makespan_over_bound_mean: number
  readonly makespan_over_bound_max: number
  readonly rejections: number
  readonly wasted_tokens: number
  readonly stranded: number
  readonly over_admission: number
}

/** Rejections, wasted tokens, stranded items and over-admissions are sums over all seeds. */
async function measurePolicy(
  scenario: Scenario,
  bounds: ReadonlyMap<number, number>,
  policy?: DispatchPolicy,
): Promise<PolicyFigures> {
  const ratios: number[] = []
  const sums = { rejections: 0, wasted_tokens: 0, stranded: 0, over_admission: 0 }
  for (const [seed, bound] of bounds) {
    const result = await simulate({ scenario, seed, ...(policy === undefined ? {} : { policy }) })
    ratios.push(result.makespanSeconds / bound)
    sums.rejections += result.rejections
    sums.wasted_tokens += Math.round(result.wastedTokens)
    sums.stranded += result.stranded
    sums.over_admission += result.overAdmission
  }
  return {
    name: policy?.name ?? 'audit-tools',
    makespan_over_bound_mean: ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length,
    makespan_over_bound_max: Math.max(...ratios),
    ...sums,
  }
}

async function measureScenario(file: string) {
  const scenario = ScenarioSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  const bounds = new Map(seeds.map((seed) => [seed, computeLowerBound(scenario, seed)]))
  const policies = [await measurePolicy(scenario, bounds)]
  for (const baseline of baselines) policies.push(await measurePolicy(scenario, bounds, baseline))
  return { scenario: scenario.name, policies }
}

function printTable({ scenario, policies }: Awaited<ReturnType<typeof measureScenario>>): void {
  console.log(`\n${scenario}, ${seeds.length} seeds`)
  console.log('policy         mean   max    rejections  wasted tokens  stranded  over-admission')
  for (const figures of policies) {
    const cells = [
      figures.name.padEnd(13),
      figures.makespan_over_bound_mean.toFixed(3).padStart(6),
      figures.makespan_over_bound_max.toFixed(3).padStart(6),
      String(figures.rejections).padStart(11),
      String(figures.wasted_tokens).padStart(14),
      String(figures.stranded).padStart(9),
      String(figures.over_admission).padStart(15),
    ]
    console.log(cells.join(' '))
  }
}

const files = flags.scenario === undefined ? listScenarioFiles() : [flags.scenario]
const results = []
for (const file of files) {
  const result = await measureScenario(file)
  results.push(result)
  if (!flags.json) printTable(result)
}
if (flags.json) {
  console.log(JSON.stringify(flags.scenario === undefined ? results : results[0], null, 2))
}
