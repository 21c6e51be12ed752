/** Parts that commands and events share: an order's flags, its trigger, a market's terms, fee tiers. */
import type { OrderFlags } from './layout.ts'
import type { Ppm, Ticks } from '../../money/brand.ts'
import { borrowModes } from '../command/margin.ts'
import type { ListMarket } from '../command/market.ts'
import { positionSides } from '../command/perp.ts'
import type { OrderExits } from '../command/perp.ts'
import { selfTradeModes, timesInForce } from '../command/spot.ts'
import type { OrderStrategy, SelfTradeMode, Side, TimeInForce, Trigger } from '../command/spot.ts'
import type { MarginOrder, PerpOrder } from '../event/index.ts'
import type { FeeTier, MarketTerms } from '../market.ts'
import * as at from './layout.ts'
import { integer } from './records.ts'
import { fittingCount, type Read, readAssetId, readLots, readPpm, readUnits, type Write } from './slots.ts'
import { decimalSlots, marketSymbolSlots, packText, unpackText } from './text.ts'

/** Position of a word in its list. Throws when it is not in the list. */
export function numberOf(list: readonly string[], word: string): number {
  const number = list.indexOf(word)
  if (number < 0) throw new Error(`${word} is not one of ${list.join(', ')}`)
  return number
}

/** Word at a position of its list. Throws outside the list. */
export function wordOf<T>(list: readonly T[], number: number): T {
  const word = list[number]
  if (word === undefined) throw new Error(`no word number ${number} in ${list.join(', ')}`)
  return word
}

export function flag(value: number, what: string): boolean {
  if (value !== 0 && value !== 1) throw new Error(`${what} is not a flag: ${value}`)
  return value === 1
}

export type OrderShape = {
  readonly side: Side
  readonly orderType: 'limit' | 'market'
  readonly timeInForce: TimeInForce
  readonly isPostOnly: boolean
  /** Set: an order of a margin account. */
  readonly margin?: MarginOrder
  /** Set: a Futures order. */
  readonly perp?: PerpOrder
}

/** Flags of an order, except those that say which fields are given. */
export function orderFlags(order: OrderShape, trigger: Trigger | undefined): number {
  let flags = order.orderType === 'market' ? at.MARKET_ORDER : 0
  if (order.side === 'sell') flags |= at.SELL
  flags |= numberOf(timesInForce, order.timeInForce) << at.TIF_SHIFT
  if (order.isPostOnly) flags |= at.POST_ONLY
  if (order.margin !== undefined) flags |= marginFlags(order.margin)
  if (order.perp !== undefined) flags |= perpFlags(order.perp)
  if (trigger === undefined) return flags
  if (trigger.direction === 'falls-to') flags |= at.FALLS
  if (trigger.kind === 'stop') return flags | at.STOP
  flags |= at.TRAILING
  if (trigger.activation !== undefined) flags |= at.HAS_ACTIVATION
  return flags
}

export function orderShape(flags: OrderFlags): OrderShape {
  return {
    side: (flags & at.SELL) !== 0 ? 'sell' : 'buy',
    orderType: (flags & at.MARKET_ORDER) !== 0 ? 'market' : 'limit',
    timeInForce: wordOf(timesInForce, (flags & at.TIF_MASK) >>> at.TIF_SHIFT),
    isPostOnly: (flags & at.POST_ONLY) !== 0,
    ...((flags & marginBits) === 0 ? {} : { margin: marginOrder(flags) }),
    ...((flags & at.POSITION_MASK) === 0 ? {} : { perp: perpOrder(flags) }),
  }
}

/** Self-trade bits of an order in a spot market. */
export function selfTradeFlags(mode: SelfTradeMode): number {
  const number = numberOf(selfTradeModes, mode)
  return ((number << at.SELF_TRADE_SHIFT) & at.SELF_TRADE_MASK) | ((number << at.DECREMENT_SHIFT) & at.DECREMENTS)
}

export function selfTradeMode(flags: OrderFlags): SelfTradeMode {
  return wordOf(selfTradeModes, ((flags & at.SELF_TRADE_MASK) >>> at.SELF_TRADE_SHIFT) | ((flags & at.DECREMENTS) >>> at.DECREMENT_SHIFT))
}

/** Self-trade mode of an order; absent for the default, `expire-taker`. */
export function selfTradeOf(flags: OrderFlags): { readonly selfTrade?: SelfTradeMode } {
  const isContract = (flags & at.POSITION_MASK) !== 0
  const mode = selfTradeMode((isContract ? flags & ~at.DECREMENTS : flags) as OrderFlags)
  return mode === 'expire-taker' ? {} : { selfTrade: mode }
}

