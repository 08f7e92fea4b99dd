/**
 * The highest taken slot, 0 when none is. Slots are taken from 1 upwards without a gap and never freed, so doubling and
 * halving finds it in a number of probes that grows with the logarithm: one for a fresh id, two for one claimed once.
 */
export function findHighestSlot(isTaken: (slot: number) => boolean): number {
  let taken = 0
  let free = 1
  while (isTaken(free)) {
    taken = free
    free *= 2
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (isTaken(middle)) taken = middle
    else free = middle
  }
  return taken
}
