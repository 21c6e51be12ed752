/**
 * The order ticket as three pure functions: `reduce` (what the thumb did), `summary` (what it would cost and give) and
 * `errors` (why it can't be sent). Money is counted with the core's own functions, so the preview is the outcome.
 */
import type { Decimal, Lots, Ticks, Units } from '@candor/core/money/brand.ts'
import { formatLots, formatTicks, parseLots, parseTicks } from '@candor/core/money/price.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import { bandHigh, bandLow, fee } from '@candor/core/risk/spot.ts'
import type { Side, TimeInForce } from '@candor/core/protocol/command/spot.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { affordable, priceOf, sizeOf } from './sizing.ts'

export const orderKinds = ['limit', 'market', 'stop-limit', 'stop-market', 'trailing', 'oco'] as const
export type OrderKind = (typeof orderKinds)[number]

/** Texts as typed, with a point; empty when nothing was typed. */
export type Form = {
  readonly side: Side
  readonly kind: OrderKind
  readonly price: string
  readonly stop: string
  readonly trail: string
  /** In the base coin, or (unit `quote`) in the quote coin. */
  readonly amount: string
  readonly unit: 'base' | 'quote'
  readonly timeInForce: TimeInForce
  readonly isPostOnly: boolean
  /** Shown part of an iceberg; empty: all of it. */
  readonly display: string
}

export type Field = 'price' | 'stop' | 'trail' | 'amount' | 'display'

export type Action =
  | { readonly type: 'side'; readonly side: Side }
  | { readonly type: 'kind'; readonly kind: OrderKind }
  | { readonly type: 'unit'; readonly unit: 'base' | 'quote' }
  | { readonly type: 'set'; readonly field: Field; readonly text: string }
  | { readonly type: 'step'; readonly field: 'price' | 'stop'; readonly by: number; readonly from: Decimal }
  | { readonly type: 'take'; readonly price: Decimal; readonly quantity?: Decimal }
  | { readonly type: 'percent'; readonly percent: number }
  | { readonly type: 'timeInForce'; readonly timeInForce: TimeInForce }
  | { readonly type: 'postOnly'; readonly isPostOnly: boolean }
  | { readonly type: 'sent' }

/** What the form needs to know of the world. */
export type Context = {
  readonly market: WireMarket
  readonly baseScale: number
  readonly quoteScale: number
  readonly bid: Decimal | undefined
  readonly ask: Decimal | undefined
  readonly last: Decimal | undefined
  /** Undefined for a visitor. */
  readonly availableBase: Decimal | undefined
  readonly availableQuote: Decimal | undefined
  readonly makerPpm: number
  readonly takerPpm: number
}

export function emptyForm(side: Side = 'buy'): Form {
  return {
    side,
    kind: 'limit',
    price: '',
    stop: '',
    trail: '1',
    amount: '',
    unit: 'base',
    timeInForce: 'GTC',
    isPostOnly: false,
    display: '',
  }
}

export function reduce(form: Form, action: Action, context: Context): Form {
  switch (action.type) {
    case 'side':
      return action.side === form.side ? form : { ...form, side: action.side, amount: '' }
    case 'kind':
      return withKind(form, action.kind)
    case 'unit':
      return action.unit === form.unit ? form : { ...form, unit: action.unit, amount: '' }
    case 'set':
      return { ...form, [action.field]: action.text }
    case 'step':
      return { ...form, [action.field]: stepped(form[action.field] || action.from, action.by, context.market) }
    case 'take':
      return taken(form, action.price, action.quantity)
    case 'percent':
      return { ...form, amount: shareOf(form, action.percent, context) }
    case 'timeInForce':
      return { ...form, timeInForce: action.timeInForce, ...(action.timeInForce === 'GTC' ? {} : { isPostOnly: false, display: '' }) }
    case 'postOnly':
      return { ...form, isPostOnly: action.isPostOnly, ...(action.isPostOnly ? { timeInForce: 'GTC' as const } : {}) }
    case 'sent':
      return { ...form, amount: '', display: '' }
  }
}

/** Only a plain limit order can be post-only, an iceberg or filled at once: other kinds forget these. */
function withKind(form: Form, kind: OrderKind): Form {
  const plain = kind === 'limit' ? {} : { isPostOnly: false, display: '', timeInForce: 'GTC' as const }
  const unit = kind === 'oco' ? 'base' : form.unit
  return { ...form, ...plain, kind, unit, amount: unit === form.unit ? form.amount : '' }
}

