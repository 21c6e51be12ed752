import { formatUnits } from '@candor/core/money/units.ts'
import { feePpm } from '@candor/core/risk/orders.ts'
import type { Context } from '../../context.ts'
import { Names } from '../names.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'

const millionDigits = 6

/** What the account pays for trades, by its tier of 30 days. */
export function feeRoutes({ ask, data, listing }: Context): readonly Route[] {
  const names = new Names(data, 'spot')
  return [
    signedRoute(
      { method: 'GET', path: '/sapi/v1/asset/tradeFee', scope: 'read', weight: 1 },
      { symbol: param.symbol },
      async ({ symbol }, { user }) => {
        const markets = symbol === undefined ? listing.markets.filter(({ wire }) => wire.kind === 'spot') : [names.market(symbol)]
        const { tier } = await ask.tier(user)
        const paid = listing.fees[tier]
        return markets.map(({ market: { symbol: name, terms } }) => ({
          symbol: name,
          makerCommission: formatUnits(feePpm(terms.makerFeePpm, tier, paid?.makerPpm ?? terms.makerFeePpm), millionDigits),
          takerCommission: formatUnits(feePpm(terms.takerFeePpm, tier, paid?.takerPpm ?? terms.takerFeePpm), millionDigits),
        }))
      },
    ),
  ]
}
