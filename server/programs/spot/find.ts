import type { Lots, Millis, Ppm, Ticks, Units } from '@candor/core/money/brand.ts'
import { parseLots, parseTicks } from '@candor/core/money/price.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import { listKindOf, ordersOfList, pairedWith, startsWaiting } from '@candor/core/protocol/command/order-list.ts'
import type { OrderStrategy, Trigger } from '@candor/core/protocol/command/spot.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { OpenOrder } from '@candor/core/protocol/port.ts'
import type { WireTrigger } from '@candor/core/protocol/wire/spot.ts'
import { type ApiOrderRow, type OrderAccount, orderByClientId, ordersById } from '../../store/query/programs/orders.ts'
import type { Context } from '../context.ts'
import type { ListedMarket } from '../../live/listing.ts'
import type { OrderState } from '../../live/orders.ts'
import { accountOf } from './desk.ts'
import { isListNamed } from './list-names.ts'
import type { Which } from './params.ts'

export type Told = { readonly order: OrderState; readonly sibling: OrderState | undefined }

/**
 * An order of the user in its current state, including all earlier changes by the user; undefined when the market and account
 * have no such order. From memory if it is there, otherwise from the tables, otherwise from the core: the tables have makers'
 * orders only if they traded.
 */
export async function findOrder(
  context: Context,
  user: UserId,
  market: ListedMarket,
  account: OrderAccount,
  { orderId, origClientOrderId }: Which,
): Promise<OrderState | undefined> {
  const isMeant = (state: OrderState): boolean =>
    state.user === user &&
    state.market === market.market.id &&
    accountOf(state) === account &&
    (origClientOrderId === undefined || state.clientId === origClientOrderId)
  const state =
    orderId === undefined
      ? await byClientId(context, user, market, origClientOrderId as string)
      : await byNumber(context, user, orderId as OrderId)
  return state && isMeant(state) ? state : undefined
}

/**
 * Makes sure that `context.orders` has every open order of the user, even one whose placing was answered a moment ago. The core
 * finds an order by its name in any account, so a cancel or change must check the order's account first. Undefined when the
 * orders are already there.
 */
export function knowOpen({ followed, freshness, orders, ask }: Context, user: UserId): Promise<void> | undefined {
  const following = followed.reached(freshness.lastOf(user))
  if (following === undefined && orders.isKnown(user)) return undefined
  return (following ?? Promise.resolve()).then(() => orders.know(ask, user))
}

/**
 * Whether this number, or else this client id, is that of a list of the user with an open leg. The core takes a list's name for
 * its legs, in any account, but requests about one order may not name a list.
 */
export async function isList({ orders, pool }: Context, user: UserId, orderId: number, clientId: string): Promise<boolean> {
  const legs = orders.legsOf(user)
  if (legs.length === 0) return false
  if (orderId !== 0) return legs.some(({ list }) => list === orderId)
  const first = (leg: OrderState): string => orders.get(ordersOfList(listKindOf(leg)!, leg.list)[0]!)?.clientId ?? leg.clientId
  return isListNamed({ pool }, user, legs.map(first), clientId)
}

async function byClientId(context: Context, user: UserId, market: ListedMarket, clientId: string): Promise<OrderState | undefined> {
  await context.freshness.settled(user)
  const row = await orderByClientId(context.pool, user, clientId)
  if (row) return stateOfRow(context, row)
  const open = await context.ask.openOrders(user, market.market.id)
  const found = open.find((one) => one.clientId === clientId)
  return found && stateOfOpen(found)
}

/** An order of any user, to be checked by the caller. */
async function byNumber(context: Context, user: UserId, id: OrderId): Promise<OrderState | undefined> {
  await context.followed.reached(context.freshness.lastOf(user))
  const inMemory = context.orders.get(id)
  if (inMemory) return inMemory
  await context.freshness.settled(user)
  const [row] = await ordersById(context.pool, user, [id])
  if (row) return stateOfRow(context, row)
  const found = (await context.ask.openOrders(user)).find(({ order }) => order === id)
  return found && stateOfOpen(found)
}

/** Adds the other leg, where the order's status depends on it. */
export async function withSibling(context: Context, order: OrderState): Promise<Told> {
  const other = order.closeReason === 'oco' ? pairedWith(order) : 0
  return { order, sibling: other === 0 ? undefined : await byNumber(context, order.user, other) }
}

