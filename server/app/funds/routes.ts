import type { Units } from '@candor/core/money/brand.ts'
import type { AccountKind } from '@candor/core/protocol/account.ts'
import { movementsFrom, type UserId } from '@candor/core/protocol/ids.ts'
import type { WireBalances } from '@candor/core/protocol/wire/funds.ts'
import { z } from 'zod'
import { Refused } from '../../refused.ts'
import { costsOf } from '../../store/query/costs.ts'
import { records, recordSums } from '../../store/query/funds.ts'
import type { LimitsDesk } from '../../identity/limits/desk.ts'
import type { App } from '../app.ts'
import { type Context, execute } from '../../live/context.ts'
import { holdingsOf, netUsdt, usdtText, wireAccounts, worthUsdt } from '../../live/accounts/holdings.ts'
import { askedOfEngine } from '../../http/limits.ts'
import { accountKind, answers, asset, cursor, decimal, decimalOut, nothing, queryInteger, symbol } from '../../http/schema.ts'
import { amountText, type ListedMarket, readAmount } from '../../live/listing.ts'
import { FaucetBook } from './faucet-book.ts'
import * as schema from './schema.ts'
import { transferPreview } from './transfer-preview.ts'
import { profitByDay, todayProfit } from './worth.ts'

const tags = ['funds']

/** Users' balances, their history, and transfers. */
export function fundsRoutes(app: App, context: Context, limits: LimitsDesk): void {
  balanceRoutes(app, context)
  transferRoutes(app, context)
  profitRoutes(app, context)
  faucetRoute(app, context, limits)
}

function balanceRoutes(app: App, context: Context): void {
  app.get(
    '/balances',
    {
      config: { auth: 'session', weight: askedOfEngine.heavy },
      schema: { tags, summary: 'Balances of all accounts', querystring: nothing, response: answers(schema.balances) },
    },
    async (request): Promise<WireBalances> => {
      const user = request.session.user as UserId
      const holdings = await holdingsOf(context, user)
      const total = netUsdt(context, holdings)
      await context.freshness.settled(user)
      return {
        accounts: wireAccounts(context, holdings),
        totalUsdt: usdtText(total),
        todayProfitUsdt: await todayProfit(context, user, total),
      }
    },
  )

  app.get(
    '/records',
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'Records of money into and out of the user’s accounts, newest first',
        querystring: z.strictObject({
          ...schema.recordFilter,
          before: cursor.exactOptional(),
          limit: queryInteger(1, 200).exactOptional(),
        }),
        response: answers(z.strictObject({ items: z.array(schema.record), next: cursor.exactOptional() })),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      if (request.query.asset !== undefined) context.listing.assetNamed(request.query.asset)
      await context.freshness.settled(user)
      return records(context.pool, user, request.query)
    },
  )

  app.get(
    '/records/sums',
    {
      config: { auth: 'session', weight: askedOfEngine.heavy },
      schema: {
        tags,
        summary: 'What came in and went out by asset, over all records of a filter; own transfers only when asked for',
        querystring: z.strictObject(schema.recordFilter),
        response: answers(z.array(schema.recordSum).readonly()),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      if (request.query.asset !== undefined) context.listing.assetNamed(request.query.asset)
      await context.freshness.settled(user)
      return recordSums(context.pool, user, request.query)
    },
  )
}

