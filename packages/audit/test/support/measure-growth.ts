/** Below this a clock says nothing. */
const NOISE_MS = 5

const ROUNDS = 3

/**
 * How much longer `work` takes on a text than on its first quarter, both measured in this run: about 4 where time is
 * in proportion to length, 16 where it grows with its square.
 */
export async function measureGrowth(
  text: string,
  work: (text: string) => unknown,
): Promise<number> {
  const quarterMs = await measureBest(text.slice(0, text.length / 4), work)
  const wholeMs = await measureBest(text, work)
  return (wholeMs + NOISE_MS) / (quarterMs + NOISE_MS)
}

async function measureBest(text: string, work: (text: string) => unknown): Promise<number> {
  let bestMs = Infinity
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now()
    await work(text)
    bestMs = Math.min(bestMs, performance.now() - startedAt)
  }
  return bestMs
}
