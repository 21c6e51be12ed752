import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { SideNumber } from '../../book/codes.ts'
import type { Lots, Ticks, Units } from '../../money/brand.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import type { MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as writers from '../../protocol/codec/event-write.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'
import { actAsLimit } from './act.ts'
import { discard, reasonNumber } from './close.ts'
import { enter } from './enter.ts'
import { mayAct, payingRow } from './funds.ts'
import { closeParked, park, returnParked } from './legs.ts'
import { actAsMarket, isBarredByRest, retriesDueAtMs, tryNext } from './retry.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeTriggered } = writers
const { CHAINED, F, FLAGS, I, ID, LEFT, LISTED, MARKET, OWNER, PENDING, PRICE, SLOT, WAKING } = fields
const { MARKET_ORDER, SELL } = layout

const MARGIN = reasonNumber('margin')
const RESTING = reasonNumber('resting')

/** Largest number of waiting orders, in all markets, that one command lets act. The others follow with the next commands. */
export const wakesMax = 32

/**
 * Lets triggered orders act and tries waiting market orders again, alternating, up to the limit of one command. They can trigger
 * others.
 */
export function wakeSome(x: State): void {
  let acted = 0
  while (acted < wakesMax) {
    const order = (x.wakes.count === 0 ? 0 : x.wakes.next((market) => x.atMs >= opensAtMs(x, market))) as OrderId
    if (order !== 0) wakeOne(x, x.orders.find(order) as OrderSlot)
    const tries = x.retries.left > 0
    if (tries) tryNext(x)
    if (order === 0 && !tries) return
    acted += (order === 0 ? 0 : 1) + (tries ? 1 : 0)
  }
}

/** Time from which triggered orders of spot markets have something to do; Infinity if never. */
export function wakesDueAtMs(x: State): number {
  let due = retriesDueAtMs(x)
  for (const market of x.wakes.markets()) due = Math.min(due, Math.max(x.atMs, opensAtMs(x, market as MarketId)))
  return due
}

/** Futures orders check themselves whether they may act. */
function opensAtMs(x: State, market: MarketId): number {
  const venue = x.venues[market]!
  return venue.isSpot ? venue.opensAtMs : 0
}

function wakeOne(x: State, slot: OrderSlot): void {
  const venue = x.venues[x.orders.f[(slot & SLOT) * F + MARKET]!]!
  if (!venue.isSpot) x.desks.perp.wake(x, slot)
  else if ((x.orders.i[(slot & SLOT) * I + FLAGS]! & CHAINED) !== 0) enter(x, venue, slot)
  else wake(x, venue, slot)
}

function wake(x: State, venue: Venue, slot: OrderSlot): void {
  const { orders, ledger } = x
  const { f, i } = orders
  const user = i[(slot & SLOT) * I + OWNER] as UserId
  const flags = (i[(slot & SLOT) * I + FLAGS]! & ~(PENDING | WAKING)) as OrderFlags
  const extra = orders.extra(slot)
  writeTriggered(x.events, f[(slot & SLOT) * F + ID] as OrderId, user, venue.id)
  const parked = extra.sibling
  if (parked >= 0) extra.held = (extra.held + park(x, venue, parked)) as Units
  i[(slot & SLOT) * I + FLAGS] = flags
  const { held } = extra
  extra.held = 0 as Units
  if (held > 0) ledger.release(payingRow(x, venue, (flags & SELL) as SideNumber, user, flags), held)
  if ((flags & MARKET_ORDER) !== 0) return actAsMarket(x, venue, slot, held)
  i[(slot & SLOT) * I + FLAGS] = flags & ~LISTED
  extra.sibling = -1 as OrderSlot
  if (isBarredByRest(x, venue, slot)) {
    discard(x, venue, slot, RESTING)
    if (parked >= 0) closeParked(x, venue, parked)
    return
  }
  const mayTrade = mayAct(x, venue, user, flags, f[(slot & SLOT) * F + PRICE] as Ticks, f[(slot & SLOT) * F + LEFT] as Lots)
  if (!mayTrade) discard(x, venue, slot, MARGIN)
  const isUnfilled = !mayTrade || actAsLimit(x, venue, slot)
  if (parked < 0) return
  if (isUnfilled) returnParked(x, venue, parked, held)
  else closeParked(x, venue, parked)
}
