import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { MarginAccount } from '@candor/core/protocol/port.ts'
import type { Context } from '../context.ts'
import { amountText, type ListedMarket } from '../../live/listing.ts'
import { ApiError } from '../errors.ts'
import { assetName, notMarginAsset } from '../funds/values.ts'
import { worthIn, worthText } from '../funds/worth.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import { balanceIn, coinOf, isolatedOf, levelText, totalsInBtc } from './accounts.ts'
import { nameList, namesOf, Pairs } from './pairs.ts'

const symbolsMax = 5
const get = (path: string, weight: number) => ({ method: 'GET', path: `/sapi/v1/margin/${path}`, weight, scope: 'read' }) as const

/** Balances and debts of the cross account and of isolated ones, and how much more they could borrow or transfer out. */
export function marginAccountRoutes(context: Context): readonly Route[] {
  const { ask, listing } = context
  const pairs = new Pairs(context)

  /** throws  ApiError -3027 for an asset that the account can't hold */
  const asked = async (user: UserId, name: string, symbol: string | undefined) => {
    const asset = pairs.asset(name)
    const market = symbol === undefined ? undefined : pairs.market(symbol)
    const account = await marginAccount(context, user, market)
    if (account?.balances.every(({ asset: id }) => id !== asset.id) ?? true) throw notMarginAsset()
    return { asset, balance: balanceIn(account, asset) }
  }
  const assetParams = { asset: param.mandatory(assetName), isolatedSymbol: param.symbol }

  return [
    signedRoute(get('account', 10), {}, async (_values, { user }) => {
      const [account, terms] = await Promise.all([marginAccount(context, user, undefined), ask.marginTerms()])
      const isOpen = terms?.isOpen === true
      const [totalAssetOfBtc, totalLiabilityOfBtc, totalNetAssetOfBtc] = totalsInBtc(context, account ? [account] : [])
      const usdt = listing.assetNamed('USDT')
      const level = account ? levelText(account) : '999'
      return {
        created: account !== undefined,
        borrowEnabled: isOpen,
        ...{ marginLevel: level, collateralMarginLevel: level },
        ...{ totalAssetOfBtc, totalLiabilityOfBtc, totalNetAssetOfBtc },
        TotalCollateralValueInUSDT: worthText(worthIn(context, usdt, account?.assets ?? 0, usdt)),
        ...{ tradeEnabled: isOpen, transferEnabled: isOpen, transferInEnabled: isOpen, transferOutEnabled: true },
        accountType: 'MARGIN_1',
        userAssets: account?.balances.map((balance) => coinOf(listing.asset(balance.asset), balance)) ?? [],
      }
    }),

    signedRoute(get('isolated/account', 10), { symbols: nameList }, async ({ symbols }, { user }) => {
      const [all, terms] = await Promise.all([ask.marginAccounts(user), ask.marginTerms()])
      const used = all.filter(({ market }) => market !== 0)
      if (symbols === undefined) {
        const [totalAssetOfBtc, totalLiabilityOfBtc, totalNetAssetOfBtc] = totalsInBtc(context, used)
        const assets = terms === null ? [] : used.map((account) => isolatedOf(context, listing.market(account.market), account, terms))
        return { assets, totalAssetOfBtc, totalLiabilityOfBtc, totalNetAssetOfBtc }
      }
      const names = namesOf(symbols)
      if (names.length > symbolsMax) throw new ApiError(-1128, `At most ${symbolsMax} symbols.`)
      const markets = names.map((name) => pairs.market(name))
      const accounts = await Promise.all(markets.map((market) => marginAccount(context, user, market)))
      const assets = accounts.flatMap((account, i) =>
        account === undefined || terms === null ? [] : [isolatedOf(context, markets[i] as ListedMarket, account, terms)],
      )
      return { assets }
    }),

    signedRoute(get('isolated/accountLimit', 1), {}, async (_values, { user }) => {
      const used = (await ask.marginAccounts(user)).filter(({ market }) => market !== 0)
      return { enabledAccount: used.length, maxAccount: pairs.all.length }
    }),

    signedRoute(get('maxBorrowable', 50), assetParams, async (values, { user }) => {
      const { asset, balance } = await asked(user, values.asset, values.isolatedSymbol)
      const { room } = await pairs.pool(asset)
      return { amount: amountText(asset, balance.borrowable), borrowLimit: amountText(asset, room) }
    }),

    signedRoute(get('maxTransferable', 50), assetParams, async (values, { user }) => {
      const { asset, balance } = await asked(user, values.asset, values.isolatedSymbol)
      return { amount: amountText(asset, balance.transferable) }
    }),
  ]
}

/** The cross account, or the isolated one of a market, even if it never had a balance; undefined before terms are set. */
async function marginAccount({ ask }: Context, user: UserId, market: ListedMarket | undefined): Promise<MarginAccount | undefined> {
  const id = (market?.market.id ?? 0) as MarketId
  const accounts = await ask.marginAccounts(user, id === 0 ? undefined : id)
  return accounts.find((account) => account.market === id)
}