/** A tapped price goes where the kind has a price; a market order has none. */
function taken(form: Form, price: Decimal, quantity: Decimal | undefined): Form {
  const amount = quantity !== undefined && form.unit === 'base' ? quantity : form.amount
  if (isPricedAtMarket(form.kind)) return form.kind === 'stop-market' ? { ...form, stop: price, amount } : { ...form, amount }
  return { ...form, price, amount }
}

function stepped(text: string, by: number, market: WireMarket): string {
  const ticks = parseTicks(text, market.tick)
  if (ticks === undefined) return text
  return formatTicks(Math.max(1, ticks + by) as Ticks, market.tick)
}

export function isPricedAtMarket(kind: OrderKind): boolean {
  return kind === 'market' || kind === 'stop-market' || kind === 'trailing'
}

export type Summary = {
  /** The price that the numbers below are counted with: typed, or the best one of the other side. */
  readonly price: Decimal | undefined
  readonly quantity: Decimal | undefined
  readonly value: Decimal | undefined
  /** What it costs, in the coin that is given away. */
  readonly cost: Decimal | undefined
  readonly costAsset: string
  /** What is held for it: a market buy by quantity at its worst price. */
  readonly hold: Decimal | undefined
  readonly makerFee: Decimal | undefined
  readonly takerFee: Decimal | undefined
  readonly feeAsset: string
  /** After the taker fee, so never less than what comes. */
  readonly receive: Decimal | undefined
  /** 0 to 100: the part of what is available. */
  readonly percent: number
}

export function summary(form: Form, context: Context): Summary {
  const { market } = context
  const isBuy = form.side === 'buy'
  const [costAsset, feeAsset] = isBuy ? [market.quote, market.base] : [market.base, market.quote]
  const ticks = priceOf(form, context)
  const size = sizeOf(form, ticks, context)
  const price = ticks === undefined ? undefined : formatTicks(ticks, market.tick)
  if (size === undefined) return { ...emptySummary, price, costAsset, feeAsset }

  const [cost, costScale] = isBuy ? [size.quote, context.quoteScale] : [size.base, context.baseScale]
  const [gross, scale] = isBuy ? [size.base, context.baseScale] : [size.quote, context.quoteScale]
  const takerFee = fee(gross, context.takerPpm)
  const available = parseUnits((isBuy ? context.availableQuote : context.availableBase) ?? '0', costScale) ?? 0
  return {
    price,
    quantity: formatUnits(size.base, context.baseScale),
    value: formatUnits(size.quote, context.quoteScale),
    cost: formatUnits(cost, costScale),
    costAsset,
    hold: formatUnits(size.hold as Units, costScale),
    makerFee: formatUnits(fee(gross, context.makerPpm), scale),
    takerFee: formatUnits(takerFee, scale),
    feeAsset,
    receive: formatUnits((gross - takerFee) as Units, scale),
    percent: available > 0 ? Math.min(100, Math.round((cost * 100) / available)) : 0,
  }
}

const emptySummary = {
  quantity: undefined,
  value: undefined,
  cost: undefined,
  hold: undefined,
  makerFee: undefined,
  takerFee: undefined,
  receive: undefined,
  percent: 0,
}

/** The amount text for a position of the slider; empty when it is less than one step. */
function shareOf(form: Form, percent: number, context: Context): string {
  const most = affordable(form, percent, context)
  if (most === undefined || most.lots <= 0) return ''
  if (form.unit === 'base') return formatLots(most.lots as Lots, context.market.lot)
  return formatUnits(most.quote as Units, context.quoteScale)
}

/** Names of refusals, so that the form says before the tap what the exchange would say after it. */
export type FieldError =
  | 'FIELD_MISSING'
  | 'PRICE_INVALID'
  | 'QUANTITY_INVALID'
  | 'QUANTITY_TOO_SMALL'
  | 'QUANTITY_TOO_LARGE'
  | 'NOTIONAL_TOO_SMALL'
  | 'INSUFFICIENT_BALANCE'
  | 'TRIGGER_INVALID'
  | 'TRIGGER_IMMEDIATE'
  | 'TRAIL_INVALID'
  | 'OCO_PRICES_INVALID'
  | 'DISPLAY_INVALID'
  | 'PRICE_OUTSIDE_BAND'
  | 'NO_LIQUIDITY'

