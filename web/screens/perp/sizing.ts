/** Converts the perp ticket's input to whole lots and units. */
import type { Lots, Ppm, Ticks, Units } from '@candor/core/money/brand.ts'
import { mulDivCeil, mulDivFloor } from '@candor/core/money/mul-div.ts'
import { parseLots, parseTicks } from '@candor/core/money/price.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import { initialMargin, leverageAllowed, orderMargin, positionValueMax, shareOf, unrealised } from '@candor/core/risk/perp.ts'
import { fee, worstPrice } from '@candor/core/risk/spot.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import { type Held, leverageTerms, liquidationAt } from '../../parts/perp/risk.ts'
import { isPricedAtMarket } from '../../parts/desk/form.ts'
import { type Context, type Form, hasTrigger } from './form.ts'

const million = 1_000_000

/**
 * The price used for the order's numbers: the limit price, the trigger of a stop-market order, or the best price of the other side.
 * Undefined while there is none.
 */
export function priceOf(form: Form, side: Side, context: Context): Ticks | undefined {
  const { market } = context
  if (!isPricedAtMarket(form.kind)) return parseTicks(form.price, market.tick)
  if (form.kind === 'stop-market') return parseTicks(form.stop, market.tick)
  const best = (side === 'buy' ? context.ask : context.bid) ?? context.last
  return best === undefined ? undefined : parseTicks(best, market.tick)
}

/** The amount in whole lots; a quote amount is converted to the lots of that value. */
export function lotsOf(form: Form, ticks: Ticks | undefined, context: Context): Lots | undefined {
  if (form.unit === 'base') return parseLots(form.amount, context.market.lot)
  const quote = parseUnits(form.amount, context.quoteScale)
  if (quote === undefined || ticks === undefined) return undefined
  return mulDivFloor(quote, 1, ticks * context.perTickLot) as Lots
}

/** The position that an order of a side reduces, and the one that it opens or enlarges. */
function sidesOf(side: Side, context: Context): { readonly against: Held | undefined; readonly along: Held | undefined } {
  return side === 'buy' ? { against: context.short, along: context.long } : { against: context.long, along: context.short }
}

/** The lots of an order that close the position, and those that open one. A reduce-only order opens none. */
export function effectOf(form: Form, side: Side, lots: number, context: Context): { readonly reducing: number; readonly opening: number } {
  if (context.isHedge && form.intent === 'open') return { reducing: 0, opening: lots }
  const reducing = Math.min(lots, Math.abs(sidesOf(side, context).against?.lots ?? 0))
  return { reducing, opening: onlyReduces(form, context) ? 0 : lots - reducing }
}

/** Whether the order can only close, whatever the positions are. */
export function onlyReduces(form: Form, context: Context): boolean {
  return context.isHedge ? form.intent === 'close' : form.isReduceOnly
}

export type Cost = {
  readonly value: number
  /** Margin of the opening part at its worst price; for a conditional order, of the whole order at its trigger. */
  readonly margin: number
  readonly feeHeld: number
  readonly makerFee: number
  readonly takerFee: number
  /** Value of the opening part at its worst price. */
  readonly opens: number
  /** Whether the position would be too large for every tier at this leverage. */
  readonly isAboveTiers: boolean
}

export function costOf(form: Form, side: Side, lots: number, ticks: Ticks, context: Context): Cost {
  const { market, perTickLot, leverage } = context
  const { opening, reducing } = effectOf(form, side, lots, context)
  const value = ticks * lots * perTickLot
  const closingFee =
    opening > 0 && reducing > 0 && isImmediate(form)
      ? fee(
          Math.min(payable(form, side, ticks, context) * reducing * perTickLot, Number.MAX_SAFE_INTEGER) as Units,
          market.takerFeePpm as Ppm,
        )
      : 0
  const isAsleep = holdsAsleep(form, context)
  const paidFor = isAsleep ? lots : opening
  const bound = Math.min(Number.MAX_SAFE_INTEGER, payable(form, side, ticks, context) * paidFor * perTickLot)
  const margin = paidFor === 0 ? 0 : initialMargin(bound as Units, leverage)
  const along = isAsleep ? 0 : (sidesOf(side, context).along?.cost ?? 0)
  return {
    value,
    margin,
    feeHeld: orderMargin(bound as Units, leverage, market.takerFeePpm as Ppm) - margin + closingFee,
    makerFee: mulDivCeil(Math.min(value, Number.MAX_SAFE_INTEGER), context.makerPpm, million),
    takerFee: mulDivCeil(Math.min(value, Number.MAX_SAFE_INTEGER), context.takerPpm, million),
    opens: bound,
    isAboveTiers: paidFor > 0 && leverageAllowed(leverageTerms(context), (along + bound) as Units) < leverage,
  }
}

