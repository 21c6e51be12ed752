/** What the typed texts of a TWAP or scaled order become: the request, its preview, and what is wrong with them. */
import type { Decimal, Lots, Millis, Ticks } from '@candor/core/money/brand.ts'
import { formatLots, formatTicks, parseLots, parseTicks, stepOf } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { AlgoKind, ScaledShape } from '@candor/core/protocol/command/algo.ts'
import type { PositionSide } from '@candor/core/protocol/command/perp.ts'
import type { Side } from '@candor/core/protocol/command/order.ts'
import type { Parts } from '@candor/core/protocol/ids.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import type { WirePlaceAlgo } from '@candor/core/protocol/wire/algo/algo.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { isScaledSchedule, isTwapSchedule, scaledParts, twapEvery } from '@candor/core/risk/algo.ts'

export const durations = [900, 3_600, 14_400, 43_200, 86_400] as const

export type PlanForm = {
  readonly kind: AlgoKind
  readonly side: Side
  readonly quantity: string
  readonly parts: string
  readonly seconds: number
  readonly worst: string
  readonly from: string
  readonly to: string
  readonly shape: ScaledShape
  readonly isReduceOnly: boolean
}

export type PlanField = 'quantity' | 'parts' | 'worst' | 'from' | 'to'

/** `each`: the even part of a TWAP order, rounded up. `orders`: of a scaled one. Sums are exact. */
export type Preview =
  | { readonly kind: 'twap'; readonly each: Decimal; readonly everySeconds: number; readonly seconds: number }
  | {
      readonly kind: 'scaled'
      readonly orders: readonly { readonly price: Decimal; readonly quantity: Decimal }[]
      readonly value: Decimal
      readonly average: Decimal
    }

/** The request without its client id, and its preview; or the first field that is wrong, and why. */
export type Plan =
  | { readonly body: Omit<WirePlaceAlgo, 'clientId'>; readonly preview: Preview }
  | { readonly field: PlanField; readonly refusal: Refusal }

/** Parts of a TWAP order that takes this long, unless the user chooses: one a minute, at most 500. */
export function usualParts(seconds: number): number {
  return Math.min(500, Math.round(seconds / 60))
}

/**
 * price      a recent price, for the smallest order; undefined for none
 * position   of Futures
 */
export function planOf(form: PlanForm, market: WireMarket, price: Decimal | undefined, position: PositionSide | undefined): Plan {
  const lots = parseLots(form.quantity, market.lot)
  if (lots === undefined || lots === 0) return { field: 'quantity', refusal: 'QUANTITY_INVALID' }
  const parts = (/^\d{1,3}$/.test(form.parts) ? Number(form.parts) : 0) as Parts
  const shared = {
    ...{ symbol: market.symbol, side: form.side, quantity: form.quantity, parts },
    ...(position === undefined ? {} : { position, reduceOnly: form.isReduceOnly }),
  }
  return form.kind === 'twap' ? twapPlan(form, market, lots, parts, price, shared) : scaledPlan(form, market, lots, parts, shared)
}

type Shared = Omit<WirePlaceAlgo, 'clientId' | 'plan'>

function twapPlan(form: PlanForm, market: WireMarket, lots: Lots, parts: Parts, price: Decimal | undefined, shared: Shared): Plan {
  if (!isTwapSchedule((form.seconds * 1000) as Millis, parts)) return { field: 'parts', refusal: 'ALGO_SCHEDULE_INVALID' }
  const even = formatLots(Math.floor(lots / parts), market.lot)
  if (isTooSmall(market, even, price)) return { field: 'parts', refusal: 'ALGO_PART_TOO_SMALL' }
  if (form.worst !== '' && parseTicks(form.worst, market.tick) === undefined) return { field: 'worst', refusal: 'PRICE_INVALID' }
  const { seconds } = form
  return {
    body: { ...shared, plan: { kind: 'twap', seconds, ...(form.worst === '' ? {} : { worst: form.worst }) } },
    preview: {
      kind: 'twap',
      each: formatLots(Math.ceil(lots / parts), market.lot),
      everySeconds: twapEvery((seconds * 1000) as Millis, parts) / 1000,
      seconds,
    },
  }
}

function scaledPlan(form: PlanForm, market: WireMarket, lots: Lots, parts: Parts, shared: Shared): Plan {
  const [from, to] = [parseTicks(form.from, market.tick), parseTicks(form.to, market.tick)]
  if (from === undefined) return { field: 'from', refusal: 'PRICE_INVALID' }
  if (to === undefined) return { field: 'to', refusal: 'PRICE_INVALID' }
  if (!isScaledSchedule(from, to, parts)) return { field: 'parts', refusal: 'ALGO_SCHEDULE_INVALID' }
  const orders = scaledParts(lots, parts, from, to, form.shape).map((part) => ({
    price: formatTicks(part.price, market.tick),
    quantity: formatLots(part.lots, market.lot),
    steps: BigInt(part.price) * BigInt(part.lots),
  }))
  if (orders.some((order) => isTooSmall(market, order.quantity, order.price))) return { field: 'parts', refusal: 'ALGO_PART_TOO_SMALL' }
  const steps = orders.reduce((sum, order) => sum + order.steps, 0n)
  const [tick, lot] = [stepOf(market.tick), stepOf(market.lot)]
  return {
    body: { ...shared, plan: { kind: 'scaled', from: form.from, to: form.to, shape: form.shape } },
    preview: {
      kind: 'scaled',
      orders: orders.map(({ price, quantity }) => ({ price, quantity })),
      value: formatUnits(steps * BigInt(tick.units) * BigInt(lot.units), tick.scale + lot.scale),
      average: averageOf(steps, lots, market.tick),
    },
  }
}

/** Average price in ticks, rounded to the nearest. */
function averageOf(steps: bigint, lots: Lots, tick: Decimal): Decimal {
  const ticks = (2n * steps + BigInt(lots)) / (2n * BigInt(lots))
  return formatTicks(Number(ticks) as Ticks, tick)
}

/** A rough check before the exchange decides: whether a part is below the market's smallest quantity or value. */
function isTooSmall(market: WireMarket, quantity: Decimal, price: Decimal | undefined): boolean {
  if (Number(quantity) < Number(market.quantityMin)) return true
  return price !== undefined && Number(quantity) * Number(price) < Number(market.notionalMin)
}
