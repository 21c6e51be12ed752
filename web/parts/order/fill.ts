/** What the book gives to a ticket's order now: an estimate for orders that trade at once. */
import type { Decimal, Lots, Ppm, Ticks, Units } from '@candor/core/money/brand.ts'
import { mulDivCeil, mulDivFloor } from '@candor/core/money/mul-div.ts'
import { formatLots, parseLots, parseTicks } from '@candor/core/money/price.ts'
import { formatFixed } from '@candor/core/money/units.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { WireLevel, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { averagePrice, type DepthLevel, slippageOf, takeFrom } from '@candor/core/risk/depth.ts'

export type Order = {
  readonly side: Side
  /** The worst price at which it trades. */
  readonly limit: Ticks
  /** The most lots that it trades. */
  readonly lots: Lots
  /** The most that it trades, in quote units; undefined for an order by quantity. */
  readonly spend: Units | undefined
}

export type Fill = {
  /** Filled quantity; "0" without a fill. */
  readonly quantity: Decimal
  readonly lots: Lots
  /** Quote units of the filled part, exact. */
  readonly quote: Units
  /** Rounded against the customer. Undefined without a fill. */
  readonly average: Decimal | undefined
  /** Distance of the average from the best price, rounded up. */
  readonly slippagePpm: Ppm | undefined
  /** Whether the book fills the whole order. */
  readonly isComplete: boolean
  /** The price of an own order at which the order stops. */
  readonly ownAt: Decimal | undefined
}

/**
 * levels        the other side of the book, best first
 * own           prices of the customer's own orders: an order stops at the first of them, because no two orders of one customer trade
 * returns       undefined while the book is unknown, or if the order is larger than any that the exchange accepts
 */
export function fillOf(
  levels: readonly WireLevel[] | undefined,
  order: Order,
  { market, perTickLot, own }: { readonly market: WireMarket; readonly perTickLot: number; readonly own: ReadonlySet<string> },
): Fill | undefined {
  if (levels === undefined) return undefined
  const end = levels.findIndex(([price]) => own.has(price))
  const free = end < 0 ? levels : levels.slice(0, end)
  const budget = order.spend === undefined ? Infinity : Math.floor(order.spend / perTickLot)
  const taken = takeFrom(parsed(free, market), { ...order, budget })
  const quote = (taken?.value ?? 0n) * BigInt(perTickLot)
  if (quote > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
  const isComplete = taken?.isComplete ?? false
  return {
    quantity: formatLots(taken?.lots ?? 0, market.lot),
    lots: taken?.lots ?? (0 as Lots),
    quote: Number(quote) as Units,
    average: taken && averagePrice(taken, order.side, market.tick),
    slippagePpm: taken && slippageOf(taken),
    isComplete,
    ownAt: isComplete ? undefined : ownOf(levels[end]?.[0], order, market),
  }
}

/** A sum with at most `digits` places: rounded up for what the customer gives, down for what they get. */
export function shortened(units: Units, scale: number, digits: number, direction: 'up' | 'down'): Decimal {
  if (scale <= digits) return formatFixed(units, scale)
  const step = 10 ** (scale - digits)
  return formatFixed(direction === 'up' ? mulDivCeil(units, 1, step) : mulDivFloor(units, 1, step), digits)
}

/** The price, if the order's limit reaches it. */
function ownOf(price: Decimal | undefined, { side, limit }: Order, market: WireMarket): Decimal | undefined {
  const ticks = price === undefined ? undefined : parseTicks(price, market.tick)
  return ticks !== undefined && (side === 'buy' ? ticks <= limit : ticks >= limit) ? price : undefined
}

/** Parsed one by one, because an order rarely reaches deep. */
function* parsed(levels: readonly WireLevel[], market: WireMarket): Generator<DepthLevel> {
  for (const [price, quantity] of levels) {
    const [ticks, lots] = [parseTicks(price, market.tick), parseLots(quantity, market.lot)]
    if (ticks !== undefined && lots !== undefined) yield { ticks, lots }
  }
}
