import type { Lots, Ticks } from '../../money/brand.ts'
import type { ClientId, MarketId, OrderId, UserId } from '../ids.ts'
import type { SelfTradeMode, Side, TimeInForce, Trigger } from './order.ts'

/** An order of a list, with the fields of `spot.place`. */
export type ListedOrder = {
  /** Empty for none. */
  readonly clientId: ClientId
  readonly side: Side
  readonly orderType: 'limit' | 'market'
  readonly timeInForce: TimeInForce
  readonly price?: Ticks
  readonly lots: Lots
  readonly isPostOnly: boolean
  readonly display?: Lots
  readonly trigger?: Trigger
}

/**
 * Orders of the spot account that depend on each other:
 *
 * OTO     `working` and one leg: the leg waits, without a hold, until the working order is filled completely, and then enters
 * OTOCO   `working` and two legs, which are a pair when they enter
 * OCO     two legs: a pair at once, one of which cancels the other
 *
 * The working order is a limit order without a trigger. The legs of a pair have the same side and quantity; the first takes a
 * profit, the second is a stop against a loss. A pair has one hold, that of its larger leg.
 */
export type PlaceList = {
  readonly type: 'spot.placeList'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly working?: ListedOrder
  readonly legs: readonly [ListedOrder] | readonly [ListedOrder, ListedOrder]
  readonly selfTrade: SelfTradeMode
}

/** Parts that an order of a list can have: a leg of a pair that was placed as such, or a part of an OTO or OTOCO. */
export type ListPart = 'profit' | 'loss' | 'working' | 'waiting'

const parts: readonly (ListPart | undefined)[] = [undefined, 'profit', 'loss', 'working', 'waiting', 'waiting']

/** Distance of an order's number from that of its list, by part. Part of the meaning of numbers on disk: never change. */
export const workingOffset = 3
export const waitingOffset = 4
/** The largest distance. */
export const listOffsetMax = 5

/** The part of an order in its list, which its number tells; undefined for an order of no list. */
export function partOf({ order, list }: { readonly order: OrderId; readonly list: OrderId }): ListPart | undefined {
  return list === 0 ? undefined : parts[order - list]
}
