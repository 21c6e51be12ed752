/**
 * `compute` with its last result for a while, so that many pages that are open cost the database one query. One that takes longer than
 * that is waited for by all: a slow database gets no second query on top. A computation that failed is not kept.
 */
export function recent<T>(keptMs: number, compute: () => Promise<T>, now: () => number = () => performance.now()): () => Promise<T> {
  let last: { until: number; readonly result: Promise<T> } | undefined
  return () => {
    if (last !== undefined && now() < last.until) return last.result
    const mine = { until: Infinity, result: compute() }
    last = mine
    mine.result.then(
      () => (mine.until = now() + keptMs),
      () => {
        if (last === mine) last = undefined
      },
    )
    return mine.result
  }
}
