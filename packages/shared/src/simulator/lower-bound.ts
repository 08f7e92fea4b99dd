import { tierRank } from '../dispatch/index.ts'
import { drawAttempt } from './attempt.ts'
import { drawItems, type SimulatedItem } from './items.ts'
import { type CallSize, ProviderAccount } from './provider-account.ts'
import type { Dimension, Scenario, ScenarioPool } from './scenario.ts'
import type { TrueLimit } from './true-limit.ts'

/** Attempts on one pool after which a pool that always fails is left out of an item's choices. */
const MAX_FORCED_ATTEMPTS = 50

/** What output weighs beside input when unlike limits are added up; every weight gives a valid bound, the best counts. */
const OUTPUT_WEIGHTS = [0, 0.5, 1, 4] as const

const BISECTIONS = 40

/** What it takes to bring an item home on a pool, the failures included that the seed forces there. */
interface Job {
  readonly durationS: number
  readonly costs: ReadonlyMap<TrueLimit, number>
}

interface BoundItem {
  readonly item: SimulatedItem
  /** By pool; pools that can never answer it are left out. */
  readonly jobs: ReadonlyMap<ScenarioPool, Job>
}

interface BoundWorld {
  readonly scenario: Scenario
  readonly seed: number
  readonly accounts: ReadonlyMap<string, ProviderAccount>
}

/** Items that nobody but the named pools can do, and these pools. */
interface Group {
  readonly pools: readonly ScenarioPool[]
  readonly items: readonly BoundItem[]
}

/**
 * A time in seconds that no policy can beat, whatever it knows. It relaxes the linear program over pools and resources: for
 * each set of pools that is all the choice some items have, the work of these items, in input and weighted output tokens,
 * in calls and in seconds, is held against all that these pools could serve when each is limited by its tightest resource
 * alone. Output that is charged as it is written counts only where slots bound how far it can overdraw.
 */
export function computeLowerBound(scenario: Scenario, seed: number): number {
  const accounts = new Map(
    scenario.accounts.map((account) => [account.id, new ProviderAccount({ account, seed })]),
  )
  const world: BoundWorld = { scenario, seed, accounts }
  const items = drawItems(scenario, seed)
    .map((item) => ({ item, jobs: listJobs(world, item) }))
    .filter(({ jobs }) => jobs.size > 0)
  const longestS = items.reduce((longest, { jobs }) => Math.max(longest, findShortest(jobs)), 0)
  return listGroups(items).reduce(
    (bound, group) => Math.max(bound, boundGroup(world, group)),
    longestS,
  )
}

function findShortest(jobs: ReadonlyMap<ScenarioPool, Job>): number {
  return Math.min(...Array.from(jobs.values(), ({ durationS }) => durationS))
}

function listJobs(
  { scenario, seed, accounts }: BoundWorld,
  item: SimulatedItem,
): BoundItem['jobs'] {
  const jobs = new Map<ScenarioPool, Job>()
  for (const pool of scenario.pools) {
    const account = accounts.get(pool.account)
    const size: CallSize = {
      inputTokens: item.inputTokens,
      maxOutputTokens: Math.min(item.outputTokens, pool.output_tokens),
    }
    const fits =
      tierRank(pool.rank) >= tierRank(item.rank) &&
      item.inputTokens + item.outputTokens <= pool.context_tokens
    if (account === undefined || !fits || account.isTooLarge(size)) continue
    const job = measureJob(pool, item, { account, seed })
    if (job !== undefined) jobs.set(pool, job)
  }
  return jobs
}

function measureJob(
  pool: ScenarioPool,
  item: SimulatedItem,
  { account, seed }: { readonly account: ProviderAccount; readonly seed: number },
): Job | undefined {
  const costs = new Map<TrueLimit, number>()
  let durationS = 0
  for (let attempt = 0; attempt < MAX_FORCED_ATTEMPTS; attempt += 1) {
    const drawn = drawAttempt(pool, item, { seed, attempt, startS: null })
    const charges = drawn.fault?.charges ?? 'all'
    durationS += drawn.durationS
    const size: CallSize = {
      inputTokens: charges === 'none' ? 0 : item.inputTokens,
      maxOutputTokens: charges === 'all' ? item.outputTokens : 0,
    }
    for (const limit of account.limits) {
      const cost = measureCost(account, { pool, dimension: limit.dimension, size })
      costs.set(limit, (costs.get(limit) ?? 0) + cost)
    }
    if (drawn.fault === null) return { durationS, costs }
  }
  return undefined
}

/** Streamed output counts where the pool's slots say how far calls in flight can overdraw. */
function measureCost(
  account: ProviderAccount,
  {
    pool,
    dimension,
    size,
  }: { readonly pool: ScenarioPool; readonly dimension: Dimension; readonly size: CallSize },
): number {
  const start = account.measureStart(dimension, size)
  const streams = account.scenario.charging === 'stream' && isPlan(dimension)
  return streams && pool.concurrency !== null ? start + size.maxOutputTokens : start
}

