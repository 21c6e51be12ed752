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

/**
 * Distances of the numbers of a list's orders from the list's own number, in the order working, profit, loss. They tell the kind of
 * a list, and an order's part in it, wherever an order is stored with its list: never change them.
 */
export const listOffsets = { oco: [1, 2], oto: [3, 4], otoco: [5, 6, 7] } as const
export type ListKind = keyof typeof listOffsets
export const listOffsetMax = 7

/** What a number says about an order of a list. */
type Numbers = { readonly order: OrderId; readonly list: OrderId }

/** Undefined for an order of no list. */
export function listKindOf({ order, list }: Numbers): ListKind | undefined {
  if (list === 0 || order <= list || order > list + listOffsetMax) return undefined
  const offset = order - list
  return offset < listOffsets.oto[0] ? 'oco' : offset < listOffsets.otoco[0] ? 'oto' : 'otoco'
}

/** Numbers of the orders of a list: working, profit, loss, as far as its kind has them. */
export function ordersOfList(kind: ListKind, list: OrderId): readonly OrderId[] {
  return listOffsets[kind].map((offset) => (list + offset) as OrderId)
}

/** Number of the working order for which an order of a list has to wait; undefined when it does not wait for another. */
export function workingOf(numbers: Numbers): OrderId | undefined {
  const kind = listKindOf(numbers)
  if (kind === undefined || kind === 'oco') return undefined
  const working = (numbers.list + listOffsets[kind][0]) as OrderId
  return numbers.order === working ? undefined : working
}

/** Whether an order has to wait for another of its list when it is placed. Futures orders use the number of a list otherwise. */
export function startsWaiting(order: Numbers & { readonly perp?: unknown }): boolean {
  return order.perp === undefined && workingOf(order) !== undefined
}

/** Number of the other leg of a pair; 0 for an order that is not in a pair. */
export function pairedWith(numbers: Numbers): OrderId | 0 {
  const kind = listKindOf(numbers)
  if (kind === undefined || kind === 'oto') return 0
  const [profit, loss] = kind === 'oco' ? listOffsets.oco : [listOffsets.otoco[1], listOffsets.otoco[2]]
  const offset = numbers.order - numbers.list
  return offset === profit ? ((numbers.list + loss) as OrderId) : offset === loss ? ((numbers.list + profit) as OrderId) : 0
}
