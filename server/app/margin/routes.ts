import type { Units } from '@candor/core/money/brand.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { WireMarginAccount } from '@candor/core/protocol/wire/margin.ts'
import { z } from 'zod'
import { Refused } from '../../refused.ts'
import { loanChanges, marginLiquidations } from '../../store/query/loans.ts'
import type { App } from '../app.ts'
import { type Context, execute } from '../../live/context.ts'
import { askedOfEngine } from '../../http/limits.ts'
import { answers, asset, cursor, nothing, queryInteger, symbol } from '../../http/schema.ts'
import { wireMarginAccount, wireMarginTerms } from '../../live/lending.ts'
import { readAmount } from '../../live/listing.ts'
import * as schema from './schema.ts'

const tags = ['margin']
const config = { auth: 'session' } as const
const crossAccount = 0 as MarketId
const page = { before: cursor.exactOptional(), limit: queryInteger(1, 200).exactOptional() }
const pageOf = <T extends z.ZodType>(item: T) => answers(z.strictObject({ items: z.array(item), next: cursor.exactOptional() }))

/** Margin trading: accounts, loans and liquidations. Its orders are those of spot markets. */
export function marginRoutes(app: App, context: Context): void {
  accountRoutes(app, context)
  loanRoutes(app, context)
  historyRoutes(app, context)
}

/** Market of the isolated account. throws  Refused MARKET_UNKNOWN */
function marketNamed({ listing }: Context, name: string): MarketId {
  return listing.marketOfKind('spot', name).market.id
}

function accountRoutes(app: App, context: Context): void {
  app.get(
    '/margin/terms',
    {
      schema: { tags, summary: 'Levels, tiers and rates of margin trading', querystring: nothing, response: answers(schema.marginTerms) },
    },
    async () => {
      const terms = await context.ask.marginTerms()
      if (terms === null) throw new Refused('PRODUCT_CLOSED')
      return wireMarginTerms(context.listing, terms)
    },
  )

  app.get(
    '/margin/accounts',
    {
      config: { ...config, weight: askedOfEngine.heavy },
      schema: {
        tags,
        summary: 'The cross account, isolated accounts in use, and the one that `symbol` names',
        querystring: z.strictObject({ symbol: symbol.exactOptional() }),
        response: answers(schema.marginAccounts),
      },
    },
    async (request) => {
      const { symbol: name } = request.query
      return {
        accounts: await accountsOf(context, request.session.user as UserId, name === undefined ? undefined : marketNamed(context, name)),
      }
    },
  )
}

async function accountsOf({ ask, listing }: Context, user: UserId, market: MarketId | undefined): Promise<readonly WireMarginAccount[]> {
  const [accounts, pools] = await Promise.all([ask.marginAccounts(user, market), ask.pools()])
  return accounts.map((account) => wireMarginAccount(listing, account, pools))
}

function loanRoutes(app: App, context: Context): void {
  type Loan = { readonly clientId: string; readonly symbol?: string; readonly asset: string; readonly amount: string }

  const change = async (type: 'margin.borrow' | 'margin.repay', user: UserId, body: Loan): Promise<WireMarginAccount> => {
    const market = body.symbol === undefined ? crossAccount : marketNamed(context, body.symbol)
    const coin = context.listing.assetNamed(body.asset)
    const amount = body.amount === 'all' ? (0 as Units) : readAmount(coin, body.amount, 'amount')
    await execute(context, user, { type, user, clientId: body.clientId, market, asset: coin.id, amount })
    const accounts = await accountsOf(context, user, market === crossAccount ? undefined : market)
    return accounts.find(({ symbol: name }) => name === body.symbol)!
  }

  app.post(
    '/margin/borrow',
    {
      config,
      schema: {
        tags,
        summary: 'Borrow from the pool into a Margin account',
        querystring: nothing,
        body: schema.borrow,
        response: answers(schema.marginAccount),
      },
    },
    async (request) => change('margin.borrow', request.session.user as UserId, request.body),
  )

  app.post(
    '/margin/repay',
    {
      config,
      schema: {
        tags,
        summary: 'Repay from a Margin account, interest first',
        querystring: nothing,
        body: schema.repay,
        response: answers(schema.marginAccount),
      },
    },
    async (request) => change('margin.repay', request.session.user as UserId, request.body),
  )
}

function historyRoutes(app: App, context: Context): void {
  app.get(
    '/margin/loans',
    {
      config,
      schema: {
        tags,
        summary: 'Changes of the user’s debts, newest first',
        querystring: z.strictObject({ symbol: symbol.exactOptional(), asset: asset.exactOptional(), ...page }),
        response: pageOf(schema.loanRecord),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const { symbol: name, ...filter } = request.query
      const market = name === undefined ? undefined : marketNamed(context, name)
      if (filter.asset !== undefined) context.listing.assetNamed(filter.asset)
      await context.freshness.settled(user)
      return loanChanges(context.pool, user, { ...filter, market })
    },
  )

  app.get(
    '/margin/liquidations',
    {
      config,
      schema: {
        tags,
        summary: 'Liquidation steps of the user’s Margin accounts, newest first',
        querystring: z.strictObject(page),
        response: pageOf(schema.marginLiquidation),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      await context.freshness.settled(user)
      return marginLiquidations(context.pool, user, request.query)
    },
  )
}
