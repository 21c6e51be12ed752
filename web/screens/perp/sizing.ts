/** From what was typed to whole lots and units: the numbers behind the perp ticket. */
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
 * The price that an order is counted with: the limit price, the trigger of a stop that becomes a market order, or the
 * best price of the other side. Undefined while there is none.
 */
export function priceOf(form: Form, side: Side, context: Context): Ticks | undefined {
  const { market } = context
  if (!isPricedAtMarket(form.kind)) return parseTicks(form.price, market.tick)
  if (form.kind === 'stop-market') return parseTicks(form.stop, market.tick)
  const best = (side === 'buy' ? context.ask : context.bid) ?? context.last
  return best === undefined ? undefined : parseTicks(best, market.tick)
}

/** Whole lots of the amount; one in quote is turned into the lots that have that value. */
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

/** How many lots of an order close the position and how many open. A reduce-only order opens none. */
export function effectOf(form: Form, side: Side, lots: number, context: Context): { readonly reducing: number; readonly opening: number } {
  if (context.isHedge && form.intent === 'open') return { reducing: 0, opening: lots }
  const reducing = Math.min(lots, Math.abs(sidesOf(side, context).against?.lots ?? 0))
  return { reducing, opening: onlyReduces(form, context) ? 0 : lots - reducing }
}

/** Whether the order closes and opens nothing, whatever is there. */
export function onlyReduces(form: Form, context: Context): boolean {
  return context.isHedge ? form.intent === 'close' : form.isReduceOnly
}

export type Cost = {
  readonly value: number
  /** Margin of the opening part, at the worst price that it may trade at; of a sleeping order of all of it, at its trigger. */
  readonly margin: number
  readonly feeHeld: number
  readonly makerFee: number
  readonly takerFee: number
  /** What the opening part is worth at the worst price that it may trade at. */
  readonly opens: number
  /** No tier allows so much with this leverage. */
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
    makerFee: mulDivCeil(Math.min(value, Number.MAX_SAFE_INTEGER), market.makerFeePpm, million),
    takerFee: mulDivCeil(Math.min(value, Number.MAX_SAFE_INTEGER), market.takerFeePpm, million),
    opens: bound,
    isAboveTiers: paidFor > 0 && leverageAllowed(leverageTerms(context), (along + bound) as Units) < leverage,
  }
}

/** Whether an order sleeps at first and may open when it wakes: until then it holds the margin of all of it. */
export function holdsAsleep(form: Form, context: Context): boolean {
  return hasTrigger(form.kind) && !onlyReduces(form, context)
}

/** The price at which an order must be able to pay: a sleeping one at its trigger, a trailing one at the mark; at the market its worst one, counted from the index; a seller never less than the best bid. */
function payable(form: Form, side: Side, ticks: Ticks, context: Context): number {
  if (form.kind === 'trailing') return context.markTicks ?? ticks
  if (hasTrigger(form.kind)) return parseTicks(form.stop, context.market.tick) ?? ticks
  const limit = limitOf(form, side, ticks, context)
  if (side === 'buy') return limit
  const bid = context.bid === undefined ? undefined : parseTicks(context.bid, context.market.tick)
  return Math.max(limit, bid ?? 0)
}

function limitOf(form: Form, side: Side, ticks: Ticks, context: Context): number {
  if (!isPricedAtMarket(form.kind)) return ticks
  const from = form.kind === 'market' ? (context.protectionTicks ?? context.markTicks ?? ticks) : ticks
  return worstPrice(side, from as Ticks, context.market.slippagePpm as Ppm)
}

/** An order that never rests may also spend what its closing part frees at its worst price. */
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

/** Whose cap on open interest holds an order back: all customers' in the market, or the person's own part of it. */
export type Cap = 'market' | 'user'

/** What the caps leave an order of a side to open, in quote units, and the narrower of the two. */
export function capOf(side: Side, { room }: Context): { readonly value: number; readonly by: Cap } | undefined {
  if (room === undefined) return undefined
  return room.left <= room[side] ? { value: room.left, by: 'market' } : { value: room[side], by: 'user' }
}

/** Whether the chosen leverage is above what the person may open anything with. */
export function isAboveCeiling({ leverage, ceiling }: Context): boolean {
  return ceiling !== null && leverage > ceiling.leverage
}

/** The largest order of a side, in lots. */
export function maxLots(form: Form, side: Side, context: Context): number {
  return mostOf(form, side, context).lots
}

/** Lots at 100 %: what either button can send. An order that only reduces has one button that can: its maximum. */
export function sliderMax(form: Form, context: Context): number {
  const [buy, sell] = [maxLots(form, 'buy', context), maxLots(form, 'sell', context)]
  return buy === 0 || sell === 0 ? Math.max(buy, sell) : Math.min(buy, sell)
}

/**
 * The largest order of a side: what closes the position, and what the free balance, the tiers and the caps on open interest
 * let it open. `by`: the cap, where nothing else is narrower.
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
    // margin + fee = value × (1 ÷ leverage + fee): the two roundings up cost at most two units.
    mulDivFloor(Math.max(0, free - 2), million * context.leverage, million + context.market.takerFeePpm * context.leverage) / perLot,
  )
  const cap = capOf(side, context)
  const capped = cap === undefined ? Infinity : Math.floor(cap.value / perLot)
  // A sleeping order pays for what it closes too.
  const affordable = Math.max(0, Math.floor(paid)) + (isAsleep ? 0 : closes)
  const lots = Math.min(most, affordable, closes + capped)
  return { lots, by: lots < Math.min(most, affordable) ? cap?.by : undefined }
}

/** Largest value of a position that the tiers allow with the chosen leverage. */
export function ceiling(context: Context): number {
  const allowed = context.tiers.filter((tier) => leverageAllowed(leverageTerms(context), tier.valueMax) >= context.leverage)
  return Math.min(positionValueMax, allowed.at(-1)?.valueMax ?? 0)
}

/** What all of one customer's positions and opening orders in the market may be worth. */
export function userInterestMax({ market, quoteScale }: Context): number {
  const { openInterestMax, userInterestPpm } = market.perp ?? {}
  return openInterestMax === undefined ? 0 : mulDivFloor(parseUnits(openInterestMax, quoteScale) ?? 0, userInterestPpm ?? 0, million)
}

/** Ticks at which the position, as it would stand after the order, is liquidated; undefined: no position, or never. */
export function liquidationAfter(form: Form, side: Side, lots: number, ticks: Ticks, context: Context): number | undefined {
  const { perTickLot, leverage } = context
  const { reducing, opening } = effectOf(form, side, lots, context)
  const { against, along } = sidesOf(side, context)
  const sign = side === 'buy' ? 1 : -1
  const paid = mulDivCeil(Math.min(ticks * lots * perTickLot, Number.MAX_SAFE_INTEGER), context.market.takerFeePpm, million)
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

/** An isolated position stands on its margin; a cross one on the whole account, which pays the fee. */
function behind({ mode }: Pick<Held, 'mode'>, margin: number, context: Context, fee: number): number {
  return mode === 'isolated' ? margin : context.crossBase - fee
}
