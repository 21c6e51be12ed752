import { parseLots, parseTicks } from '@candor/core/money/price.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import type { Lots, Millis, Ppm, Ticks, Units } from '@candor/core/money/brand.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { PlacePerp, PriceMatch } from '@candor/core/protocol/command/perp.ts'
import type { OrderRef, Side, Trigger } from '@candor/core/protocol/command/spot.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import { hasRowActed, type PerpOrderRow, perpOrder } from '../../store/query/programs/perp-orders.ts'
import { Refused } from '../../refused.ts'
import { execute } from '../../live/context.ts'
import type { Context } from '../context.ts'
import type { ListedMarket } from '../../live/listing.ts'
import { orderOfEvents, type OrderState, stateOf } from '../../live/orders.ts'
import { stamped } from '../auth.ts'
import { ApiError } from '../errors.ts'
import type { ApiUser } from '../key-ring.ts'
import { cancelSayings, orderSayings, outsideBand, said, withClientErrors } from './errors.ts'

/** Identifies an order: by its number or, if that is not sent, by its client id. */
export type Which = { readonly id: number | undefined; readonly clientId: string | undefined }

/** Submits a command for a key. throws  Refused */
export function submit(context: Context, user: ApiUser, command: Command): Promise<Outcome> {
  return execute(stamped(context, user), user.user, command)
}

/** Places an order. A repeat with the same client id and content gives the first order in its current state. throws  ApiError */
export async function place(context: Context, user: ApiUser, market: ListedMarket, command: PlacePerp): Promise<OrderState> {
  let outcome: Outcome
  try {
    outcome = await submit(context, user, command)
  } catch (error) {
    throw outOfBand(error, context, market, command) ?? said(error, orderSayings, market)
  }
  if (outcome.isRepeat) return repeated(context, user, market, outcome)
  const state = orderOfEvents(outcome.events, outcome.order, outcome.at)
  if (!state) throw new Error(`command ${outcome.seq} placed order ${outcome.order} without accepting it`)
  return state
}

async function repeated(context: Context, user: ApiUser, market: ListedMarket, outcome: Outcome): Promise<OrderState> {
  await context.followed.reached(outcome.seq)
  return find(context, user.user, market, { id: outcome.order, clientId: undefined })
}

/** The error for a limit price too far from the mark, or from the order's own trigger; it depends on the side. */
function outOfBand(
  error: unknown,
  { data }: Context,
  { market }: ListedMarket,
  { price, trigger }: { readonly price?: Ticks; readonly trigger?: Trigger },
): ApiError | undefined {
  if (!(error instanceof Refused) || error.refusal !== 'PRICE_OUTSIDE_BAND' || price === undefined) return undefined
  return outsideBand(price, trigger?.kind === 'stop' ? trigger.price : (data.contracts.mark(market.id) ?? 0))
}

/** Changes price and quantity of an order that keeps its number; the side is sent as a check of the right order. throws  ApiError */
export async function amend(
  context: Context,
  user: ApiUser,
  market: ListedMarket,
  which: Which,
  to: {
    readonly side: Side
    readonly clientId: string
    readonly price?: Ticks
    readonly priceMatch?: PriceMatch
    readonly lots: Lots
  },
): Promise<OrderState> {
  const { side, ...change } = to
  const { order, side: own, closeReason } = await find(context, user.user, market, which)
  if (closeReason !== undefined) throw new ApiError(-2013, 'Order does not exist.')
  if (own !== side) throw new ApiError(-1117, 'Invalid side.')
  const command = { type: 'perp.amend', user: user.user, market: market.market.id, order, orderClientId: '', ...change } as const
  try {
    const outcome = await submit(context, user, command)
    return await stateAfter(context, user, market, outcome)
  } catch (error) {
    throw outOfBand(error, context, market, to) ?? said(error, orderSayings, market)
  }
}

/** Cancels an order, in the book or waiting for its trigger. throws  ApiError -2011 when it is no longer open */
export async function cancel(context: Context, user: ApiUser, market: ListedMarket, which: Which): Promise<OrderState> {
  const ref = refOf(which)
  await context.orders.know(context.ask, user.user)
  const command = { type: 'perp.cancel', user: user.user, clientId: '', market: market.market.id, ...ref } as const
  return stateAfter(context, user, market, await withClientErrors(cancelSayings, submit(context, user, command)))
}

async function stateAfter(context: Context, user: ApiUser, market: ListedMarket, outcome: Outcome): Promise<OrderState> {
  await context.followed.reached(outcome.seq)
  const state = context.orders.get(outcome.order)
  return state?.user === user.user ? state : find(context, user.user, market, { id: outcome.order, clientId: undefined })
}