/** The two slots of a strategy. */
export function writeStrategy({ id, type }: OrderStrategy, data: Float64Array, start: number): void {
  data[start] = id === undefined ? 0 : 1 + integer(id, 'strategy')
  data[start + 1] = type === undefined ? 0 : 1 + integer(type, 'strategy type')
}

/** Undefined when no strategy was given. */
export function readStrategy(id: number, type: number): OrderStrategy | undefined {
  if (id === 0 && type === 0) return undefined
  return { ...(id === 0 ? {} : { id: id - 1 }), ...(type === 0 ? {} : { type: type - 1 }) }
}

/** Bits of a margin account's order. */
export const marginBits = at.CROSS_MARGIN | at.ISOLATED_MARGIN | at.BORROW_MASK

export function marginFlags(order: MarginOrder): number {
  const account = order.account === 'margin-cross' ? at.CROSS_MARGIN : at.ISOLATED_MARGIN
  return account | (numberOf(borrowModes, order.borrow) << at.BORROW_SHIFT) | (order.repaysAtEnd === true ? at.REPAYS_AT_END : 0)
}

/** Throws when the flags name two accounts, or loans without an account. */
export function marginOrder(flags: OrderFlags): MarginOrder {
  const account = flags & (at.CROSS_MARGIN | at.ISOLATED_MARGIN)
  if (account !== at.CROSS_MARGIN && account !== at.ISOLATED_MARGIN) throw new Error(`order flags ${flags} name no single account`)
  const borrow = wordOf(borrowModes, (flags & at.BORROW_MASK) >>> at.BORROW_SHIFT)
  return {
    account: account === at.CROSS_MARGIN ? 'margin-cross' : 'margin-isolated',
    borrow,
    ...((flags & at.REPAYS_AT_END) === 0 ? {} : { repaysAtEnd: true as const }),
  }
}

function perpFlags(order: PerpOrder): number {
  let flags = (numberOf(positionSides, order.position) + 1) << at.POSITION_SHIFT
  if (order.isReduceOnly) flags |= at.REDUCE_ONLY
  if (order.isClosing) flags |= at.CLOSING
  if (order.triggerBy === 'mark') flags |= at.BY_MARK
  if (order.isLiquidation) flags |= at.LIQUIDATION
  return flags
}

function perpOrder(flags: OrderFlags): PerpOrder {
  return {
    position: wordOf(positionSides, ((flags & at.POSITION_MASK) >>> at.POSITION_SHIFT) - 1),
    isReduceOnly: (flags & at.REDUCE_ONLY) !== 0,
    isClosing: (flags & at.CLOSING) !== 0,
    triggerBy: (flags & at.BY_MARK) !== 0 ? 'mark' : 'last',
    isLiquidation: (flags & at.LIQUIDATION) !== 0,
  }
}

/** The three slots of an order's exits: take profit, stop loss, and bits that say which are given. */
export function writeExits(exits: OrderExits, data: Float64Array, start: number): void {
  const { takeProfit, stopLoss } = exits
  data[start] = integer(takeProfit?.price ?? 0, 'takeProfit')
  data[start + 1] = integer(stopLoss?.price ?? 0, 'stopLoss')
  let bits = 0
  if (takeProfit !== undefined) bits |= takeProfit.by === 'mark' ? at.HAS_TAKE_PROFIT | at.TAKE_PROFIT_BY_MARK : at.HAS_TAKE_PROFIT
  if (stopLoss !== undefined) bits |= stopLoss.by === 'mark' ? at.HAS_STOP_LOSS | at.STOP_LOSS_BY_MARK : at.HAS_STOP_LOSS
  data[start + 2] = bits
}

export function readExits(takeProfit: Ticks, stopLoss: Ticks, bits: number): OrderExits {
  const by = (bit: number) => ((bits & bit) === 0 ? 'last' : 'mark')
  return {
    ...((bits & at.HAS_TAKE_PROFIT) === 0 ? {} : { takeProfit: { price: takeProfit as Ticks, by: by(at.TAKE_PROFIT_BY_MARK) } }),
    ...((bits & at.HAS_STOP_LOSS) === 0 ? {} : { stopLoss: { price: stopLoss as Ticks, by: by(at.STOP_LOSS_BY_MARK) } }),
  }
}

