import type { Command } from '@candor/core/protocol/command/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WirePerpAccount } from '@candor/core/protocol/wire/perp.ts'
import type { App } from '../app.ts'
import { type Context, execute } from '../../live/context.ts'
import { askedOfEngine } from '../../http/limits.ts'
import { answers, nothing } from '../../http/schema.ts'
import { wirePerpAccount } from '../../live/contracts.ts'
import { answerPlaced } from '../orders/answers.ts'
import { changeRoutes } from '../orders/change-routes.ts'
import { readRoutes } from '../orders/read-routes.ts'
import { placed } from '../orders/schema.ts'
import { adjustCommand, placeCommand } from './commands.ts'
import { historyRoutes } from './history-routes.ts'
import * as schema from './schema.ts'

const tags = ['perp']
const config = { auth: 'session' } as const

/** Futures: orders, positions and their settings, prices, and history. */
export function perpRoutes(app: App, context: Context): void {
  orderRoutes(app, context)
  accountRoute(app, context)
  settingRoutes(app, context)
  marginRoute(app, context)
  historyRoutes(app, context)
}

function orderRoutes(app: App, context: Context): void {
  app.post(
    '/perp/orders',
    {
      config,
      schema: { tags, summary: 'Place a Futures order', querystring: nothing, body: schema.placePerp, response: answers(placed) },
    },
    async (request) => {
      const user = request.session.user as UserId
      return answerPlaced(context, user, await execute(context, user, placeCommand(context.listing, user, request.body)))
    },
  )

  app.post(
    '/perp/reverse',
    {
      config,
      schema: {
        tags,
        summary: 'Close a position and open one of the same size on the other side',
        querystring: nothing,
        body: schema.reverse,
        response: answers(placed),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const { clientId, symbol } = request.body
      const market = context.listing.marketOfKind('perp', symbol).market.id
      return answerPlaced(context, user, await execute(context, user, { type: 'perp.reverse', user, clientId, market }))
    },
  )

  changeRoutes(app, context, 'perp', {
    amend: (amendment) => ({ type: 'perp.amend', ...amendment }),
    cancel: (which) => ({ type: 'perp.cancel', ...which }),
  })
  readRoutes(app, context, 'perp')
}

async function accountOf(context: Context, user: UserId): Promise<WirePerpAccount> {
  const account = await context.ask.perpAccount(user)
  context.data.contracts.learnRanks(account.positions)
  return wirePerpAccount(context.listing, account)
}

/** Answers with the account as of the command. */
async function change(context: Context, user: UserId, command: Command): Promise<WirePerpAccount> {
  await execute(context, user, command)
  return accountOf(context, user)
}

function accountRoute(app: App, context: Context): void {
  app.get(
    '/perp/account',
    {
      config: { ...config, weight: askedOfEngine.light },
      schema: { tags, summary: 'Positions, settings and the free balance', querystring: nothing, response: answers(schema.perpAccount) },
    },
    async (request) => accountOf(context, request.session.user as UserId),
  )
}

function settingRoutes(app: App, context: Context): void {
  const marketOf = (symbol: string) => context.listing.marketOfKind('perp', symbol).market.id

  app.post(
    '/perp/leverage',
    {
      config,
      schema: {
        tags,
        summary: 'Set the leverage of a market',
        querystring: nothing,
        body: schema.setLeverage,
        response: answers(schema.perpAccount),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const { symbol, leverage } = request.body
      return change(context, user, { type: 'perp.setLeverage', user, market: marketOf(symbol), leverage })
    },
  )

  app.post(
    '/perp/margin-mode',
    {
      config,
      schema: {
        tags,
        summary: 'Set the margin mode of a market, isolated or cross',
        querystring: nothing,
        body: schema.setMarginMode,
        response: answers(schema.perpAccount),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const { symbol, mode } = request.body
      return change(context, user, { type: 'perp.setMarginMode', user, market: marketOf(symbol), mode })
    },
  )

  app.post(
    '/perp/hedge-mode',
    {
      config,
      schema: {
        tags,
        summary: 'Set the position mode, one-way or hedge',
        querystring: nothing,
        body: schema.setHedgeMode,
        response: answers(schema.perpAccount),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      return change(context, user, { type: 'perp.setHedgeMode', user, isHedge: request.body.hedge })
    },
  )
}

function marginRoute(app: App, context: Context): void {
  app.post(
    '/perp/margin',
    {
      config,
      schema: {
        tags,
        summary: 'Add margin to an isolated position, or remove it',
        querystring: nothing,
        body: schema.adjustMargin,
        response: answers(schema.perpAccount),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      return change(context, user, adjustCommand(context.listing, user, request.body))
    },
  )
}
