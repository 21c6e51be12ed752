import type { MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import { orderStatuses, type WireFill, type WireOrder, type WirePlaced } from '@candor/core/protocol/wire/spot.ts'
import { z } from 'zod'
import { orderById, orderHistory, spotFills } from '../../../store/query/spot.ts'
import { Refused } from '../../../refused.ts'
import { type Context, execute } from '../../context.ts'
import type { App } from '../../app.ts'
import { answers, cursor, nothing, orderId, queryInteger, queryMillis, side, symbol } from '../../http/schema.ts'
import { orderOfEvents, wireFill, wireOpenOrder, wireOrder } from '../../market/orders.ts'
import { amendCommand, placeCommand, placeOcoCommand } from './commands.ts'
import { amend, fill, ocoPlaced, order, placed, placeOco, placeOrder } from './schema.ts'

const tags = ['spot']
const limit = queryInteger(1, 200).exactOptional()
const orderParams = z.strictObject({ id: orderId })

export function spotRoutes(app: App, context: Context): void {
  placeRoutes(app, context)
  changeRoutes(app, context)
  readRoutes(app, context)
}

function placeRoutes(app: App, context: Context): void {
  app.post(
    '/spot/orders',
    {
      config: { auth: 'session' },
      schema: { tags, summary: 'Place an order', querystring: nothing, body: placeOrder, response: answers(placed) },
    },
    async (request) => {
      const user = request.session.user as UserId
      const command = placeCommand(context.listing, user, request.body)
      return answerPlaced(context, user, await execute(context, user, command))
    },
  )

  app.post(
    '/spot/orders/oco',
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'Place two orders of which one cancels the other',
        querystring: nothing,
        body: placeOco,
        response: answers(ocoPlaced),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const outcome = await execute(context, user, placeOcoCommand(context.listing, user, request.body))
      const legs = await ocoLegs(context, user, outcome)
      return { listId: legs[0]?.listId ?? String(outcome.order), orders: legs, isRepeat: outcome.isRepeat }
    },
  )
}

async function answerPlaced(context: Context, user: UserId, outcome: Outcome): Promise<WirePlaced> {
  if (outcome.isRepeat) {
    const { order: now, fills } = await orderNow(context, user, outcome.order, outcome.seq)
    return { order: now, fills: fills.filter(({ role }) => role === 'taker'), isRepeat: true }
  }
  const state = orderOfEvents(outcome.events, outcome.order, outcome.at)
  if (!state) throw new Error(`command ${outcome.seq} placed order ${outcome.order} without accepting it`)
  return { order: wireOrder(context.listing, state), fills: fillsOf(context, outcome, outcome.order), isRepeat: false }
}

/** What the command traded for this order at once. */
function fillsOf(context: Context, outcome: Outcome, order: OrderId): readonly WireFill[] {
  const fills: WireFill[] = []
  for (const event of outcome.events) {
    if (event.type === 'traded' && event.takerOrder === order) fills.push(wireFill(context.listing, event, 'taker', outcome.at))
  }
  return fills
}

async function ocoLegs(context: Context, user: UserId, outcome: Outcome): Promise<readonly WireOrder[]> {
  const placedNow = outcome.events.flatMap((event) =>
    event.type === 'order.accepted' ? [orderOfEvents(outcome.events, event.order, outcome.at)!] : [],
  )
  if (placedNow.length > 0) return placedNow.map((state) => wireOrder(context.listing, state))
  // A list's legs have the two numbers behind its own.
  const legs = [outcome.order + 1, outcome.order + 2] as OrderId[]
  return Promise.all(legs.map(async (leg) => (await orderNow(context, user, leg, outcome.seq)).order))
}

/** The order as it stands after the command at `seq`, with its fills: from memory while it is there, else from the tables. */
async function orderNow(
  context: Context,
  user: UserId,
  id: OrderId,
  seq: number,
): Promise<{ order: WireOrder; fills: readonly WireFill[] }> {
  await context.followed.reached(seq)
  const state = context.orders.get(id)
  if (state && state.user !== user) throw new Refused('ORDER_UNKNOWN')
  if (state && state.executedLots === 0) return { order: wireOrder(context.listing, state), fills: [] }
  await context.freshness.settled(user)
  const found = await orderById(context.pool, user, id)
  if (!state && !found) {
    const open = (await context.ask.openOrders(user)).find((one) => one.order === id)
    if (!open) throw new Refused('ORDER_UNKNOWN')
    return { order: wireOpenOrder(context.listing, open), fills: [] }
  }
  return { order: state ? wireOrder(context.listing, state) : found!.order, fills: found?.fills ?? [] }
}

