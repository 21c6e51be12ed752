import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import { endedPerpOrders } from '../../store/query/programs/perp-orders.ts'
import { Refused } from '../../refused.ts'
import type { Context } from '../context.ts'
import type { ListedMarket } from '../../live/listing.ts'
import { type OrderState, stateOf } from '../../live/orders.ts'
import type { ApiUser } from '../key-ring.ts'
import { isAlgo, isAwake } from './order-view.ts'
import { stateOfRow, submit } from './orders.ts'

/** Futures orders that are active, oldest first. */
export async function waking(context: Context, user: UserId, market?: ListedMarket): Promise<readonly OrderState[]> {
  return (await open(context, user, market)).filter(isAwake)
}

/** Futures orders that wait for their trigger, oldest first. */
export async function sleeping(context: Context, user: UserId, market?: ListedMarket): Promise<readonly OrderState[]> {
  return (await open(context, user, market)).filter((order) => !isAwake(order))
}

async function open(context: Context, user: UserId, market?: ListedMarket): Promise<readonly OrderState[]> {
  const orders = await context.ask.openOrders(user, market?.market.id)
  return orders
    .filter((order) => order.perp !== undefined)
    .map(stateOf)
    .sort((a, b) => a.order - b.order)
}

export type OrderRange = {
  readonly fromId?: OrderId | undefined
  readonly start?: number | undefined
  readonly end?: number | undefined
  readonly limit: number
}

/**
 * Orders of a user in one Futures market, open and ended, oldest first: from a number or a time on the oldest, without both the
 * newest. Conditional orders have a list of their own; triggered ones are in both lists.
 */
export async function ordersIn(
  context: Context,
  user: UserId,
  market: ListedMarket,
  range: OrderRange,
  isConditional: boolean,
): Promise<readonly OrderState[]> {
  const { fromId = 0, start = 0, end = Number.MAX_SAFE_INTEGER, limit } = range
  const live = await open(context, user, market)
  await context.freshness.settled(user)
  const rows = await endedPerpOrders(context.pool, user, { ...range, market: market.market.id, isConditional })
  const orders = new Map<OrderId, OrderState>()
  for (const order of live) if (order.order >= fromId && order.placedAt >= start && order.placedAt <= end) orders.set(order.order, order)
  for (const row of rows) orders.set(row.id as OrderId, context.orders.get(row.id as OrderId) ?? stateOfRow(market, user, row))
  const found = [...orders.values()].filter((order) => (isConditional ? isAlgo(order) : isAwake(order))).sort((a, b) => a.order - b.order)
  return range.fromId === undefined && range.start === undefined ? found.slice(-limit) : found.slice(0, limit)
}

/** Cancels each of these orders; those that ended meanwhile are skipped. throws  Refused */
export async function cancelAllOf(context: Context, user: ApiUser, market: ListedMarket, orders: readonly OrderState[]): Promise<void> {
  const cancelled = orders.map(({ order }) =>
    submit(context, user, { type: 'perp.cancel', user: user.user, clientId: '', market: market.market.id, order, orderClientId: '' }).catch(
      (error: unknown) => {
        if (!(error instanceof Refused) || error.refusal !== 'ORDER_UNKNOWN') throw error
        return undefined
      },
    ),
  )
  const outcomes = await Promise.all(cancelled)
  await context.followed.reached(Math.max(0, ...outcomes.map((outcome) => outcome?.seq ?? 0)))
}
