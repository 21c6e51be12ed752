/** Tells which matches self-trade prevention did not let happen. Orders that meet nobody of their own come here never. */
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { OrderId, PreventedMatchId, UserId } from '../../protocol/ids.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import type { Lots, Ticks } from '../../money/brand.ts'
import * as codes from '../../book/codes.ts'
import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as writers from '../../protocol/codec/event-write.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { DECREMENT, EXPIRE_BOTH, EXPIRE_MAKER, EXPIRE_TAKER, SELF_EXPIRED } = codes
const { F, I, ID, OWNER, PRICE, SLOT } = fields
const { HAS_SPEND } = layout
const { writeMatchPrevented } = writers

/** A step of a match in which a maker of the taker's user lost lots. */
export type OwnMaker = { readonly slot: OrderSlot; readonly price: Ticks; readonly lots: Lots; readonly kind: number }

type Lost = { readonly mode: number; readonly price: Ticks; readonly makerLots: Lots; readonly takerLots: Lots }

/** Tells of a maker that loses lots. It must not have been discarded yet. `flags`: the taker's. */
export function tellPrevented(x: State, venue: Venue, own: OwnMaker, taker: OrderId, flags: OrderFlags): void {
  const { slot, price, lots: makerLots, kind } = own
  const { isSelfStopped } = venue.book
  if (kind !== SELF_EXPIRED) tell(x, venue, slot, taker, { mode: DECREMENT, price, makerLots, takerLots: makerLots })
  else if (isSelfStopped) tell(x, venue, slot, taker, { mode: EXPIRE_BOTH, price, makerLots, takerLots: lotsLost(venue, price, flags) })
  else tell(x, venue, slot, taker, { mode: EXPIRE_MAKER, price, makerLots, takerLots: 0 as Lots })
}

/** Tells of the maker at which a taker with `expire-taker` stopped. It stays in the book. */
export function tellStopped(x: State, venue: Venue, taker: OrderId, flags: OrderFlags): void {
  const { ownSlot } = venue.book
  const price = x.orders.f[(ownSlot & SLOT) * F + PRICE] as Ticks
  tell(x, venue, ownSlot, taker, { mode: EXPIRE_TAKER, price, makerLots: 0 as Lots, takerLots: lotsLost(venue, price, flags) })
}

/** What a taker that ends at an order of its own user had left; of an order by amount, what it could still pay for, rounded down. */
function lotsLost({ book }: Venue, price: Ticks, flags: OrderFlags): Lots {
  const { ownBudget, ownLots } = book
  return (flags & HAS_SPEND) === 0 ? ownLots : (Math.min(ownLots, Math.floor(ownBudget / price)) as Lots)
}

function tell(x: State, venue: Venue, slot: OrderSlot, takerOrder: OrderId, lost: Lost): void {
  const user = x.orders.i[(slot & SLOT) * I + OWNER] as UserId
  const makerOrder = x.orders.f[(slot & SLOT) * F + ID] as OrderId
  const match = ++venue.lastPrevented as PreventedMatchId
  writeMatchPrevented(x.events, { market: venue.id, match, user, makerOrder, takerOrder, ...lost })
}