function changeRoutes(app: App, context: Context): void {
  app.patch(
    '/spot/orders/:id',
    {
      config: { auth: 'session' },
      schema: { tags, summary: 'Change an open order', querystring: nothing, params: orderParams, body: amend, response: answers(placed) },
    },
    async (request) => {
      const user = request.session.user as UserId
      const id = Number(request.params.id) as OrderId
      const command = amendCommand(context.listing, user, id, request.body)
      await context.orders.know(context.ask, user)
      const outcome = await execute(context, user, command)
      await context.followed.reached(outcome.seq)
      // The number of a list stands for its leg: the outcome says which order was meant.
      const { order: meant, isRepeat } = outcome
      const state = context.orders.get(meant)
      if (!state || state.user !== user) return { ...(await orderNow(context, user, meant, outcome.seq)), isRepeat }
      return { order: wireOrder(context.listing, state), fills: fillsOf(context, outcome, meant), isRepeat }
    },
  )

  app.delete(
    '/spot/orders/:id',
    {
      config: { auth: 'session' },
      schema: { tags, summary: 'Cancel an order', params: orderParams, querystring: z.strictObject({ symbol }), response: answers(order) },
    },
    async (request) => {
      const user = request.session.user as UserId
      const id = Number(request.params.id) as OrderId
      const market = context.listing.marketNamed(request.query.symbol).market.id
      await context.orders.know(context.ask, user)
      const outcome = await execute(context, user, { type: 'spot.cancel', user, clientId: '', market, order: id, orderClientId: '' })
      await context.followed.reached(outcome.seq)
      // The number of a list stands for both its legs: told is the one that the list was cancelled by.
      const cancelled = outcome.events.find((event) => event.type === 'order.closed' && event.reason === 'cancelled')
      const told = cancelled?.type === 'order.closed' ? cancelled.order : id
      const state = context.orders.get(told)
      if (state && state.user === user) return wireOrder(context.listing, state)
      return (await orderNow(context, user, told, outcome.seq)).order
    },
  )

  app.delete(
    '/spot/orders',
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'Cancel all open orders, or those of one market',
        querystring: z.strictObject({ symbol: symbol.exactOptional() }),
        response: answers(z.strictObject({ cancelled: z.int() })),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const market = marketOf(context, request.query.symbol) ?? (0 as MarketId)
      const before = await context.ask.openOrders(user, market || undefined)
      const outcome = await execute(context, user, { type: 'spot.cancelAll', user, clientId: '', market })
      const closed = outcome.events.filter((event) => event.type === 'order.closed' && event.user === user).length
      // What one command can't finish goes on with the next ticks of the clock: all that was open is on its way out.
      return { cancelled: Math.max(closed, before.length) }
    },
  )
}

function marketOf(context: Context, symbolText: string | undefined): MarketId | undefined {
  return symbolText === undefined ? undefined : context.listing.marketNamed(symbolText).market.id
}

function readRoutes(app: App, context: Context): void {
  app.get(
    '/spot/orders/open',
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'Open and pending orders, newest first',
        querystring: z.strictObject({ symbol: symbol.exactOptional() }),
        response: answers(z.strictObject({ orders: z.array(order) })),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const open = await context.ask.openOrders(user, marketOf(context, request.query.symbol))
      return { orders: open.toSorted((a, b) => b.order - a.order).map((one) => wireOpenOrder(context.listing, one)) }
    },
  )

  app.get(
    '/spot/orders/history',
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'Closed orders, newest first',
        querystring: z.strictObject({
          symbol: symbol.exactOptional(),
          side: side.exactOptional(),
          status: z.enum(orderStatuses).exactOptional(),
          from: queryMillis.exactOptional(),
          to: queryMillis.exactOptional(),
          before: cursor.exactOptional(),
          limit,
        }),
        response: answers(z.strictObject({ items: z.array(order), next: cursor.exactOptional() })),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const { symbol: symbolText, ...filter } = request.query
      const market = marketOf(context, symbolText)
      await context.freshness.settled(user)
      return orderHistory(context.pool, user, { ...filter, market })
    },
  )

  app.get(
    '/spot/orders/:id',
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'One order with its fills',
        params: orderParams,
        querystring: nothing,
        response: answers(z.strictObject({ order, fills: z.array(fill) })),
      },
    },
    async (request) => orderNow(context, request.session.user as UserId, Number(request.params.id) as OrderId, 0),
  )

  app.get(
    '/spot/fills',
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'Own side of trades, newest first',
        querystring: z.strictObject({
          symbol: symbol.exactOptional(),
          orderId: orderId.exactOptional(),
          before: cursor.exactOptional(),
          limit,
        }),
        response: answers(z.strictObject({ items: z.array(fill), next: cursor.exactOptional() })),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const { symbol: symbolText, orderId: orderText, ...filter } = request.query
      const market = marketOf(context, symbolText)
      const orderNumber = orderText === undefined ? undefined : (Number(orderText) as OrderId)
      await context.freshness.settled(user)
      return spotFills(context.pool, user, { ...filter, market, order: orderNumber })
    },
  )
}