function transferRoutes(app: App, context: Context): void {
  app.post(
    '/transfer',
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'Transfer an asset between two of the user’s accounts',
        querystring: nothing,
        body: schema.transfer,
        response: answers(z.strictObject({ id: z.string() })),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const { clientId, from, to } = request.body
      const coin = context.listing.assetNamed(request.body.asset)
      const amount = readAmount(coin, request.body.amount, 'amount')
      const market = isolatedMarket(context, request.body)
      const command = { type: 'funds.transfer', user, clientId, asset: coin.id, from, to, amount } as const
      const outcome = await execute(context, user, market ? { ...command, market: market.market.id } : command)
      return { id: String(outcome.order - movementsFrom) }
    },
  )

  app.get(
    '/transfer/preview',
    {
      config: { auth: 'session', weight: askedOfEngine.heavy },
      schema: {
        tags,
        summary: 'Preview a transfer: balances, margin levels and liquidation prices after it',
        querystring: z.strictObject({
          from: accountKind,
          to: accountKind,
          asset,
          amount: decimal,
          symbol: symbol.exactOptional(),
        }),
        response: answers(schema.transferPreview),
      },
    },
    async (request) => {
      const { from, to } = request.query
      const coin = context.listing.assetNamed(request.query.asset)
      const amount = readAmount(coin, request.query.amount, 'amount')
      if (from === to) throw new Refused('ACCOUNT_SAME', { field: 'to' })
      const market = isolatedMarket(context, request.query)
      return transferPreview(context, request.session.user as UserId, { from, to, asset: coin, amount, market })
    },
  )
}

function profitRoutes(app: App, context: Context): void {
  app.get(
    '/profit',
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'Value and profit by UTC day, oldest first',
        querystring: z.strictObject({ days: queryInteger(1, 365) }),
        response: answers(schema.profit),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const now = netUsdt(context, await holdingsOf(context, user))
      await context.freshness.settled(user)
      return profitByDay(context, user, request.query.days, now)
    },
  )

  app.get(
    '/costs',
    {
      config: { auth: 'session' },
      schema: {
        ...{ tags, summary: 'Average cost and realised profit of each coin, over all accounts of the user' },
        ...{ querystring: nothing, response: answers(schema.costs) },
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      await context.freshness.settled(user)
      return costsOf(context.pool, user)
    },
  )
}

function faucetRoute(app: App, context: Context, limits: LimitsDesk): void {
  const book = new FaucetBook(context)
  app.post(
    '/sandbox/faucet',
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'Take practice funds; sandbox only',
        querystring: nothing,
        body: schema.faucet,
        response: answers(z.strictObject({ asset, amount: decimalOut })),
      },
    },
    async (request) => {
      if (context.mode !== 'sandbox') throw new Refused('SANDBOX_ONLY')
      const user = request.session.user as UserId
      const coin = context.listing.assetNamed(request.body.asset)
      const terms = context.faucet.find((one) => one.asset === coin.symbol)
      if (!terms) throw new Refused('ASSET_UNKNOWN', { field: 'asset' })
      const amount = readAmount(coin, terms.amount, 'amount')
      const takeBack = await limits.deposits.take(request.session.account, worthUsdt(context, coin.id, amount))
      let giveBack = takeBack
      try {
        const returned = await book.take(user, coin.id, amount, readAmount(coin, terms.dailyMax, 'dailyMax'), context.now())
        giveBack = async () => void (await Promise.all([returned(), takeBack()]))
        const { clientId } = request.body
        const outcome = await execute(context, user, { type: 'funds.faucet', user, clientId, asset: coin.id, amount })
        // If the answer was lost, the repeat may be of this request's own first sending, which paid out.
        if (outcome.isRepeat && outcome.isResent !== true) await giveBack()
      } catch (error) {
        if (error instanceof Refused && error.refusal !== 'STATUS_UNKNOWN') await giveBack()
        throw error
      }
      return { asset: coin.symbol, amount: amountText(coin, amount as Units) }
    },
  )
}

/** The market of an isolated Margin account. throws  Refused FIELD_MISSING, or FIELD_UNKNOWN when neither account is isolated */
function isolatedMarket(
  { listing }: Context,
  { from, to, symbol: name }: { readonly from: AccountKind; readonly to: AccountKind; readonly symbol?: string },
): ListedMarket | undefined {
  const isIsolated = from === 'margin-isolated' || to === 'margin-isolated'
  if (isIsolated && name === undefined) throw new Refused('FIELD_MISSING', { field: 'symbol' })
  if (!isIsolated && name !== undefined) throw new Refused('FIELD_UNKNOWN', { field: 'symbol' })
  return name === undefined ? undefined : listing.marketOfKind('spot', name)
}
