/**
 * The perp ticket as three pure functions: `reduce` (what the thumb did), `summary` (what each of its two buttons
 * would cost and risk) and `errors` (why it can't be sent). Money is counted with the core's own functions.
 */
import type { Decimal, Ticks, Units } from '@candor/core/money/brand.ts'
import { formatLots, formatTicks, parseLots, parseTicks } from '@candor/core/money/price.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import { bandHigh, bandLow } from '@candor/core/risk/spot.ts'
import type { TriggerPrice } from '@candor/core/protocol/command/perp.ts'
import type { Side, TimeInForce } from '@candor/core/protocol/command/spot.ts'
import type { Risks } from '../../parts/perp/risk.ts'
import {
  type Cap,
  capOf,
  costOf,
  effectOf,
  holdsAsleep,
  isAboveCeiling,
  liquidationAfter,
  lotsOf,
  maxLots,
  mostOf,
  priceOf,
  spendable,
} from './sizing.ts'

export const orderKinds = ['limit', 'market', 'stop-limit', 'stop-market', 'trailing'] as const
export type OrderKind = (typeof orderKinds)[number]

/** Texts as typed, with a point; empty when nothing was typed. The side is the button's. */
export type Form = {
  /** Hedge mode only: which of the two positions the buttons act on, and how. */
  readonly intent: 'open' | 'close'
  readonly kind: OrderKind
  readonly price: string
  readonly stop: string
  readonly trail: string
  /** In the base coin, or (unit `quote`) in the quote coin. */
  readonly amount: string
  readonly unit: 'base' | 'quote'
  readonly timeInForce: TimeInForce
  readonly isPostOnly: boolean
  readonly isReduceOnly: boolean
  readonly triggerBy: TriggerPrice
  /** Take profit and stop loss that the order gives the position that it opens. */
  readonly hasExits: boolean
  readonly takeProfit: string
  readonly stopLoss: string
}

export type Field = 'price' | 'stop' | 'trail' | 'amount' | 'takeProfit' | 'stopLoss'

export type Action =
  | { readonly type: 'intent'; readonly intent: 'open' | 'close' }
  | { readonly type: 'kind'; readonly kind: OrderKind }
  | { readonly type: 'unit'; readonly unit: 'base' | 'quote' }
  | { readonly type: 'set'; readonly field: Field; readonly text: string }
  | { readonly type: 'take'; readonly price: Decimal; readonly quantity?: Decimal }
  | { readonly type: 'percent'; readonly percent: number }
  | { readonly type: 'timeInForce'; readonly timeInForce: TimeInForce }
  | { readonly type: 'postOnly'; readonly isPostOnly: boolean }
  | { readonly type: 'reduceOnly'; readonly isReduceOnly: boolean }
  | { readonly type: 'exits'; readonly hasExits: boolean }
  | { readonly type: 'triggerBy'; readonly triggerBy: TriggerPrice }
  | { readonly type: 'sent' }

/** What the form needs to know of the world. */
export type Context = Risks & {
  readonly bid: Decimal | undefined
  readonly ask: Decimal | undefined
  readonly last: Decimal | undefined
}

export function emptyForm(): Form {
  return {
    intent: 'open',
    kind: 'limit',
    price: '',
    stop: '',
    trail: '1',
    amount: '',
    unit: 'base',
    timeInForce: 'GTC',
    isPostOnly: false,
    isReduceOnly: false,
    triggerBy: 'mark',
    hasExits: false,
    takeProfit: '',
    stopLoss: '',
  }
}

export function reduce(form: Form, action: Action, context: Context): Form {
  switch (action.type) {
    case 'intent':
      return action.intent === form.intent ? form : { ...form, intent: action.intent, amount: '', hasExits: false }
    case 'kind':
      return withKind(form, action.kind)
    case 'unit':
      return action.unit === form.unit ? form : { ...form, unit: action.unit, amount: inUnit(form, action.unit, context) }
    case 'set':
      return { ...form, [action.field]: action.text }
    case 'take':
      return taken(form, action.price, action.quantity)
    case 'percent':
      return { ...form, amount: shareOf(form, action.percent, context) }
    case 'timeInForce':
      return { ...form, timeInForce: action.timeInForce, ...(action.timeInForce === 'GTC' ? {} : { isPostOnly: false }) }
    case 'postOnly':
      return { ...form, isPostOnly: action.isPostOnly, ...(action.isPostOnly ? { timeInForce: 'GTC' as const } : {}) }
    case 'reduceOnly':
      return { ...form, isReduceOnly: action.isReduceOnly, ...(action.isReduceOnly ? { hasExits: false } : {}) }
    case 'exits':
      return { ...form, hasExits: action.hasExits, ...(action.hasExits ? { isReduceOnly: false } : {}) }
    case 'triggerBy':
      return { ...form, triggerBy: action.triggerBy }
    case 'sent':
      return { ...form, amount: '', takeProfit: '', stopLoss: '', hasExits: false }
  }
}