/** Whether a conditional order may open a position. If so, it holds its full margin until it is triggered. */
export function holdsAsleep(form: Form, context: Context): boolean {
  return hasTrigger(form.kind) && !onlyReduces(form, context)
}

/** Price for the margin: the trigger, the mark price (trailing), or the worst price from the index; for sales at least the best bid. */
function payable(form: Form, side: Side, ticks: Ticks, context: Context): number {
  if (form.kind === 'trailing') return context.markTicks ?? ticks
  if (hasTrigger(form.kind)) return parseTicks(form.stop, context.market.tick) ?? ticks
  const limit = limitOf(form, side, ticks, context)
  if (side === 'buy') return limit
  const bid = context.bid === undefined ? undefined : parseTicks(context.bid, context.market.tick)
  return Math.max(limit, bid ?? 0)
}

/** The worst price at which an order trades. */
export function limitOf(form: Form, side: Side, ticks: Ticks, context: Context): number {
  if (!isPricedAtMarket(form.kind)) return ticks
  const from = form.kind === 'market' ? (context.protectionTicks ?? context.markTicks ?? ticks) : ticks
  return worstPrice(side, from as Ticks, context.market.slippagePpm as Ppm)
}

/** Whether an order never rests. Such an order may also spend the margin that its closing part releases at its worst price. */
function isImmediate(form: Form): boolean {
  return form.kind === 'market' || (form.kind === 'limit' && form.timeInForce !== 'GTC')
}

/** The sum that an order of a side may spend. Zero for visitors. */
export function spendable(form: Form, side: Side, ticks: Ticks, context: Context): number {
  const free = context.available ?? 0
  const { against } = sidesOf(side, context)
  if (against === undefined || context.isHedge || !isImmediate(form)) return free
  const freed =
    against.margin +
    unrealised(against.lots as Lots, against.cost as Units, limitOf(form, side, ticks, context) as Ticks, context.perTickLot)
  return free + (against.mode === 'isolated' ? Math.max(0, freed) : freed)
}

/** The cap on open interest that limits an order: that of the market, or that of the user. */
export type Cap = 'market' | 'user'

/** The value that an order of a side may open below the caps, in quote units, and the lower cap. */
export function capOf(side: Side, { room }: Context): { readonly value: number; readonly by: Cap } | undefined {
  if (room === undefined) return undefined
  return room.left <= room[side] ? { value: room.left, by: 'market' } : { value: room[side], by: 'user' }
}

/** Whether the chosen leverage is above the user's ceiling for opening orders. */
export function isAboveCeiling({ leverage, ceiling }: Context): boolean {
  return ceiling !== null && leverage > ceiling.leverage
}

/** The largest order of a side, in lots. */
export function maxLots(form: Form, side: Side, context: Context): number {
  return mostOf(form, side, context).lots
}

/** Lots at 100 % of the slider: the size that both buttons can send. For a reducing order, the maximum of the only button that can. */
export function sliderMax(form: Form, context: Context): number {
  const [buy, sell] = [maxLots(form, 'buy', context), maxLots(form, 'sell', context)]
  return buy === 0 || sell === 0 ? Math.max(buy, sell) : Math.min(buy, sell)
}

/**
 * The largest order of a side: the lots that close the position, plus those that the available balance, the tiers and the caps on open
 * interest allow to open. `by`: the cap, if it is the lowest limit.
 */
