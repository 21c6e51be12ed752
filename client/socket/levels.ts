/** Price and quantity as decimal text. */
export type Level = readonly [price: string, quantity: string]

/**
 * Levels after changes, in the same order; quantity 0 removes a level.
 *
 * direction  1: cheapest first; -1: dearest first
 */
export function merged(levels: readonly Level[], changes: readonly Level[], direction: 1 | -1): readonly Level[] {
  if (changes.length === 0) return levels
  const next = [...levels]
  for (const level of changes) {
    let low = 0
    let high = next.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareDecimals(next[middle][0], level[0]) * direction < 0) low = middle + 1
      else high = middle
    }
    const isThere = low < next.length && compareDecimals(next[low][0], level[0]) === 0
    if (isZero(level[1])) next.splice(low, isThere ? 1 : 0)
    else next.splice(low, isThere ? 1 : 0, level)
  }
  return next
}

function isZero(text: string): boolean {
  return /^0*(\.0*)?$/.test(text)
}

/** Negative, zero or positive, as `a` is less than, equal to or greater than `b`. Exact; both must be without a sign. */
export function compareDecimals(a: string, b: string): number {
  const [aWhole = '', aPart = ''] = a.split('.')
  const [bWhole = '', bPart = ''] = b.split('.')
  if (aWhole.length !== bWhole.length) return aWhole.length - bWhole.length
  if (aWhole !== bWhole) return aWhole < bWhole ? -1 : 1
  const digits = Math.max(aPart.length, bPart.length)
  const aDigits = aPart.padEnd(digits, '0')
  const bDigits = bPart.padEnd(digits, '0')
  return aDigits === bDigits ? 0 : aDigits < bDigits ? -1 : 1
}