/** Only a plain limit order can be post-only or filled at once. */
function withKind(form: Form, kind: OrderKind): Form {
  const plain = kind === 'limit' ? {} : { isPostOnly: false, timeInForce: 'GTC' as const }
  return { ...form, ...plain, kind }
}

export function isPricedAtMarket(kind: OrderKind): boolean {
  return kind === 'market' || kind === 'stop-market' || kind === 'trailing'
}

export function hasTrigger(kind: OrderKind): boolean {
  return kind === 'stop-limit' || kind === 'stop-market' || kind === 'trailing'
}

/** A tapped price goes where the kind has a price; a market order has none. */
function taken(form: Form, price: Decimal, quantity: Decimal | undefined): Form {
  const amount = quantity !== undefined && form.unit === 'base' ? quantity : form.amount
  if (isPricedAtMarket(form.kind)) return form.kind === 'stop-market' ? { ...form, stop: price, amount } : { ...form, amount }
  return { ...form, price, amount }
}

/** The same size in the other unit, whole lots down; what can't be said in it is typed anew. */
function inUnit(form: Form, unit: 'base' | 'quote', context: Context): string {
  const ticks = priceOf(form, 'buy', context)
  const lots = lotsOf(form, ticks, context)
  if (ticks === undefined || lots === undefined || lots <= 0) return ''
  if (unit === 'base') return formatLots(lots, context.market.lot)
  return formatUnits(lots * ticks * context.perTickLot, context.quoteScale)
}

/** The amount text for a position of the slider: a share of what both buttons can do; empty when it is less than one lot. */
function shareOf(form: Form, percent: number, context: Context): string {
  const most = sliderMax(form, context)
  const lots = Math.floor((most * percent) / 100)
  if (lots <= 0) return ''
  if (form.unit === 'base') return formatLots(lots, context.market.lot)
  const ticks = priceOf(form, 'buy', context)
  return ticks === undefined ? '' : formatUnits(lots * ticks * context.perTickLot, context.quoteScale)
}

/** Lots at 100 %: what either button can send. An order that only reduces has one button that can: its maximum. */
function sliderMax(form: Form, context: Context): number {
  const [buy, sell] = [maxLots(form, 'buy', context), maxLots(form, 'sell', context)]
  return buy === 0 || sell === 0 ? Math.max(buy, sell) : Math.min(buy, sell)
}

