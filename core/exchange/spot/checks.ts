import type { UserId } from '../../protocol/ids.ts'
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { Lots, Ticks, Units } from '../../money/brand.ts'
import type { SideNumber } from '../../book/codes.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import * as codes from '../../book/codes.ts'
import * as layout from '../../protocol/codec/layout.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { givenBy } from '../../risk/opening.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'
import * as funds from './funds.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { FOK, HAS_DISPLAY, HAS_LOTS, HAS_PRICE, HAS_SPEND, POST_ONLY, SELL, TIF_MASK } = layout
const { MARGIN_ORDER } = funds
const { BUY } = codes

/** Largest number of lots that an amount can move: when selling, as many as it could need; when buying, as many as the terms allow. */
export function lotsOfSpend(venue: Venue, side: SideNumber, spend: Units, worst: Ticks): Lots {
  const { lotsMax } = venue.market.terms
  if (side === BUY || worst === 0) return lotsMax
  return Math.min(lotsMax, Math.floor(spend / (worst * venue.quotePerTickLot))) as Lots
}

/** Fields that a limit order must not have, must have, or must not combine. */
export function checkShape(flags: OrderFlags): Refusal | undefined {
  if ((flags & (HAS_PRICE | HAS_LOTS)) !== (HAS_PRICE | HAS_LOTS) || (flags & HAS_SPEND) !== 0) return 'ORDER_TYPE_INVALID'
  const isImmediate = (flags & TIF_MASK) !== 0
  return isImmediate && (flags & (POST_ONLY | HAS_DISPLAY)) !== 0 ? 'ORDER_TYPE_INVALID' : undefined
}

/** Fields of a market order: lots or an amount, nothing else. It is always immediate-or-cancel, stated or not. */
export function checkMarketShape(flags: OrderFlags): Refusal | undefined {
  const isByLots = (flags & HAS_LOTS) !== 0
  const isBySpend = (flags & HAS_SPEND) !== 0
  if (isByLots === isBySpend || (flags & TIF_MASK) === FOK) return 'ORDER_TYPE_INVALID'
  return (flags & (HAS_PRICE | HAS_DISPLAY | POST_ONLY)) !== 0 ? 'ORDER_TYPE_INVALID' : undefined
}

/** Largest number of parts of an iceberg. Each is a fill, so this bounds the work and the events of one order. */
export const icebergPartsMax = 100

/** Whether the shown part is too small compared to the whole order. */
export function hasTooManyParts(lots: Lots, display: number): boolean {
  return display * icebergPartsMax < lots
}

/** An iceberg must show less than the whole. */
export function checkDisplay(flags: OrderFlags, lots: Lots, display: number): Refusal | undefined {
  if ((flags & HAS_DISPLAY) === 0) return undefined
  return display < lots && !hasTooManyParts(lots, display) ? undefined : 'DISPLAY_INVALID'
}

/** Whether an order that may trade gives USDT, or is one of a margin account that does more than reduce. `slot`: see `MarginDesk`. */
export function opensRisk(x: State, venue: Venue, user: UserId, flags: OrderFlags, lots: Lots, slot: OrderSlot): boolean {
  if ((flags & MARGIN_ORDER) !== 0) return !x.desks.margin.reduces(x, venue, user, flags, lots, slot)
  return givenBy(venue, (flags & SELL) !== 0) === x.usdt
}

/** Whether this user would have too many orders in this market with `more` added. Sleeping orders count. */
export function hasTooMany(x: State, venue: Venue, user: UserId, more: number): boolean {
  const max = venue.market.terms.openOrdersMax - more
  return x.orders.countOf(user) > max && x.orders.countIn(user, venue.id) > max
}
