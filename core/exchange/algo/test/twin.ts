/** The sizes of parts once more, slowly and with fractions: nothing is shared with `core/risk/algo.ts`. */

/** Lots of each part of a TWAP order whose parts all execute completely, until no part can be placed. */
export function slowTwap(lots: bigint, parts: bigint, smallest: bigint, largest: bigint): bigint[] {
  const even = [...Array(Number(parts))].reduce((sum: bigint) => (sum * parts < lots ? sum + 1n : sum), lots / parts)
  const sizes: bigint[] = []
  let left = lots
  for (let partsLeft = parts; partsLeft > 0n && left > 0n; partsLeft--) {
    const size = slowPart(left, partsLeft, even, smallest, largest)
    if (size === 0n) return sizes
    sizes.push(size)
    left -= size
  }
  return sizes
}

/** The smallest size, found by counting, at which `partsLeft` parts cover `left` lots. */
export function slowPart(left: bigint, partsLeft: bigint, even: bigint, smallest: bigint, largest: bigint): bigint {
  if (left < smallest) return 0n
  let size = left / partsLeft
  while (size * partsLeft < left) size++
  const most = 3n * even < largest ? 3n * even : largest
  if (size > most) size = most
  if (size < smallest) size = smallest
  if (left - size >= smallest) return size
  return left < largest ? left : largest
}

/** Lots of each order of a scaled one: every order is given the lots that its share of the whole adds, in fractions. */
export function slowScaled(lots: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  return weights.map((_, n) => {
    const upTo = weights.slice(0, n + 1).reduce((sum, weight) => sum + weight, 0n)
    const before = weights.slice(0, n).reduce((sum, weight) => sum + weight, 0n)
    return (lots * upTo) / whole - (lots * before) / whole
  })
}
