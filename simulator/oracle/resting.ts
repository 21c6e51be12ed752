/** A customer's own pause: what spends USDT is refused, and cancelled when it begins. */
import type { Side } from '@candor/core/protocol/command/spot.ts'
import { close, payingAsset } from './matching.ts'
import { siblingOf } from './needs.ts'
import type { Order, OracleState, Venue } from './state.ts'

/** Whether an order of this side would spend USDT in this market, and its owner rests. */
export function isBarred(state: OracleState, user: number, venue: Venue, side: Side): boolean {
  return isResting(state, user) && spendsUsdt(state, venue, side)
}

export function isResting(state: OracleState, user: number): boolean {
  return state.at < (state.users[user - 1]?.restUntil ?? 0)
}

export function spendsUsdt(state: OracleState, venue: Venue, side: Side): boolean {
  return state.assets[payingAsset(venue, side) - 1]?.symbol === 'USDT'
}

/** Closes a woken order whose owner rests, with the other leg of its list. It must hold nothing. Returns whether it did. */
export function endResting(state: OracleState, venue: Venue, order: Order): boolean {
  if (!isBarred(state, order.user, venue, order.side)) return false
  const sibling = siblingOf(state, order)
  close(state, order, 'resting')
  if (sibling !== undefined) close(state, sibling, 'oco')
  return true
}