/** The given orders and the other legs of those that ended with theirs, by number. */
export async function siblingsOf(context: Context, user: UserId, orders: readonly OrderState[]): Promise<ReadonlyMap<OrderId, OrderState>> {
  const found = new Map<OrderId, OrderState>(orders.map((order) => [order.order, order]))
  const missing = orders
    .filter(({ closeReason }) => closeReason === 'oco')
    .map(pairedWith)
    .filter((id) => id !== 0 && !found.has(id)) as OrderId[]
  for (const row of await ordersById(context.pool, user, missing)) found.set(row.id, stateOfRow(context, row))
  return found
}

export function stateOfOpen({ status, ...order }: OpenOrder): OrderState {
  return { ...order, isPending: status === 'pending' }
}

/** A row of the tables in the form that the events would have left in memory. */
export function stateOfRow({ listing }: Pick<Context, 'listing'>, row: ApiOrderRow): OrderState {
  const market = listing.market(row.market_id)
  const { tick, lot } = market.market
  const ticks = (text: string | null): Ticks | 0 => (text === null ? 0 : known(parseTicks(text, tick)))
  const lots = (text: string | null): Lots => (text === null ? (0 as Lots) : known(parseLots(text, lot)))
  const quote = (text: string | null): Units => (text === null ? (0 as Units) : known(parseUnits(text, market.quote.scale)))
  const isClosed = row.close_reason !== null
  const isAsleep = row.trigger !== null && row.triggered_at_ms === null && Number(row.executed) === 0
  const isWaiting = isWaitingRow(row)
  return {
    order: row.id,
    list: row.list_id ?? (0 as OrderId),
    user: row.user_id,
    clientId: row.client_id,
    market: row.market_id,
    side: row.side,
    orderType: row.type,
    timeInForce: row.time_in_force,
    isPending: isClosed ? isAsleep || isWaiting : row.status === 'pending',
    ...(isWaiting ? { isWaiting: true as const } : {}),
    price: ticks(row.price),
    lots: lots(row.quantity),
    spend: quote(row.spend),
    executedLots: lots(row.executed),
    executedQuote: quote(row.executed_quote),
    ...(row.prevented === null ? {} : { preventedLots: lots(row.prevented) }),
    ...(row.prevented_match === null ? {} : { preventedMatch: row.prevented_match }),
    isPostOnly: row.post_only,
    display: lots(row.display),
    placedAt: row.placed_at_ms as Millis,
    updatedAt: row.updated_at_ms as Millis,
    ...(row.trigger === null ? {} : { trigger: triggerOf(row.trigger, (text) => ticks(text) as Ticks) }),
    ...(row.triggered_at_ms === null ? {} : { triggeredAt: row.triggered_at_ms as Millis }),
    ...(row.entered_at_ms === null ? {} : { enteredAt: row.entered_at_ms as Millis }),
    ...(row.close_reason === null ? {} : { closeReason: row.close_reason }),
    ...(row.self_trade === null ? {} : { selfTrade: row.self_trade }),
    ...(row.margin === null ? {} : { margin: row.margin }),
    ...strategyOf(row),
  }
}

/** Whether an order waits for the working order of its list, or ended before that was filled. Rows are of spot markets. */
function isWaitingRow({ id, list_id: list, entered_at_ms: enteredAt, close_reason: reason, status, executed }: ApiOrderRow): boolean {
  if (list === null || !startsWaiting({ order: id, list }) || enteredAt !== null || Number(executed) > 0) return false
  return status === 'pending' || reason === 'oco' || reason === 'cancelled'
}

function strategyOf({ strategy_id: id, strategy_type: type }: ApiOrderRow): { readonly strategy?: OrderStrategy } {
  return id === null && type === null ? {} : { strategy: { ...(id === null ? {} : { id }), ...(type === null ? {} : { type }) } }
}

function triggerOf(trigger: WireTrigger, ticks: (text: string) => Ticks): Trigger {
  const { direction } = trigger
  if (trigger.kind === 'stop') return { kind: 'stop', price: ticks(trigger.price), direction }
  const trailPpm = known(parseUnits(trigger.trailPercent, 4)) as number as Ppm
  return { kind: 'trailing', trailPpm, direction, ...(trigger.activation === undefined ? {} : { activation: ticks(trigger.activation) }) }
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the tables have an amount that is not a whole number of units')
  return value
}
