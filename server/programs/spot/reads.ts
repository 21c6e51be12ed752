import { pairedWith } from '@candor/core/protocol/command/order-list.ts'
import type { MarketId, OrderId, TradeId } from '@candor/core/protocol/ids.ts'
import { fillsIn } from '../../store/query/programs/fills.ts'
import { closedOrders, type OrderAccount } from '../../store/query/programs/orders.ts'
import type { Context } from '../context.ts'
import type { OrderState } from '../../live/orders.ts'
import { badCombination } from '../errors.ts'
import type { ApiUser } from '../key-ring.ts'
import * as param from '../params.ts'
import { accountOf, type Desk } from './desk.ts'
import { findOrder, siblingsOf, stateOfOpen, stateOfRow, withSibling } from './find.ts'
import { noList, queriedOrder } from './order-view.ts'
import { checkDay, checkWhich, symbol, whichParams } from './params.ts'
import { noSuchOrder } from './refusals.ts'

/** One order. throws  ApiError -2013 */
export async function queryOrder(
  { context, names }: Desk,
  { user }: ApiUser,
  values: param.Values<typeof whichParams>,
  account: OrderAccount = 'spot',
): Promise<object> {
  checkWhich(values)
  const found = await findOrder(context, user, names.market(values.symbol), account, values)
  if (!found) throw noSuchOrder()
  const { order, sibling } = await withSibling(context, found)
  return queriedOrder(context.listing, order, sibling)
}

/** Orders of an account that wait or rest in the book, oldest first; market `undefined`: of all markets. */
export async function openOrders(
  { context, names }: Desk,
  { user }: ApiUser,
  name: string | undefined,
  account: OrderAccount = 'spot',
): Promise<readonly object[]> {
  const market = name === undefined ? undefined : names.market(name).market.id
  const open = await openStates(context, user, market, account)
  return open.map((state) => queriedOrder(context.listing, state))
}

/** Open orders from the core, with the times that only memory has. */
async function openStates(
  context: Context,
  user: ApiUser['user'],
  market: MarketId | undefined,
  account: OrderAccount,
): Promise<readonly OrderState[]> {
  const open = await context.ask.openOrders(user, market)
  return open
    .filter((order) => context.listing.kindOf(order.market) === 'spot' && accountOf(order) === account)
    .map((order) => {
      const { triggeredAt, enteredAt } = context.orders.get(order.order) ?? {}
      return {
        ...stateOfOpen(order),
        ...(triggeredAt === undefined ? {} : { triggeredAt }),
        ...(enteredAt === undefined ? {} : { enteredAt }),
      }
    })
    .toSorted((a, b) => a.order - b.order)
}

export const allOrdersParams = {
  symbol,
  orderId: param.id,
  startTime: param.millis,
  endTime: param.millis,
  limit: param.limit(500, 1_000),
} as const

/** Orders of an account in one market, open or not, oldest first. throws  ApiError -1127 */
export async function allOrders(
  { context, names }: Desk,
  { user }: ApiUser,
  { symbol: name, orderId, startTime, endTime, limit }: param.Values<typeof allOrdersParams>,
  account: OrderAccount = 'spot',
): Promise<readonly object[]> {
  checkDay(startTime, endTime)
  const { market } = names.market(name)
  const open = await openStates(context, user, market.id, account)
  await context.freshness.settled(user)
  const range = { fromId: orderId as OrderId | undefined, start: startTime, end: endTime, limit }
  const closed = await closedOrders(context.pool, user, market.symbol, account, range)
  const states = new Map(open.filter((order) => isIn(order, orderId, startTime, endTime)).map((order) => [order.order, order]))
  // An order that was open a moment ago may have ended meanwhile.
  for (const row of closed) states.set(row.id, stateOfRow(context, row))
  const sorted = [...states.values()].toSorted((a, b) => a.order - b.order)
  const isOldest = orderId !== undefined || startTime !== undefined
  const chosen = isOldest ? sorted.slice(0, limit) : sorted.slice(-limit)
  const siblings = await siblingsOf(context, user, chosen)
  return chosen.map((order) => queriedOrder(context.listing, order, siblings.get(pairedWith(order) as OrderId)))
}

function isIn({ order, placedAt }: OrderState, from = 0, start = 0, end = Number.MAX_SAFE_INTEGER): boolean {
  return order >= from && placedAt >= start && placedAt <= end
}

export const myTradesParams = {
  symbol,
  orderId: param.id,
  startTime: param.millis,
  endTime: param.millis,
  fromId: param.id,
  limit: param.limit(500, 1_000),
} as const

/** An account's side of its trades in one market, oldest first. throws  ApiError -1127, -1128 */
export async function myTrades(
  { context, names }: Desk,
  { user }: ApiUser,
  { symbol: name, orderId, startTime, endTime, fromId, limit }: param.Values<typeof myTradesParams>,
  account: OrderAccount = 'spot',
): Promise<readonly object[]> {
  checkDay(startTime, endTime)
  if (fromId !== undefined && (startTime ?? endTime) !== undefined) throw badCombination()
  const { market, base, quote } = names.market(name)
  await context.freshness.settled(user)
  const rows = await fillsIn(context.pool, user, market.symbol, account, {
    order: orderId as OrderId | undefined,
    fromId: fromId as TradeId | undefined,
    start: startTime,
    end: endTime,
    limit,
  })
  return rows.map((row) => ({
    symbol: market.symbol,
    id: row.id,
    orderId: row.order_id,
    orderListId: row.list_id ?? noList,
    price: row.price,
    qty: row.quantity,
    quoteQty: row.quote,
    commission: row.fee,
    commissionAsset: row.is_buyer ? base.symbol : quote.symbol,
    time: row.at_ms,
    isBuyer: row.is_buyer,
    isMaker: row.is_maker,
    isBestMatch: true,
    ...(account === 'spot' ? {} : { isIsolated: account === 'margin-isolated' }),
  }))
}
