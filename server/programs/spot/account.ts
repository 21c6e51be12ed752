import type { Units } from '@candor/core/money/brand.ts'
import { amountText, type ListedMarket } from '../../live/listing.ts'
import type { Context } from '../context.ts'
import { type Rates, ratesOf } from '../rates.ts'
import type { ApiUser } from '../key-ring.ts'
import { formatFixed } from '@candor/core/money/units.ts'
import { lastEntryAt } from '../../store/query/programs/account.ts'

/** A ppm rate as a decimal fraction: 1000 is "0.00100000". */
export const rateText = (ppm: number): string => formatFixed(ppm * 100, 8)

/** The commission fields of an order: buyers and sellers pay the same. */
export function commission({ makerPpm, takerPpm }: Rates): object {
  return { maker: rateText(makerPpm), taker: rateText(takerPpm), buyer: rateText(0), seller: rateText(0) }
}

/** `GET account`: the spot account, with everything that this path shows. */
export async function spotAccount(context: Context, owner: ApiUser, omitsZero: boolean): Promise<object> {
  const { listing, ask, pool, freshness } = context
  await freshness.settled(owner.user)
  const [balances, tiers, updateTime] = await Promise.all([ask.balances(owner.user), ask.tier(owner.user), lastEntryAt(pool, owner.user)])
  const held = new Map(
    balances.filter(({ account }) => 'kind' in account && account.kind === 'spot').map((balance) => [balance.account.asset, balance]),
  )
  const market = listing.markets.find(({ wire }) => wire.kind === 'spot')
  const rates = market ? ratesOf(context, market, tiers) : { makerPpm: 0, takerPpm: 0 }
  const canTrade = owner.scopes.has('trade')
  return {
    makerCommission: Math.round(rates.makerPpm / 100),
    takerCommission: Math.round(rates.takerPpm / 100),
    buyerCommission: 0,
    sellerCommission: 0,
    commissionRates: commission(rates),
    canTrade,
    canWithdraw: owner.scopes.has('withdraw'),
    canDeposit: true,
    brokered: false,
    requireSelfTradePrevention: false,
    preventSor: false,
    updateTime: updateTime ?? owner.createdAt,
    accountType: 'SPOT',
    balances: listing.assets
      .filter(({ id }) => !omitsZero || held.has(id))
      .map((asset) => {
        const balance = held.get(asset.id)
        return {
          asset: asset.symbol,
          free: amountText(asset, balance?.available ?? (0 as Units)),
          locked: amountText(asset, balance?.held ?? (0 as Units)),
        }
      }),
    permissions: ['SPOT'],
    uid: Number(owner.uid),
  }
}

/** `GET account/commission`: no taxes, no discount. */
export async function spotCommission(context: Context, owner: ApiUser, market: ListedMarket): Promise<object> {
  const tiers = await context.ask.tier(owner.user)
  const none = commission({ makerPpm: 0, takerPpm: 0 })
  return {
    symbol: market.market.symbol,
    standardCommission: commission(ratesOf(context, market, tiers)),
    specialCommission: none,
    taxCommission: none,
    discount: { enabledForAccount: false, enabledForSymbol: false, discountAsset: '', discount: rateText(0) },
  }
}
