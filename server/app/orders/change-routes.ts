import type { Command } from '@candor/core/protocol/command/index.ts'
import { cancelScopes, type OrderRef } from '@candor/core/protocol/command/spot.ts'
import type { ClientId, MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import { z } from 'zod'
import type { MarketKind } from '../../store/query/orders.ts'
import type { App } from '../app.ts'
import { type Context, execute } from '../../live/context.ts'
import { answers, nothing, orderId, symbol } from '../../http/schema.ts'
import { wireOrder } from '../../live/order-texts.ts'
import { fillsOf, orderNow } from './answers.ts'
import { type Amendment, readAmendment } from './fields.ts'
import { amend, order, placed } from './schema.ts'

const cancelAllSummary = {
  spot: 'Cancel all open orders, or those of one market, and end TWAP orders there; `only` limits this to the spot account or to Margin accounts',
  perp: 'Cancel all open orders, or those of one market, and end TWAP orders there',
} as const

/** Orders of Futures belong to one account only, so there is no scope. */
const which = z.strictObject({ symbol: symbol.exactOptional(), only: z.enum(cancelScopes).exactOptional() })
const orderParams = z.strictObject({ id: orderId })

/** The commands by which a product changes and cancels its orders. */
export type Change = {
  readonly amend: (amendment: Amendment) => Command
  readonly cancel: (which: OrderRef & { readonly user: UserId; readonly clientId: ClientId; readonly market: MarketId }) => Command
}

/** PATCH and DELETE of one order, and DELETE of all, below `/<kind>/orders`. */
export function changeRoutes(app: App, context: Context, kind: MarketKind, change: Change): void {
  amendRoute(app, context, kind, change)
  cancelRoute(app, context, kind, change)
  cancelAllRoute(app, context, kind)
}

function amendRoute(app: App, context: Context, kind: MarketKind, change: Change): void {
  const tags = [kind]
  app.patch(
    `/${kind}/orders/:id`,
    {
      config: { auth: 'session' },
      schema: { tags, summary: 'Change an open order', querystring: nothing, params: orderParams, body: amend, response: answers(placed) },
    },
    async (request) => {
      const user = request.session.user as UserId
      const market = context.listing.marketOfKind(kind, request.body.symbol)
      const amendment = readAmendment(market, user, Number(request.params.id) as OrderId, request.body)
      await context.orders.know(context.ask, user)
      const outcome = await execute(context, user, change.amend(amendment))
      await context.followed.reached(outcome.seq)
      // The number of a list stands for one of its legs: the outcome tells which.
      const { order: meant, isRepeat } = outcome
      const state = context.orders.get(meant)
      if (!state || state.user !== user) return { ...(await orderNow(context, user, meant, outcome.seq)), isRepeat }
      return { order: wireOrder(context.listing, state), fills: fillsOf(context, outcome, meant), isRepeat }
    },
  )
}

function cancelRoute(app: App, context: Context, kind: MarketKind, change: Change): void {
  const tags = [kind]
  app.delete(
    `/${kind}/orders/:id`,
    {
      config: { auth: 'session' },
      schema: { tags, summary: 'Cancel an order', params: orderParams, querystring: z.strictObject({ symbol }), response: answers(order) },
    },
    async (request) => {
      const user = request.session.user as UserId
      const id = Number(request.params.id) as OrderId
      const market = context.listing.marketOfKind(kind, request.query.symbol).market.id
      await context.orders.know(context.ask, user)
      const outcome = await execute(context, user, change.cancel({ user, clientId: '', market, order: id, orderClientId: '' }))
      await context.followed.reached(outcome.seq)
      // The number of a list stands for both legs: the answer is the leg by which the list was cancelled.
      const cancelled = outcome.events.find((event) => event.type === 'order.closed' && event.reason === 'cancelled')
      const told = cancelled?.type === 'order.closed' ? cancelled.order : id
      const state = context.orders.get(told)
      if (state && state.user === user) return wireOrder(context.listing, state)
      return (await orderNow(context, user, told, outcome.seq)).order
    },
  )
}

const marketsOf = ({ listing }: Context, kind: MarketKind): readonly MarketId[] =>
  listing.markets.filter(({ wire }) => wire.kind === kind).map(({ market }) => market.id)

function cancelAllRoute(app: App, context: Context, kind: MarketKind): void {
  const tags = [kind]
  app.delete(
    `/${kind}/orders`,
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: cancelAllSummary[kind],
        querystring: kind === 'spot' ? which : (which.omit({ only: true }) as typeof which),
        response: answers(z.strictObject({ cancelled: z.int() })),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const { symbol: symbolText, only } = request.query
      const named = symbolText === undefined ? undefined : context.listing.marketOfKind(kind, symbolText).market.id
      const open = (await context.ask.openOrders(user, named)).filter(
        ({ market, margin }) =>
          context.listing.kindOf(market) === kind && (only === undefined || (only === 'margin') === (margin !== undefined)),
      )
      const { runningAlgos } = await context.ask.standing(user)
      const inMarkets = runningAlgos > 0 ? marketsOf(context, kind) : open.map(({ market }) => market)
      const markets = new Set(named === undefined ? inMarkets : [named])
      let closed = 0
      for (const market of markets) {
        const outcome = await execute(context, user, {
          type: 'spot.cancelAll',
          user,
          clientId: '',
          market,
          ...(only === undefined ? {} : { only }),
          // Only those of spot accounts and of Futures run over time.
          ...(only === 'margin' ? {} : { endsTwaps: true }),
        })
        closed += outcome.events.filter((event) => event.type === 'order.closed' && event.user === user).length
      }
      // The next clock ticks cancel the orders for which one command was not enough, so all open orders count as cancelled.
      return { cancelled: Math.max(closed, open.length) }
    },
  )
}
