/**
 * Places tags along an edge so that none covers another: each as near to its own place as the others let it, in their order.
 *
 * places    centres, in any order
 * gap       smallest distance between two centres
 * bounds    of the centres
 * fixed     a place that stays as it is, and from which the others keep their distance if there is room for them
 * returns   the centres in the order of `places`
 */
export function apart(
  places: readonly number[],
  gap: number,
  bounds: { readonly from: number; readonly to: number },
  fixed?: number,
): readonly number[] {
  const above = places.filter((place) => fixed !== undefined && place < fixed).length
  const fits = (count: number, from: number, to: number): boolean => count === 0 || (count - 1) * gap <= to - from
  if (fixed === undefined || !fits(above, bounds.from, fixed - gap) || !fits(places.length - above, fixed + gap, bounds.to))
    return spread(places, gap, bounds)
  const result = places.map((place) => place)
  const put = (isAbove: boolean, from: number, to: number): void => {
    const own = places.flatMap((place, index) => (place < fixed === isAbove ? [index] : []))
    const spaced = spread(
      own.map((index) => places[index] ?? 0),
      gap,
      { from, to },
    )
    for (const [at, index] of own.entries()) result[index] = spaced[at] ?? 0
  }
  put(true, bounds.from, fixed - gap)
  put(false, fixed + gap, bounds.to)
  return result
}

function spread(places: readonly number[], gap: number, { from, to }: { readonly from: number; readonly to: number }): readonly number[] {
  const order = places.map((_, index) => index).sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0) || a - b)
  const result = places.map(() => 0)
  let last = -Infinity
  for (const index of order) {
    last = Math.max(places[index] ?? 0, last + gap, from)
    result[index] = last
  }
  let next = Infinity
  for (const index of order.toReversed()) {
    next = Math.min(result[index] ?? 0, next - gap, to)
    result[index] = next
  }
  return result
}
