import type { MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import * as fields from '../../book/order-fields.ts'
import type { Lots, Units } from '../../money/brand.ts'
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import * as layout from '../../protocol/codec/layout.ts'
import { lengthOf } from '../../protocol/codec/records.ts'
import { cancelScopes } from '../../protocol/command/spot.ts'
import { endTwapsOf } from '../algo/records/end.ts'
import * as desks from '../state/desks.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State, Sweep } from '../state/state.ts'
import { opensRisk } from './checks.ts'
import { cancel, reasonNumber } from './close.ts'
import { isOverTurnover } from './turnover.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { F, FLAGS, I, ID, LEFT, MARKET, OWNER, USER_NEXT } = fields
const { CANCEL_ALL_TWAPS, CANCEL_ALL_MARKET, CANCEL_ALL_ONLY, CLOSING, REDUCE_ONLY, USER } = layout
const { ANY_MARGIN } = desks

const SPOT = cancelScopes.indexOf('spot')
const MARGIN = cancelScopes.indexOf('margin')
const ANY = -1
const noSlot = -1 as OrderSlot
/** Orders of all markets that open risk. Only in sweeps of a pause. */
const RISK = 2
/** Orders of the spot account, until the turnover limit holds. Only in sweeps of a lost certificate. */
const MUCH = 3
const TURNOVER = reasonNumber('turnover')
const RESTING = reasonNumber('resting')

/** Largest number of orders that one command cancels. */
export const cancelsMax = 200

/** `spot.cancelAll`: cancels the user's orders, oldest first. The rest of a long list is left to clock ticks. */
export function cancelAll(x: State, data: Float64Array, start: number): Refusal | undefined {
  const market = data[start + CANCEL_ALL_MARKET] as MarketId
  if (market !== 0 && x.venue(market) === undefined) return 'MARKET_UNKNOWN'
  const user = data[start + USER] as UserId
  const length = lengthOf(data[start]!)
  const only = length > CANCEL_ALL_ONLY ? data[start + CANCEL_ALL_ONLY]! - 1 : ANY
  const sweep = { user, market, only, upTo: x.lastOrder }
  if (length > CANCEL_ALL_TWAPS) endTwapsOf(x, user, market, 'cancelled')
  if (!sweepSome(x, sweep)) x.sweeps.push(sweep)
  return undefined
}

/** Cancels the user's orders that open risk, because the user rests. */
export function sweepRisk(x: State, user: UserId): void {
  const sweep = { user, market: 0 as MarketId, only: RISK, upTo: x.lastOrder }
  if (!sweepSome(x, sweep)) x.sweeps.push(sweep)
}

/** Cancels a capped user's oldest spot orders until the turnover limit holds again. */
export function sweepTurnover(x: State, user: UserId): void {
  const sweep = { user, market: 0 as MarketId, only: MUCH, upTo: x.lastOrder }
  if (!sweepSome(x, sweep)) x.sweeps.push(sweep)
}

/** Continues cancels that `spot.cancelAll` left. */
export function sweepOn(x: State): void {
  const sweep = x.sweeps[0]
  if (sweep !== undefined && sweepSome(x, sweep)) x.sweeps.shift()
}

/** Returns whether nothing is left. Orders placed after the command are not affected. */
function sweepSome(x: State, sweep: Sweep): boolean {
  const { orders } = x
  const { f, i } = orders
  const numbers: number[] = []
  // Only the orders concerned are sorted, so thousands of other orders of the user cost little.
  for (let slot = orders.firstOf(sweep.user); slot >= 0; slot = i[slot * I + USER_NEXT]!) {
    const isMeant = (sweep.market === 0 || f[slot * F + MARKET] === sweep.market) && isInSweep(x, sweep.only, slot as OrderSlot)
    if (isMeant && f[slot * F + ID]! <= sweep.upTo) numbers.push(f[slot * F + ID]!)
  }
  numbers.sort((a, b) => a - b)
  for (const number of numbers.slice(0, cancelsMax)) {
    if (sweep.only === MUCH && !isOverTurnover(x, sweep.user, 0 as Units, noSlot)) return true
    // The other leg of an OCO may have gone with the first one.
    const slot = orders.find(number as OrderId) as OrderSlot
    if (slot < 0) continue
    const venue = x.venues[orders.f[slot * F + MARKET]!]!
    // Without an older one, an order may only reduce.
    if (sweep.only === RISK && isRisky(x, slot)) cancel(x, venue, slot, RESTING)
    if (sweep.only === MUCH) cancel(x, venue, slot, TURNOVER)
    if (sweep.only !== RISK && sweep.only !== MUCH) cancel(x, venue, slot)
  }
  return numbers.length <= cancelsMax
}

/** Whether a sweep with this scope concerns an order. */
function isInSweep(x: State, only: Sweep['only'], slot: OrderSlot): boolean {
  if (only === ANY) return true
  return only === RISK ? isRisky(x, slot) : scopeOf(x, slot) === (only === MUCH ? SPOT : only)
}

/** Whether an order may open a position, spend USDT, or enlarge what a margin account owes or owns. */
function isRisky(x: State, slot: OrderSlot): boolean {
  const { f, i } = x.orders
  const venue = x.venues[f[slot * F + MARKET]!]!
  const flags = i[slot * I + FLAGS] as OrderFlags
  if (!venue.isSpot) return (flags & (REDUCE_ONLY | CLOSING)) === 0
  return opensRisk(x, venue, i[slot * I + OWNER] as UserId, flags, f[slot * F + LEFT] as Lots, slot)
}

/** The scope of an order's account; Futures orders have neither scope. */
function scopeOf(x: State, slot: OrderSlot): number {
  if (x.venues[x.orders.f[slot * F + MARKET]!]!.market.perp !== undefined) return ANY
  return (x.orders.i[slot * I + FLAGS]! & ANY_MARGIN) === 0 ? SPOT : MARGIN
}