/** The first reason for each field why the order can't be sent. An empty answer: it can. */
export function errors(form: Form, context: Context): Readonly<Partial<Record<Field, FieldError>>> {
  const found: Partial<Record<Field, FieldError>> = {}
  const { market } = context
  const last = context.last === undefined ? undefined : parseTicks(context.last, market.tick)

  if (!isPricedAtMarket(form.kind)) {
    const price = parseTicks(form.price, market.tick)
    if (form.price === '') found.price = 'FIELD_MISSING'
    else if (price === undefined || price <= 0) found.price = 'PRICE_INVALID'
    else if (last !== undefined && form.kind !== 'stop-limit' && isOutsideBand(price, last, market.bandPpm))
      found.price = 'PRICE_OUTSIDE_BAND'
  }
  if (form.kind === 'stop-limit' || form.kind === 'stop-market' || form.kind === 'oco') {
    const stop = parseTicks(form.stop, market.tick)
    if (form.stop === '') found.stop = 'FIELD_MISSING'
    else if (stop === undefined || stop <= 0) found.stop = 'TRIGGER_INVALID'
    else if (stop === last) found.stop = 'TRIGGER_IMMEDIATE'
    else if (form.kind === 'oco' && !isAround(form, stop, last, market)) found.stop = 'OCO_PRICES_INVALID'
  }
  if (form.kind === 'trailing' && trailPpmOf(form.trail) === undefined) found.trail = form.trail === '' ? 'FIELD_MISSING' : 'TRAIL_INVALID'

  const amountError = errorOfAmount(form, context)
  if (amountError !== undefined) found.amount = amountError
  if (form.display !== '') {
    const [display, lots] = [parseLots(form.display, market.lot), parseLots(form.amount, market.lot)]
    if (display === undefined || display <= 0 || lots === undefined || display >= lots) found.display = 'DISPLAY_INVALID'
  }
  return found
}

function errorOfAmount(form: Form, context: Context): FieldError | undefined {
  const { market } = context
  if (form.amount === '') return 'FIELD_MISSING'
  const ticks = priceOf(form, context)
  if (ticks === undefined) return isPricedAtMarket(form.kind) && form.kind !== 'stop-market' ? 'NO_LIQUIDITY' : undefined
  const isNumber = form.unit === 'base' ? parseLots(form.amount, market.lot) : parseUnits(form.amount, context.quoteScale)
  if (isNumber === undefined) return 'QUANTITY_INVALID'
  const size = sizeOf(form, ticks, context)
  if (size === undefined) return 'QUANTITY_TOO_SMALL'
  if (size.lots < (parseLots(market.quantityMin, market.lot) ?? 0)) return 'QUANTITY_TOO_SMALL'
  if (size.lots > (parseLots(market.quantityMax, market.lot) ?? Number.MAX_SAFE_INTEGER)) return 'QUANTITY_TOO_LARGE'
  if (size.quote < (parseUnits(market.notionalMin, context.quoteScale) ?? 0)) return 'NOTIONAL_TOO_SMALL'
  const isBuy = form.side === 'buy'
  const available = isBuy ? context.availableQuote : context.availableBase
  if (available === undefined) return undefined
  const scale = isBuy ? context.quoteScale : context.baseScale
  return size.hold > (parseUnits(available, scale) ?? 0) ? 'INSUFFICIENT_BALANCE' : undefined
}

function isOutsideBand(price: number, reference: number, bandPpm: number): boolean {
  return price < bandLow(reference, bandPpm) || price > bandHigh(reference, bandPpm)
}

/** A selling OCO takes profit above and stops below the last price; a buying one the other way round. */
function isAround(form: Form, stop: number, last: number | undefined, market: WireMarket): boolean {
  const limit = parseTicks(form.price, market.tick)
  if (limit === undefined || last === undefined) return true
  return form.side === 'sell' ? limit > last && stop < last : limit < last && stop > last
}

/** Parts per million of a percent text between 0.1 and 20, at most two digits after the point. */
export function trailPpmOf(text: string): number | undefined {
  if (!/^\d{1,2}(\.\d{1,2})?$/.test(text)) return undefined
  const value = Math.round(Number(text) * 10_000)
  return value >= 1_000 && value <= 200_000 ? value : undefined
}