/** What one of the two buttons would do. Sums in the quote coin; undefined while price or size is missing. */
export type Plan = {
  readonly side: Side
  readonly quantity: Decimal | undefined
  readonly value: Decimal | undefined
  /** Margin that the opening part binds, and what is held for fees with it. */
  readonly margin: Decimal | undefined
  readonly cost: Decimal | undefined
  readonly makerFee: Decimal | undefined
  readonly takerFee: Decimal | undefined
  /** Of the position as it would stand after the order. Null: none, or never. */
  readonly liquidation: Decimal | null
  /** Nothing of it opens or enlarges a position. */
  readonly isClosing: boolean
  /** It closes the position and opens one on the other side. */
  readonly isTurning: boolean
  readonly maxQuantity: Decimal
  /** The cap on open interest that the largest size comes from, and the value that it leaves. */
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

/** Names of refusals, so that the form says before the tap what the exchange would say after it. */
export type FieldError =
  | 'FIELD_MISSING'
  | 'PRICE_INVALID'
  | 'QUANTITY_INVALID'
  | 'QUANTITY_TOO_SMALL'
  | 'QUANTITY_TOO_LARGE'
  | 'NOTIONAL_TOO_SMALL'
  | 'MARGIN_INSUFFICIENT'
  | 'LEVERAGE_CEILING'
  | 'LEVERAGE_TOO_HIGH'
  | 'OPEN_INTEREST_FULL'
  | 'POSITION_TOO_LARGE'
  | 'REDUCE_ONLY_REJECTED'
  | 'TRIGGER_INVALID'
  | 'TRIGGER_IMMEDIATE'
  | 'TRAIL_INVALID'
  | 'PRICE_OUTSIDE_BAND'
  | 'NO_LIQUIDITY'

export type Errors = Readonly<Partial<Record<Field, FieldError>>>

/** The first reason for each field why the side's order can't be sent. An empty answer: it can. */
export function errors(form: Form, side: Side, context: Context): Errors {
  const found: Partial<Record<Field, FieldError>> = {}
  const { market } = context
  const last = context.last === undefined ? undefined : parseTicks(context.last, market.tick)

  if (!isPricedAtMarket(form.kind)) {
    const price = parseTicks(form.price, market.tick)
    if (form.price === '') found.price = 'FIELD_MISSING'
    else if (price === undefined) found.price = 'PRICE_INVALID'
    else if (context.markTicks !== undefined && form.kind === 'limit' && isOutsideBand(price, context.markTicks, market.bandPpm))
      found.price = 'PRICE_OUTSIDE_BAND'
  }
  if (form.kind === 'stop-limit' || form.kind === 'stop-market') {
    const stop = parseTicks(form.stop, market.tick)
    const reference = form.triggerBy === 'mark' ? context.markTicks : last
    if (form.stop === '') found.stop = 'FIELD_MISSING'
    else if (stop === undefined) found.stop = 'TRIGGER_INVALID'
    else if (stop === reference) found.stop = 'TRIGGER_IMMEDIATE'
  }
  if (form.kind === 'trailing' && !isTrail(form.trail)) found.trail = form.trail === '' ? 'FIELD_MISSING' : 'TRAIL_INVALID'
  const amount = errorOfAmount(form, side, context)
  if (amount !== undefined) found.amount = amount
  if (form.hasExits) Object.assign(found, errorsOfExits(form, side, context))
  return found
}

function errorOfAmount(form: Form, side: Side, context: Context): FieldError | undefined {
  const { market } = context
  if (form.amount === '') return 'FIELD_MISSING'
  const ticks = priceOf(form, side, context)
  if (ticks === undefined) return form.kind === 'market' || form.kind === 'trailing' ? 'NO_LIQUIDITY' : undefined
  const isNumber = form.unit === 'base' ? parseLots(form.amount, market.lot) : parseUnits(form.amount, context.quoteScale)
  if (isNumber === undefined) return 'QUANTITY_INVALID'
  const lots = lotsOf(form, ticks, context)
  if (lots === undefined || lots < (parseLots(market.quantityMin, market.lot) ?? 1)) return 'QUANTITY_TOO_SMALL'
  if (lots > (parseLots(market.quantityMax, market.lot) ?? Number.MAX_SAFE_INTEGER)) return 'QUANTITY_TOO_LARGE'
  const { opening, reducing } = effectOf(form, side, lots, context)
  if (opening === 0 && reducing === 0) return 'REDUCE_ONLY_REJECTED'
  if (opening > 0 && lots * ticks * context.perTickLot < (parseUnits(market.notionalMin, context.quoteScale) ?? 0))
    return 'NOTIONAL_TOO_SMALL'
  if (context.available === undefined || (opening === 0 && !holdsAsleep(form, context))) return undefined
  if (isAboveCeiling(context)) return 'LEVERAGE_CEILING'
  const cost = costOf(form, side, lots, ticks, context)
  if (cost.isAboveTiers) return 'LEVERAGE_TOO_HIGH'
  const cap = capOf(side, context)
  // Of a sleeping order the caps are looked at when it wakes.
  if (cap !== undefined && !hasTrigger(form.kind) && cost.opens > cap.value)
    return cap.by === 'market' ? 'OPEN_INTEREST_FULL' : 'POSITION_TOO_LARGE'
  return cost.margin + cost.feeHeld > spendable(form, side, ticks, context) ? 'MARGIN_INSUFFICIENT' : undefined
}

/** A long takes profit above and stops below where it is opened; a short the other way round. One of the two is enough. */
function errorsOfExits(form: Form, side: Side, context: Context): Errors {
  const found: Partial<Record<Field, FieldError>> = {}
  const entry = priceOf(form, side, context)
  if (form.takeProfit === '' && form.stopLoss === '') found.takeProfit = 'FIELD_MISSING'
  for (const [field, isAbove] of [
    ['takeProfit', side === 'buy'],
    ['stopLoss', side === 'sell'],
  ] as const) {
    if (form[field] === '') continue
    const ticks = parseTicks(form[field], context.market.tick)
    if (ticks === undefined) found[field] = 'TRIGGER_INVALID'
    else if (entry !== undefined && (isAbove ? ticks <= entry : ticks >= entry)) found[field] = 'TRIGGER_IMMEDIATE'
  }
  return found
}

function isOutsideBand(price: number, reference: number, bandPpm: number): boolean {
  return price < bandLow(reference, bandPpm) || price > bandHigh(reference, bandPpm)
}

/** A percent text between 0.1 and 20, at most two digits after the point. */
function isTrail(text: string): boolean {
  return /^\d{1,2}(\.\d{1,2})?$/.test(text) && Number(text) >= 0.1 && Number(text) <= 20
}
