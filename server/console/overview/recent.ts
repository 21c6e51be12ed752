/**
 * `compute` with its last result for a while, so that many pages that are open cost the database one query. A computation that failed is
 * not kept.
 */
export function recent<T>(keptMs: number, compute: () => Promise<T>, now: () => number = () => performance.now()): () => Promise<T> {
  let last: { readonly at: number; readonly result: Promise<T> } | undefined
  return () => {
    if (last !== undefined && now() - last.at < keptMs) return last.result
    const mine = { at: now(), result: compute() }
    last = mine
    mine.result.catch(() => {
      if (last === mine) last = undefined
    })
    return mine.result
  }
}
