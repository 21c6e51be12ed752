/** Terms that few orders have: a date until which they are good, and a price taken from the book. */
import type { LevelPlace, SideNumber } from '../../../book/codes.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import type { Lots, Ticks } from '../../../money/brand.ts'
import * as fields from '../../../book/order-fields.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import * as writers from '../../../protocol/codec/event-write.ts'
import { appendEnd } from '../../../protocol/codec/perp-write.ts'
import { goodForMinMs, goodTillMax, priceMatches } from '../../../protocol/command/perp.ts'
import { type Read, readMillis } from '../../../protocol/codec/slots.ts'
import type { MatchNumber, OrderId, UserId } from '../../../protocol/ids.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import type { State } from '../../state/state.ts'
import type { OrderTerms } from '../records/deadlines.ts'
import type { Contract, Holding } from '../records/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeAmended } = writers
const { EXECUTED_LOTS, F, ID, LEFT, PRICE } = fields
const { HAS_EXITS, HAS_PRICE, MARKET_ORDER, PLACE_GOOD_TILL, PLACE_MATCH, POST_ONLY, SELL, TIF_MASK } = layout

/** Level of the book, counted from 1, of each of `priceMatches`. */
const levelOf = priceMatches.map((match) => Number(match.split('-')[1] ?? 1) as LevelPlace)
const isOwnSide = priceMatches.map((match) => match.startsWith('queue'))

/** The terms of a command that has them. */
export const termsAt: Read<OrderTerms> = (data, start) => ({
  goodTill: readMillis(data, start + PLACE_GOOD_TILL),
  match: data[start + PLACE_MATCH] as MatchNumber,
})

/** Fields that an order with terms must have, must not have, or must not combine. Only a GTC limit order expires at a date. */
export function checkTerms(flags: OrderFlags, { goodTill, match }: OrderTerms): Refusal | undefined {
  if ((goodTill === 0 && match === 0) || (flags & MARKET_ORDER) !== 0 || match > priceMatches.length) return 'ORDER_TYPE_INVALID'
  if (match !== 0 && (flags & HAS_PRICE) !== 0) return 'ORDER_TYPE_INVALID'
  return goodTill !== 0 && (flags & (TIF_MASK | POST_ONLY)) !== 0 ? 'ORDER_TYPE_INVALID' : undefined
}

/** Whether the date of an order is neither too near nor too far. */
export function checkGoodTill(x: State, terms: OrderTerms | undefined): Refusal | undefined {
  if (terms === undefined || terms.goodTill === 0) return undefined
  return terms.goodTill > x.atMs + goodForMinMs && terms.goodTill < goodTillMax ? undefined : 'TIME_OUT_OF_RANGE'
}

/** The price that the book gives an order of a side now; 0 when it has no such level. `match`: 1 + the number in `priceMatches`. */
export function matchedPrice({ venue }: Contract, side: SideNumber, match: MatchNumber): Ticks {
  const from = isOwnSide[match - 1] === true ? side : ((1 - side) as SideNumber)
  return venue.book.levelPrice(from, levelOf[match - 1]!)
}

/** Adds the terms of a command to `order.accepted`, which must be the last event written. The order keeps them until it leaves the core. */
export function keepTerms(x: State, order: OrderId, flags: OrderFlags, { user, market }: Holding, terms: OrderTerms | undefined): void {
  if (terms === undefined) return
  x.perp.deadlines.keep(order, terms, user, market)
  appendEnd(x.events, (flags & HAS_EXITS) !== 0, terms.goodTill, terms.match)
}

/**
 * Gives a woken order that has no price of its own the one that the book shows now. Returns whether the book has one; true for every
 * other order.
 */
export function takePrice(x: State, contract: Contract, slot: OrderSlot, flags: OrderFlags): boolean {
  const { f, i } = x.orders
  const at = slot * F
  const match = x.perp.deadlines.termsOf(f[at + ID] as OrderId)?.match
  if (match === undefined || match === 0) return true
  const price = matchedPrice(contract, (flags & SELL) as SideNumber, match)
  if (price === 0) return false
  f[at + PRICE] = price
  const lots = (f[at + LEFT]! + f[at + EXECUTED_LOTS]!) as Lots
  writeAmended(x.events, f[at + ID] as OrderId, i[slot * fields.I + fields.OWNER] as UserId, contract.id, price, lots, 0)
  return true
}