/** throws  ApiError -1102 */
function refOf({ id, clientId }: Which): OrderRef {
  if (id === undefined && clientId === undefined) {
    throw new ApiError(-1102, "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!")
  }
  return id === undefined ? { order: 0 as OrderId, orderClientId: clientId as string } : { order: id as OrderId, orderClientId: '' }
}

/**
 * An order in its current state, in one market or in any: from memory if it is there, otherwise from the tables. throws  ApiError
 * -1102 or -2013
 */
export async function find(context: Context, user: UserId, market: ListedMarket | undefined, which: Which): Promise<OrderState> {
  const { order, orderClientId } = refOf(which)
  const found = order !== 0 ? await byNumber(context, user, market, order) : await byClientId(context, user, market, orderClientId)
  if (!found) throw new ApiError(-2013, 'Order does not exist.')
  return found
}

type Market = ListedMarket | undefined

async function byNumber(context: Context, user: UserId, market: Market, order: OrderId): Promise<OrderState | undefined> {
  await context.orders.know(context.ask, user)
  await context.followed.reached(context.freshness.lastOf(user))
  const state = context.orders.get(order)
  if (state) return isMeant(state, user, market) ? state : undefined
  await context.freshness.written(user)
  const row = await perpOrder(context.pool, user, market?.market.id, { id: order })
  return row && stateOfRow(context.listing.market(row.market_id), user, row)
}

function isMeant(state: OrderState, user: UserId, market: Market): boolean {
  return state.user === user && state.perp !== undefined && (market === undefined || state.market === market.market.id)
}

/** Of several orders with this client id, the open one, otherwise the last. */
async function byClientId(context: Context, user: UserId, market: Market, clientId: string): Promise<OrderState | undefined> {
  await context.orders.know(context.ask, user)
  const open = await context.ask.openOrders(user, market?.market.id)
  const live = open.find((one) => one.clientId === clientId && one.perp !== undefined)
  if (live) return context.orders.get(live.order) ?? stateOf(live)
  await context.freshness.written(user)
  const row = await perpOrder(context.pool, user, market?.market.id, { clientId })
  return row && (context.orders.get(row.id as OrderId) ?? stateOfRow(context.listing.market(row.market_id), user, row))
}

/** An order from the tables, in the form that it would have in memory. */
export function stateOfRow(market: ListedMarket, user: UserId, row: PerpOrderRow): OrderState {
  const { tick, lot } = market.market
  const ticks = (text: string | undefined | null) => (text == null ? 0 : (parseTicks(text, tick) ?? 0)) as Ticks
  const lots = (text: string | null) => (text === null ? 0 : (parseLots(text, lot) ?? 0)) as Lots
  const executedLots = lots(row.executed)
  const trigger = row.trigger === null ? undefined : triggerOf(row.trigger, ticks)
  const { position, reduceOnly, closing, triggerBy, liquidation, goodTill, priceMatch } = row.perp
  const terms = { ...(goodTill === undefined ? {} : { goodTill: goodTill as Millis }), ...(priceMatch === undefined ? {} : { priceMatch }) }
  return {
    order: row.id as OrderId,
    list: (row.list_id ?? 0) as OrderId,
    user,
    clientId: row.client_id,
    market: row.market_id,
    side: row.side,
    orderType: row.type,
    timeInForce: row.time_in_force,
    isPending: trigger !== undefined && (row.status === 'pending' || (row.close_reason !== null && !hasRowActed(row))),
    price: ticks(row.price),
    lots: lots(row.quantity),
    spend: 0 as Units,
    executedLots,
    executedQuote: (parseUnits(row.executed_quote, market.quote.scale) ?? 0) as Units,
    isPostOnly: row.post_only,
    display: 0 as Lots,
    ...(trigger === undefined ? {} : { trigger }),
    ...(row.close_reason === null ? {} : { closeReason: row.close_reason }),
    ...(row.triggered_at_ms === null ? {} : { triggeredAt: row.triggered_at_ms as Millis }),
    ...(row.self_trade === null ? {} : { selfTrade: row.self_trade }),
    perp: { position, isReduceOnly: reduceOnly, isClosing: closing, triggerBy, isLiquidation: liquidation, ...terms },
    placedAt: row.placed_at_ms as Millis,
    updatedAt: row.updated_at_ms as Millis,
  }
}

function triggerOf(trigger: NonNullable<PerpOrderRow['trigger']>, ticks: (text: string | undefined) => Ticks): Trigger {
  const { direction } = trigger
  if (trigger.kind === 'stop') return { kind: 'stop', price: ticks(trigger.price), direction }
  const trailPpm = (parseUnits(trigger.trailPercent, 4) ?? 0) as number as Ppm
  return { kind: 'trailing', trailPpm, direction, ...(trigger.activation === undefined ? {} : { activation: ticks(trigger.activation) }) }
}
