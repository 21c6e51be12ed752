/** Computes what an order fills from a book at once. Tickets show it before the order is sent; the steps are those of the core's matching. */
import type { Decimal, Lots, Ppm, Ticks } from '../money/brand.ts'
import { stepOf } from '../money/price.ts'
import { formatFixed } from '../money/units.ts'
import type { Side } from '../protocol/command/spot.ts'

export type DepthLevel = { readonly ticks: Ticks; readonly lots: Lots }

export type Taking = {
  readonly side: Side
  /** The worst price at which it trades. */
  readonly limit: Ticks
  readonly lots: Lots
  /** The most that it may trade, in tick × lot; Infinity for an order by quantity. */
  readonly budget: number
}

export type Taken = {
  readonly lots: Lots
  /** Σ ticks × lots, exact. */
  readonly value: bigint
  readonly best: Ticks
  /** Whether lots or budget are used up. A budget is, when it pays for no further lot. */
  readonly isComplete: boolean
}

/**
 * Takes from the levels of the other side, best first, until lots or budget are used up, the levels end, or the next one is beyond the
 * limit. Undefined if it takes nothing.
 */
export function takeFrom(levels: Iterable<DepthLevel>, { side, limit, lots, budget }: Taking): Taken | undefined {
  let best = 0 as Ticks
  let left: number = lots
  let money = budget
  let value = 0n
  for (const level of levels) {
    if (left === 0 || money < 1 || (side === 'buy' ? level.ticks > limit : level.ticks < limit)) break
    const wanted = Math.min(left, level.lots)
    const taken = wanted * level.ticks > money ? Math.floor(money / level.ticks) : wanted
    if (taken > 0 && best === 0) best = level.ticks
    left -= taken
    value += BigInt(taken) * BigInt(level.ticks)
    money = taken < wanted ? 0 : money - taken * level.ticks
  }
  return best === 0 ? undefined : { lots: (lots - left) as Lots, value, best, isComplete: left === 0 || money < 1 }
}

/**
 * Average price of what is taken, with one digit more than the tick has: rounded up for a buyer and down for a seller, so that it
 * never promises more than the book has.
 */
export function averagePrice({ lots, value }: Taken, side: Side, tick: Decimal): Decimal {
  const { units, scale } = stepOf(tick)
  const product = value * BigInt(units) * 10n
  const whole = BigInt(lots)
  return formatFixed(side === 'buy' ? (product + whole - 1n) / whole : product / whole, scale + 1)
}

/** Distance of the average price from the best one: |average − best| × 1,000,000 ÷ best, rounded up. */
export function slippageOf({ lots, value, best }: Taken): Ppm {
  const whole = BigInt(best) * BigInt(lots)
  const distance = value > whole ? value - whole : whole - value
  return Number((distance * 1_000_000n + whole - 1n) / whole) as Ppm
}
