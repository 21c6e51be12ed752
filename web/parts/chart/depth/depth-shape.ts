/** The curve of a book: how much rests up to each price. Only for drawing; sums that are shown come from `sumAt`. */
import type { Decimal } from '@candor/core/money/brand.ts'
import { formatLots, parseLots } from '@candor/core/money/price.ts'
import type { WireLevel } from '@candor/core/protocol/wire/market.ts'

export type Curve = {
  /** The middle of the book, and the prices at both edges of the picture: as far from it on each side. */
  readonly middle: number
  readonly from: number
  readonly to: number
  /** Largest sum in sight. */
  readonly top: number
  readonly bids: readonly Step[]
  readonly asks: readonly Step[]
}

/** From this price on away from the middle, this much rests, in lots. */
export type Step = { readonly price: number; readonly text: Decimal; readonly lots: number }

/** The curve of the levels in sight, best first on both sides. Undefined while a side is empty. */
export function curveOf(bids: readonly WireLevel[], asks: readonly WireLevel[], lot: Decimal): Curve | undefined {
  const [below, above] = [stepsOf(bids, lot), stepsOf(asks, lot)]
  const [bid, ask] = [below[0], above[0]]
  const [low, high] = [below.at(-1), above.at(-1)]
  if (bid === undefined || ask === undefined || low === undefined || high === undefined) return undefined
  const middle = (bid.price + ask.price) / 2
  const reach = Math.min(middle - low.price, high.price - middle)
  const [from, to] = [middle - reach, middle + reach]
  const bidsIn = below.filter(({ price }) => price >= from)
  const asksIn = above.filter(({ price }) => price <= to)
  return { middle, from, to, top: Math.max(bidsIn.at(-1)?.lots ?? 1, asksIn.at(-1)?.lots ?? 1), bids: bidsIn, asks: asksIn }
}

function stepsOf(levels: readonly WireLevel[], lot: Decimal): readonly Step[] {
  let lots = 0
  return levels.map(([price, quantity]) => {
    lots += parseLots(quantity, lot) ?? 0
    return { price: Number(price), text: price, lots }
  })
}

/** The last level that an order up to a price reaches, and all that rests until there. Undefined within the spread. */
export function sumAt(curve: Curve, price: number, lot: Decimal): { readonly price: Decimal; readonly sum: Decimal } | undefined {
  const isBid = price < curve.middle
  const reached = (isBid ? curve.bids : curve.asks).findLast((step) => (isBid ? step.price >= price : step.price <= price))
  return reached === undefined ? undefined : { price: reached.text, sum: formatLots(reached.lots, lot) }
}
