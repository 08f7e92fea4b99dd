import type { Rank } from '../quota/index.ts'

const ranks: readonly Rank[] = ['small', 'standard', 'deep']

/** 0 for the least capable rank, counting up. A rank that nobody named counts as the least. */
export function tierRank(rank: Rank | undefined): number {
  return rank === undefined ? 0 : ranks.indexOf(rank)
}

/** Negative when `left` is less capable than `right`. */
export function compareTier(left: Rank | undefined, right: Rank | undefined): number {
  return tierRank(left) - tierRank(right)
}

/** Undefined for an empty list. */
export function mostCapableTier(list: readonly Rank[]): Rank | undefined {
  return list.toSorted(compareTier).at(-1)
}
