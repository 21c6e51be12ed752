/** Cost and risk of each button of the perp ticket, computed with the core's own functions. */
import type { Decimal, Ticks, Units } from '@candor/core/money/brand.ts'
import { formatLots, formatTicks } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { Context, Form } from './form.ts'
import { type Cap, capOf, costOf, effectOf, liquidationAfter, lotsOf, mostOf, priceOf, sliderMax } from './sizing.ts'

/** The order of a button. Sums are in the quote coin; undefined while price or size is missing. */
export type Plan = {
  readonly side: Side
  readonly quantity: Decimal | undefined
  readonly value: Decimal | undefined
  /** Margin of the opening part, including the held fees. */
  readonly margin: Decimal | undefined
  readonly cost: Decimal | undefined
  readonly makerFee: Decimal | undefined
  readonly takerFee: Decimal | undefined
  /** Liquidation price of the position after the order. Null without a position or a liquidation price. */
  readonly liquidation: Decimal | null
  /** Whether no part of it opens or enlarges a position. */
  readonly isClosing: boolean
  /** Whether it closes the position and opens one on the other side. */
  readonly isTurning: boolean
  readonly maxQuantity: Decimal
  /** The cap on open interest that limits the largest size, and the value left below it. */
  readonly cap: { readonly by: Cap; readonly left: Decimal } | undefined
}

export type Summary = { readonly buy: Plan; readonly sell: Plan /** 0 to 100. */; readonly percent: number }

export function summary(form: Form, context: Context): Summary {
  const most = sliderMax(form, context)
  const lots = lotsOf(form, priceOf(form, 'buy', context), context) ?? 0
  return {
    buy: planOf(form, 'buy', context),
    sell: planOf(form, 'sell', context),
    percent: most > 0 ? Math.min(100, Math.round((lots * 100) / most)) : 0,
  }
}

function planOf(form: Form, side: Side, context: Context): Plan {
  const { market, quoteScale } = context
  const ticks = priceOf(form, side, context)
  const lots = lotsOf(form, ticks, context)
  const money = (units: number): Decimal => formatUnits(units as Units, quoteScale)
  const most = mostOf(form, side, context)
  const maxQuantity = formatLots(most.lots, market.lot)
  const left = most.by === undefined ? undefined : capOf(side, context)
  const cap = left && { by: left.by, left: money(left.value) }
  if (ticks === undefined || lots === undefined || lots <= 0) return { ...noPlan, side, maxQuantity, cap }
  const cost = costOf(form, side, lots, ticks, context)
  const liquidation = liquidationAfter(form, side, lots, ticks, context)
  const { opening, reducing } = effectOf(form, side, lots, context)
  return {
    side,
    quantity: formatLots(lots, market.lot),
    value: money(cost.value),
    margin: money(cost.margin),
    cost: money(cost.margin + cost.feeHeld),
    makerFee: money(cost.makerFee),
    takerFee: money(cost.takerFee),
    liquidation: liquidation === undefined ? null : formatTicks(liquidation as Ticks, market.tick),
    isClosing: opening === 0,
    isTurning: opening > 0 && reducing > 0,
    maxQuantity,
    cap,
  }
}

const noPlan = {
  quantity: undefined,
  value: undefined,
  margin: undefined,
  cost: undefined,
  makerFee: undefined,
  takerFee: undefined,
  liquidation: null,
  isClosing: false,
  isTurning: false,
} as const