export function mostOf(form: Form, side: Side, context: Context): { readonly lots: number; readonly by: Cap | undefined } {
  const { against, along } = sidesOf(side, context)
  const closes = context.isHedge && form.intent === 'open' ? 0 : Math.abs(against?.lots ?? 0)
  const most = parseLots(context.market.quantityMax, context.market.lot) ?? Number.MAX_SAFE_INTEGER
  const ticks = priceOf(form, side, context)
  if (onlyReduces(form, context) || ticks === undefined || context.available === undefined || isAboveCeiling(context))
    return { lots: Math.min(most, closes), by: undefined }
  const perLot = payable(form, side, ticks, context) * context.perTickLot
  const closingFee =
    closes > 0 && isImmediate(form)
      ? fee(Math.min(perLot * closes, Number.MAX_SAFE_INTEGER) as Units, context.market.takerFeePpm as Ppm)
      : 0
  const free = Math.max(0, spendable(form, side, ticks, context) - closingFee)
  const isAsleep = holdsAsleep(form, context)
  const rest = Math.max(0, ceiling(context) - (isAsleep ? 0 : (along?.cost ?? 0)))
  const paid = Math.min(
    Math.floor(rest / perLot),
    // margin + fee = value × (1 ÷ leverage + fee). Rounding both up costs at most two units.
    mulDivFloor(Math.max(0, free - 2), million * context.leverage, million + context.market.takerFeePpm * context.leverage) / perLot,
  )
  const cap = capOf(side, context)
  const capped = cap === undefined ? Infinity : Math.floor(cap.value / perLot)
  // A conditional order also pays for its closing part.
  const affordable = Math.max(0, Math.floor(paid)) + (isAsleep ? 0 : closes)
  const lots = Math.min(most, affordable, closes + capped)
  return { lots, by: lots < Math.min(most, affordable) ? cap?.by : undefined }
}

/** Largest value of a position that the tiers allow at the chosen leverage. */
export function ceiling(context: Context): number {
  const allowed = context.tiers.filter((tier) => leverageAllowed(leverageTerms(context), tier.valueMax) >= context.leverage)
  return Math.min(positionValueMax, allowed.at(-1)?.valueMax ?? 0)
}

/** Largest value of a user's positions and opening orders in the market. */
export function userInterestMax({ market, quoteScale }: Context): number {
  const { openInterestMax, userInterestPpm } = market.perp ?? {}
  return openInterestMax === undefined ? 0 : mulDivFloor(parseUnits(openInterestMax, quoteScale) ?? 0, userInterestPpm ?? 0, million)
}

/** Liquidation price of the position after the order, in ticks; undefined without a position or a liquidation price. */
export function liquidationAfter(form: Form, side: Side, lots: number, ticks: Ticks, context: Context): number | undefined {
  const { perTickLot, leverage } = context
  const { reducing, opening } = effectOf(form, side, lots, context)
  const { against, along } = sidesOf(side, context)
  const sign = side === 'buy' ? 1 : -1
  const paid = mulDivCeil(Math.min(ticks * lots * perTickLot, Number.MAX_SAFE_INTEGER), context.takerPpm, million)
  if (opening === 0) {
    if (against === undefined || reducing === 0) return undefined
    const size = Math.abs(against.lots)
    const cost = against.cost - shareOf(against.cost as Units, reducing, size)
    const margin = against.margin - shareOf(against.margin as Units, reducing, size)
    if (reducing >= size) return undefined
    return liquidationAt(-sign * (size - reducing), cost, behind(against, margin, context, paid), context)
  }
  const value = ticks * opening * perTickLot
  const cost = (along?.cost ?? 0) + value
  const margin = (along?.margin ?? 0) + initialMargin(value as Units, leverage)
  const mode = along?.mode ?? context.mode
  return liquidationAt(sign * (Math.abs(along?.lots ?? 0) + opening), cost, behind({ mode }, margin, context, paid), context)
}

/** The margin of a position: its own if isolated, the whole account's less the fee if cross. */
function behind({ mode }: Pick<Held, 'mode'>, margin: number, context: Context, fee: number): number {
  return mode === 'isolated' ? margin : context.crossBase - fee
}
