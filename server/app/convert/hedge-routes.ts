import type { UserId } from '@candor/core/protocol/ids.ts'
import { askedOfEngine } from '../../http/limits.ts'
import { answers, nothing } from '../../http/schema.ts'
import { type Context, execute } from '../../live/context.ts'
import { shelvesOf } from '../../live/convert/shelves.ts'
import { readAmount } from '../../live/listing.ts'
import type { App } from '../app.ts'
import * as schema from './schema.ts'

const tags = ['convert']
const config = { auth: 'session', weight: askedOfEngine.light } as const

/** The inventory of conversions, for the account that the terms name as hedger. Others are refused. */
export function hedgeRoutes(app: App, context: Context): void {
  app.get(
    '/convert/shelves',
    {
      config,
      schema: {
        ...{ tags, summary: 'For the hedger: what the inventory has and should have', querystring: nothing },
        response: answers(schema.shelves),
      },
    },
    (request) => shelvesOf(context, request.session.user as UserId),
  )

  app.post(
    '/convert/hedge',
    {
      config,
      schema: {
        ...{ tags, summary: 'For the hedger: take what the inventory has above its target, or give back', querystring: nothing },
        ...{ body: schema.hedge, response: answers(schema.shelves) },
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const { clientId, asset: symbol, amount: text, direction } = request.body
      const asset = context.listing.assetNamed(symbol, 'asset')
      const amount = readAmount(asset, text, 'amount')
      await execute(context, user, { type: 'convert.hedge', user, clientId, asset: asset.id, amount, isTaking: direction === 'take' })
      return shelvesOf(context, user)
    },
  )
}
