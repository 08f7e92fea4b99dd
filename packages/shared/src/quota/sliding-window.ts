import pLimit from 'p-limit'

/** Runs all thunks, at most `concurrency` at a time, and returns how each ended, in their order. Never rejects. */
export async function runSlidingWindow<Value>(
  thunks: readonly (() => Promise<Value> | Value)[],
  concurrency: number,
): Promise<{ results: PromiseSettledResult<Value>[] }> {
  const limit = pLimit(Math.max(1, Math.floor(concurrency) || 1))
  return { results: await Promise.allSettled(thunks.map((thunk) => limit(thunk))) }
}
