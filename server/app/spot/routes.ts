import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { type Context, execute } from '../../live/context.ts'
import type { App } from '../app.ts'
import { answers, nothing } from '../../http/schema.ts'
import { wireOrder } from '../../live/order-texts.ts'
import { orderOfEvents } from '../../live/orders.ts'
import { answerPlaced, orderNow } from '../orders/answers.ts'
import { changeRoutes } from '../orders/change-routes.ts'
import { readRoutes } from '../orders/read-routes.ts'
import { placed } from '../orders/schema.ts'
import { placeCommand, placeOcoCommand } from './commands.ts'
import { ocoPlaced, placeOco, placeOrder } from './schema.ts'

const tags = ['spot']

export function spotRoutes(app: App, context: Context): void {
  placeRoutes(app, context)
  changeRoutes(app, context, 'spot', {
    amend: (amendment) => ({ type: 'spot.amend', ...amendment }),
    cancel: (which) => ({ type: 'spot.cancel', ...which }),
  })
  readRoutes(app, context, 'spot')
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
        summary: 'Place two orders, one of which cancels the other',
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

async function ocoLegs(context: Context, user: UserId, outcome: Outcome): Promise<readonly WireOrder[]> {
  const placedNow = outcome.events.flatMap((event) =>
    event.type === 'order.accepted' ? [orderOfEvents(outcome.events, event.order, outcome.at)!] : [],
  )
  if (placedNow.length > 0) return placedNow.map((state) => wireOrder(context.listing, state))
  // The numbers of a list's legs are the two after its own.
  const legs = [outcome.order + 1, outcome.order + 2] as OrderId[]
  return Promise.all(legs.map(async (leg) => (await orderNow(context, user, leg, outcome.seq)).order))
}