function isPlan(dimension: Dimension): boolean {
  return dimension === 'plan' || dimension === 'week'
}

/** One group for each set of pools that is the whole choice of some item. */
function listGroups(items: readonly BoundItem[]): Group[] {
  const choices = new Map<string, readonly ScenarioPool[]>()
  for (const { jobs } of items) {
    const pools = [...jobs.keys()]
    choices.set(pools.map(({ id }) => id).join('\u0000'), pools)
  }
  return Array.from(choices.values(), (pools) => ({
    pools,
    items: items.filter(({ jobs }) => [...jobs.keys()].every((pool) => pools.includes(pool))),
  }))
}

function boundGroup(world: BoundWorld, group: Group): number {
  const weights: ((item: BoundItem) => number)[] = [
    ...OUTPUT_WEIGHTS.map(
      (weight) =>
        ({ item }: BoundItem) =>
          item.inputTokens + weight * item.outputTokens,
    ),
    () => 1,
    ({ jobs }) => findShortest(jobs),
  ]
  return Math.max(...weights.map((weigh) => boundWeighted(world, group, weigh)))
}

/** The least time by which the group's pools can have served its work under one way of weighing it. */
function boundWeighted(
  world: BoundWorld,
  group: Group,
  weigh: (item: BoundItem) => number,
): number {
  const work = group.items.reduce((sum, item) => sum + weigh(item), 0)
  const accounts = listAccounts(world, group).map((account) => rateAccount(account, group, weigh))
  const canServe = (timeS: number): boolean =>
    accounts.reduce((sum, rating) => sum + measureServed(rating, timeS), 0) >= work
  let low = 0
  let high = world.scenario.max_time_s
  if (!canServe(high)) return high
  for (let round = 0; round < BISECTIONS && high - low > 0.001; round += 1) {
    const middle = (low + high) / 2
    if (canServe(middle)) high = middle
    else low = middle
  }
  return low
}

interface AccountPart {
  readonly account: ProviderAccount
  readonly pools: readonly ScenarioPool[]
}

function listAccounts({ accounts }: BoundWorld, { pools }: Group): AccountPart[] {
  return Array.from(accounts.values(), (account) => ({
    account,
    pools: pools.filter((pool) => pool.account === account.scenario.id),
  })).filter((part) => part.pools.length > 0)
}

interface AccountRating {
  /** When its last pool dies, and how long its shortest job takes. */
  readonly diesAtS: number
  readonly shortestS: number
  /** The most work that a unit of each limit can do. */
  readonly limits: readonly {
    readonly limit: TrueLimit
    readonly workPerUnit: number
    readonly overdraft: number
  }[]
  /** The most work that all slots can do per second; infinite without slots. */
  readonly workPerSecond: number
}

function rateAccount(
  { account, pools }: AccountPart,
  { items }: Group,
  weigh: (item: BoundItem) => number,
): AccountRating {
  const jobs = items.flatMap((item) =>
    pools.flatMap((pool) => {
      const job = item.jobs.get(pool)
      return job === undefined ? [] : [{ pool, job, work: weigh(item), item: item.item }]
    }),
  )
  const largestOutput = items.reduce((most, { item }) => Math.max(most, item.outputTokens), 0)
  const slots = pools.map(({ concurrency }) => concurrency ?? Number.POSITIVE_INFINITY)
  const overdraft = slots.reduce((sum, count) => sum + count, 0) * largestOutput
  return {
    diesAtS: Math.max(...pools.map(({ dies_at_s: at }) => at ?? Number.POSITIVE_INFINITY)),
    shortestS: jobs.reduce(
      (least, { job }) => Math.min(least, job.durationS),
      Number.POSITIVE_INFINITY,
    ),
    limits: account.limits.map((limit) => ({
      limit,
      workPerUnit: jobs.reduce(
        (most, { job, work }) => Math.max(most, work / (job.costs.get(limit) ?? 0)),
        0,
      ),
      overdraft: isPlan(limit.dimension) && Number.isFinite(overdraft) ? overdraft : 0,
    })),
    workPerSecond: pools.reduce((sum, pool, index) => {
      const own = jobs.filter((job) => job.pool === pool)
      const best = own.reduce((most, { job, work }) => Math.max(most, work / job.durationS), 0)
      return sum + (best === 0 ? 0 : best * (slots[index] ?? 0))
    }, 0),
  }
}

function measureServed(rating: AccountRating, timeS: number): number {
  // A call that is not over by then has not answered anything.
  const lastStartS = Math.min(timeS - rating.shortestS, rating.diesAtS)
  if (lastStartS < 0) return 0
  const byLimits = rating.limits.map(({ limit, workPerUnit, overdraft }) => {
    if (!Number.isFinite(workPerUnit)) return Number.POSITIVE_INFINITY
    const overdrawn = overdraft * limit.countWindows(lastStartS)
    return workPerUnit * (limit.measureSupply(lastStartS) + overdrawn)
  })
  return Math.min(rating.workPerSecond * timeS, ...byLimits)
}
