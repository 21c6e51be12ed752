import type { Units } from '@candor/core/money/brand.ts'
import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireAccount, WireBalances } from '@candor/core/protocol/wire/funds.ts'
import { z } from 'zod'
import { Refused } from '../../../refused.ts'
import { records } from '../../../store/query/funds.ts'
import type { App } from '../../app.ts'
import { type Context, execute } from '../../context.ts'
import { answers, asset, cursor, decimalOut, nothing, queryInteger, queryMillis } from '../../http/schema.ts'
import { amountText, readAmount } from '../../market/listing.ts'
import { balances, faucet, record, recordType, transfer } from './schema.ts'
import { todayProfit, totalUsdt, usdtText } from './worth.ts'

const tags = ['funds']

export function fundsRoutes(app: App, context: Context): void {
  app.get(
    '/balances',
    {
      config: { auth: 'session' },
      schema: { tags, summary: 'Everything that the user has', querystring: nothing, response: answers(balances) },
    },
    async (request): Promise<WireBalances> => {
      const user = request.session.user as UserId
      const held = await context.ask.balances(user)
      const kinds = new Map<AccountKind, WireAccount['balances'][number][]>()
      for (const { account, available, held: bound } of held) {
        if (!('user' in account)) continue
        const coin = context.listing.asset(account.asset)
        const list = kinds.get(account.kind) ?? []
        list.push({ asset: coin.symbol, available: amountText(coin, available), held: amountText(coin, bound) })
        kinds.set(account.kind, list)
      }
      const total = totalUsdt(context, held)
      await context.freshness.settled(user)
      return {
        accounts: [...kinds].map(([kind, list]) => ({ kind, balances: list })),
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
        summary: 'Movements on the accounts, newest first',
        querystring: z.strictObject({
          type: recordType.exactOptional(),
          asset: asset.exactOptional(),
          from: queryMillis.exactOptional(),
          to: queryMillis.exactOptional(),
          before: cursor.exactOptional(),
          limit: queryInteger(1, 200).exactOptional(),
        }),
        response: answers(z.strictObject({ items: z.array(record), next: cursor.exactOptional() })),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      if (request.query.asset !== undefined) context.listing.assetNamed(request.query.asset)
      await context.freshness.settled(user)
      return records(context.pool, user, request.query)
    },
  )

  app.post(
    '/transfer',
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'Move an asset between two own accounts',
        querystring: nothing,
        body: transfer,
        response: answers(z.strictObject({ id: z.string() })),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const { clientId, from, to } = request.body
      const coin = context.listing.assetNamed(request.body.asset)
      const amount = readAmount(coin, request.body.amount, 'amount')
      const outcome = await execute(context, user, { type: 'funds.transfer', user, clientId, asset: coin.id, from, to, amount })
      return { id: String(outcome.seq) }
    },
  )

  app.post(
    '/sandbox/faucet',
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'Take test funds; sandbox only',
        querystring: nothing,
        body: faucet,
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
      const giveBack = await context.faucetBook.take(user, coin.id, amount, readAmount(coin, terms.dailyMax, 'dailyMax'), context.now())
      try {
        const { clientId } = request.body
        const outcome = await execute(context, user, { type: 'funds.faucet', user, clientId, asset: coin.id, amount })
        if (outcome.isRepeat) giveBack()
      } catch (error) {
        if (error instanceof Refused && error.refusal !== 'STATUS_UNKNOWN') giveBack()
        throw error
      }
      return { asset: coin.symbol, amount: amountText(coin, amount as Units) }
    },
  )
}
