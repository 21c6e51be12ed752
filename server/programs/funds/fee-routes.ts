import { formatUnits } from '@candor/core/money/units.ts'
import type { Context } from '../context.ts'
import { Names } from '../names.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import { ratesOf } from '../rates.ts'

const millionDigits = 6
const fraction = (ppm: number): string => formatUnits(ppm, millionDigits)

/** Trading fees of the account, by its tier of 30 days. */
export function feeRoutes(context: Context): readonly Route[] {
  const { ask, data, listing } = context
  const names = new Names(data, 'spot')
  return [
    signedRoute(
      { method: 'GET', path: '/sapi/v1/asset/tradeFee', scope: 'read', weight: 1 },
      { symbol: param.symbol },
      async ({ symbol }, { user }) => {
        const markets = symbol === undefined ? listing.markets.filter(({ wire }) => wire.kind === 'spot') : [names.market(symbol)]
        const tiers = await ask.tier(user)
        return markets.map((market) => {
          const { makerPpm, takerPpm } = ratesOf(context, market, tiers)
          return { symbol: market.market.symbol, makerCommission: fraction(makerPpm), takerCommission: fraction(takerPpm) }
        })
      },
    ),
  ]
}
