import type { PerpAccountView } from '@candor/core/protocol/port.ts'
import type { Context } from '../context.ts'
import { amountText } from '../../live/listing.ts'
import { programName } from '../../live/program-names.ts'
import { ratesOf } from '../rates.ts'
import { positionWords } from './order-view.ts'
import type { ApiUser } from '../key-ring.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import {
  accountView,
  balanceView,
  bracketsOf,
  everyPosition,
  positionRisk,
  rateText,
  type Valued,
  valuedOf,
  valueMaxOf,
} from './account-view.ts'
import type { Desk } from './order-routes.ts'

const named = { symbol: param.symbol }

/** A user's balances, positions and limits in Futures. */
export function accountRoutes({ context, names }: Desk): readonly Route[] {
  const read = (path: string, weight: number) => ({ method: 'GET', path, scope: 'read', weight }) as const
  const account = (version: 'v2' | 'v3') =>
    signedRoute(read(`/fapi/${version}/account`, 5), {}, async (_values, user, { at }) => {
      const [view, positions] = await standing(context, user)
      const asV2 = version === 'v2' ? (await context.ask.tier(user.user)).perp : undefined
      return accountView(context.listing, view, positions, at, asV2)
    })
  const balance = (version: 'v2' | 'v3') =>
    signedRoute(read(`/fapi/${version}/balance`, 5), {}, async (_values, user, { at }) => {
      const [view, positions] = await standing(context, user)
      return [balanceView(context.listing, view, positions, user.uid, at)]
    })
  const risk = (version: 'v2' | 'v3') =>
    signedRoute(read(`/fapi/${version}/positionRisk`, 5), named, async ({ symbol }, user, { at }) => {
      const only = symbol === undefined ? undefined : names.market(symbol).market.id
      const [view, positions] = await standing(context, user)
      const shown = version === 'v2' ? everyPosition(context.listing, view, positions).map((one) => atMark(context, one)) : positions
      return shown
        .filter(({ market }) => only === undefined || market.market.id === only)
        .map((one) => positionRisk(one, at, version === 'v2'))
    })
  return [
    ...(['v2', 'v3'] as const).flatMap((version) => [account(version), balance(version), risk(version)]),
    signedRoute(read('/fapi/v1/accountConfig', 5), {}, async (_values, user) => ({
      feeTier: (await context.ask.tier(user.user)).perp.tier,
      ...{ canTrade: user.scopes.has('trade'), canDeposit: true, canWithdraw: user.scopes.has('withdraw') },
      dualSidePosition: (await context.ask.perpAccount(user.user)).isHedge,
      ...{ updateTime: 0, multiAssetsMargin: false, tradeGroupId: -1 },
    })),
    signedRoute(read('/fapi/v1/symbolConfig', 5), named, async ({ symbol }, user) => {
      const only = symbol === undefined ? undefined : names.market(symbol).market.id
      const { settings } = await context.ask.perpAccount(user.user)
      return names.all().flatMap(({ market, name }) => {
        const { id, perp } = market.market
        const setting = settings.find((one) => one.market === id)
        if (!setting || !perp || (only !== undefined && only !== id)) return []
        return {
          symbol: name,
          marginType: setting.mode === 'cross' ? 'CROSSED' : 'ISOLATED',
          isAutoAddMargin: false,
          leverage: setting.leverage,
          maxNotionalValue: amountText(market.quote, valueMaxOf(perp, setting.leverage)),
        }
      })
    }),
    signedRoute(read('/fapi/v1/leverageBracket', 1), named, ({ symbol }) => {
      const markets =
        symbol === undefined ? names.all().map(({ market, name }) => ({ market, name })) : [{ market: names.market(symbol), name: symbol }]
      return markets.map(({ market, name }) => ({ symbol: name, notionalCoef: 1, brackets: bracketsOf(market) }))
    }),
    signedRoute(read('/fapi/v1/commissionRate', 20), { symbol: param.mandatory(param.symbol) }, async ({ symbol }, { user }) => {
      const { makerPpm, takerPpm } = ratesOf(context, names.market(symbol), await context.ask.tier(user))
      return { symbol, makerCommissionRate: rateText(makerPpm), takerCommissionRate: rateText(takerPpm) }
    }),
    signedRoute(read('/fapi/v1/adlQuantile', 5), named, async ({ symbol }, user) => {
      const only = symbol === undefined ? undefined : names.market(symbol).market.id
      const [view, positions] = await standing(context, user)
      return quantiles(
        view,
        positions.filter(({ market }) => only === undefined || market.market.id === only),
      )
    }),
  ]
}

/** The account from the core, and its positions valued at the mark. */
async function standing(context: Context, { user }: ApiUser): Promise<readonly [PerpAccountView, readonly Valued[]]> {
  const view = await context.ask.perpAccount(user)
  context.data.contracts.learnRanks(view.positions)
  return [view, valuedOf(context.listing, context.data.contracts, view)]
}

/** Even a position that does not exist has a mark. */
const atMark = ({ data }: Context, one: Valued): Valued =>
  one.position.lots === 0 ? { ...one, mark: data.contracts.mark(one.market.market.id) ?? 0 } : one

/** Position in the queue of auto-deleveraging, 0 to 4: 4 is closed first. */
function quantiles({ isHedge }: PerpAccountView, positions: readonly Valued[]): readonly object[] {
  const bySymbol = new Map<string, Record<string, number>>()
  for (const { market, position } of positions) {
    const symbol = programName(market)
    const ranks = bySymbol.get(symbol) ?? (isHedge ? { LONG: 0, SHORT: 0 } : { LONG: 0, SHORT: 0, BOTH: 0 })
    ranks[positionWords[position.side]] = position.adlRank - 1
    bySymbol.set(symbol, ranks)
  }
  return [...bySymbol].map(([symbol, adlQuantile]) => ({ symbol, adlQuantile }))
}
