import type { Row } from '../../ledger/row.ts'
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { AssetId, OrderId, UserId } from '../../protocol/ids.ts'
import type { Lots, Ticks, Units } from '../../money/brand.ts'
import type { SideNumber } from '../../book/codes.ts'
import * as codes from '../../book/codes.ts'
import * as desks from '../state/desks.ts'
import * as layout from '../../protocol/codec/layout.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { BUY } = codes
const { ANY_MARGIN } = desks
const { BORROW_MASK, REPAYS_AT_END } = layout

export const MARGIN_ORDER = ANY_MARGIN | BORROW_MASK | REPAYS_AT_END

/** Row of an asset in the account that an order belongs to. */
export function orderRow(x: State, venue: Venue, user: UserId, flags: OrderFlags, asset: AssetId): Row {
  return (flags & ANY_MARGIN) === 0 ? x.ledger.spotRow(user, asset) : x.desks.margin.row(x, venue, user, flags, asset)
}

/** Row of the account that an order of this side holds from; the shared empty row when there is no such spot account. */
export function payingRow(x: State, venue: Venue, side: SideNumber, user: UserId, flags: OrderFlags): Row {
  const asset = side === BUY ? venue.quote : venue.base
  return (flags & ANY_MARGIN) === 0 ? x.ledger.findSpot(user, asset) : x.desks.margin.row(x, venue, user, flags, asset)
}

/**
 * Whether an order's account can pay its hold or spending. A margin account may borrow it, and may not trade too far from the
 * index. `price` 0: the order sleeps and is judged when it wakes.
 */
export function checkFunds(
  x: State,
  venue: Venue,
  side: SideNumber,
  user: UserId,
  flags: OrderFlags,
  need: Units,
  price: Ticks,
  lots: Lots,
): Refusal | undefined {
  if ((flags & MARGIN_ORDER) !== 0) return x.desks.margin.check(x, venue, user, flags, need, price, lots)
  return x.ledger.available(payingRow(x, venue, side, user, 0 as OrderFlags)) < need ? 'INSUFFICIENT_BALANCE' : undefined
}

/** Borrows the missing amount for a margin order, if it asks for that. Already checked. */
export function fundOrder(x: State, venue: Venue, user: UserId, flags: OrderFlags, need: Units, order: OrderId): void {
  if ((flags & ANY_MARGIN) !== 0) x.desks.margin.fund(x, venue, user, flags, need, order)
}

/**
 * Worst price of a market order for `lots`, or for as many of them as `spend` quote units move (0: no such limit). In a margin
 * account the price also stays near the index and leaves the account healthy enough; 0: it may trade nothing now.
 */
export function marketLimit(
  x: State,
  venue: Venue,
  side: SideNumber,
  user: UserId,
  flags: OrderFlags,
  lots: Lots,
  spend: Units,
  worst: Ticks,
): Ticks {
  return (flags & ANY_MARGIN) === 0 ? worst : x.desks.margin.limit(x, venue, side, user, flags, lots, spend, worst)
}

/** The flags without those of loans, for an order that wakes up and already has its loan. */
export function withoutLoan(flags: OrderFlags): OrderFlags {
  return (flags & ~BORROW_MASK) as OrderFlags
}

/** Whether a limit order that wakes up may trade at its price. */
export function mayAct(x: State, venue: Venue, user: UserId, flags: OrderFlags, price: Ticks, lots: Lots): boolean {
  return (flags & ANY_MARGIN) === 0 || x.desks.margin.mayAct(x, venue, user, flags, price, lots)
}
