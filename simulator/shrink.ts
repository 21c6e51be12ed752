/**
 * Shortens a failing list by delta debugging: leaves out halves, then quarters and smaller parts, as long as the rest still fails.
 * Returns the shortest list found within `triesMax` tries.
 */
export function shrink<T>(steps: readonly T[], fails: (steps: readonly T[]) => boolean, triesMax = 400): readonly T[] {
  let shortest = steps
  let parts = 2
  let tries = 0
  while (shortest.length > 1 && tries < triesMax) {
    const size = Math.ceil(shortest.length / parts)
    let wasShorter = false
    for (let start = 0; start < shortest.length && tries < triesMax; ) {
      const rest = [...shortest.slice(0, start), ...shortest.slice(start + size)]
      tries++
      if (fails(rest)) {
        shortest = rest
        wasShorter = true
      } else start += size
    }
    if (size === 1 && !wasShorter) break
    if (!wasShorter) parts = Math.min(parts * 2, shortest.length)
    else parts = Math.min(parts, Math.max(2, shortest.length))
  }
  return shortest
}
