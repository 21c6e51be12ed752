/**
 * Outside prices are integers in 1e-8 of the quote, like the core's `IndexPrice`. The sum of two stays below 2^53 up to a price
 * of 45 million.
 */
export const priceScale = 100_000_000
const scaleBig = 100_000_000n

/** "61837.63" → 6_183_763_000_000; digits of a text beyond the eighth are cut, a number is rounded. Undefined: not a price above zero. */
export function parsePrice(value: unknown): number | undefined {
  if (typeof value === 'number') return checked(Math.round(value * priceScale))
  if (typeof value !== 'string') return undefined
  const match = /^(\d{1,8})(?:\.(\d{1,30}))?$/.exec(value)
  if (match === null) return undefined
  return checked(Number(match[1]) * priceScale + Number((match[2] ?? '').slice(0, 8).padEnd(8, '0')))
}

function checked(price: number): number | undefined {
  return Number.isSafeInteger(price) && price > 0 ? price : undefined
}

/** Half way between bid and ask, rounded down. Undefined when the book is crossed or a side is missing. */
export function midPrice(bid: unknown, ask: unknown): number | undefined {
  const low = parsePrice(bid)
  const high = parsePrice(ask)
  if (low === undefined || high === undefined || low > high) return undefined
  return middle(low, high)
}

/** Mean of two prices, rounded down; `low` is not above `high`. */
export function middle(low: number, high: number): number {
  return low + Math.floor((high - low) / 2)
}

/** price ÷ rate, rounded down: a price in USD divided by USDT/USD is a price in USDT. Undefined: the result is not a valid price. */
export function dividePrice(price: number, rate: number): number | undefined {
  return checked(Number((BigInt(price) * scaleBig) / BigInt(rate)))
}