/** First of the two slots of a trigger: the price of a stop, the trail of a trailing order; 0 without a trigger. */
export function triggerSlot(trigger: Trigger | undefined): number {
  if (trigger === undefined) return 0
  return integer(trigger.kind === 'stop' ? trigger.price : trigger.trailPpm, 'trigger')
}

/** Second slot of a trigger: the activation price of a trailing order, otherwise 0. */
export function activationSlot(trigger: Trigger | undefined): number {
  return trigger?.kind === 'trailing' && trigger.activation !== undefined ? integer(trigger.activation, 'activation') : 0
}

export function triggerOf(flags: OrderFlags, first: Ticks | Ppm, activation: Ticks): Trigger | undefined {
  const direction = (flags & at.FALLS) !== 0 ? 'falls-to' : 'rises-to'
  if ((flags & at.STOP) !== 0) return { kind: 'stop', price: first as Ticks, direction }
  if ((flags & at.TRAILING) === 0) return undefined
  const trail = { kind: 'trailing', trailPpm: first as Ppm, direction } as const
  return (flags & at.HAS_ACTIVATION) !== 0 ? { ...trail, activation: activation as Ticks } : trail
}

/** Fields of a command that lists a market of any product. */
type Listing = Omit<ListMarket, 'type'>

export const writeListing: Write<Listing> = (listing, data, start) => {
  packText(listing.symbol, data, start + at.LIST_SYMBOL, marketSymbolSlots)
  data[start + at.LIST_BASE] = integer(listing.base, 'base')
  data[start + at.LIST_QUOTE] = integer(listing.quote, 'quote')
  packText(listing.tick, data, start + at.LIST_TICK, decimalSlots)
  packText(listing.lot, data, start + at.LIST_LOT, decimalSlots)
  writeTerms(listing.terms, data, start + at.LIST_TERMS)
}

export const readListing: Read<Listing> = (data, start) => {
  return {
    symbol: unpackText(data, start + at.LIST_SYMBOL, marketSymbolSlots),
    base: readAssetId(data, start + at.LIST_BASE),
    quote: readAssetId(data, start + at.LIST_QUOTE),
    tick: unpackText(data, start + at.LIST_TICK, decimalSlots),
    lot: unpackText(data, start + at.LIST_LOT, decimalSlots),
    terms: readTerms(data, start + at.LIST_TERMS),
  }
}

export const writeTerms: Write<MarketTerms> = (terms, data, start) => {
  data[start] = integer(terms.makerFeePpm, 'makerFeePpm')
  data[start + 1] = integer(terms.takerFeePpm, 'takerFeePpm')
  data[start + 2] = integer(terms.notionalMin, 'notionalMin')
  data[start + 3] = integer(terms.lotsMin, 'lotsMin')
  data[start + 4] = integer(terms.lotsMax, 'lotsMax')
  data[start + 5] = integer(terms.bandPpm, 'bandPpm')
  data[start + 6] = integer(terms.slippagePpm, 'slippagePpm')
  data[start + 7] = integer(terms.openOrdersMax, 'openOrdersMax')
  data[start + 8] = terms.isTrading ? 1 : 0
}

export const readTerms: Read<MarketTerms> = (data, start) => {
  return {
    makerFeePpm: readPpm(data, start),
    takerFeePpm: readPpm(data, start + 1),
    notionalMin: readUnits(data, start + 2),
    lotsMin: readLots(data, start + 3),
    lotsMax: readLots(data, start + 4),
    bandPpm: readPpm(data, start + 5),
    slippagePpm: readPpm(data, start + 6),
    openOrdersMax: data[start + 7]!,
    isTrading: flag(data[start + 8]!, 'isTrading'),
  }
}

export function writeTiers(tiers: readonly FeeTier[], data: Float64Array, start: number): void {
  tiers.forEach((tier, i) => {
    const slot = start + i * at.TIER_SLOTS
    data[slot] = integer(tier.volumeMin, 'volumeMin')
    data[slot + 1] = integer(tier.makerPpm, 'makerPpm')
    data[slot + 2] = integer(tier.takerPpm, 'takerPpm')
  })
}

export function readTiers(data: Float64Array, start: number, count: number): FeeTier[] {
  return Array.from({ length: fittingCount(count, data, start - 1, at.TIER_SLOTS) }, (_, i) => {
    const slot = start + i * at.TIER_SLOTS
    return { volumeMin: data[slot], makerPpm: data[slot + 1], takerPpm: data[slot + 2] } as FeeTier
  })
}
