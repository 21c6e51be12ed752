import type { UserTiers } from '@candor/core/protocol/market.ts'
import { feePpm } from '@candor/core/risk/orders.ts'
import type { ListedMarket } from '../live/listing.ts'
import type { Context } from './context.ts'

export type Rates = { readonly makerPpm: number; readonly takerPpm: number }

/** A user's fee rates in a market, according to the tier in its product. */
export function ratesOf({ listing }: Pick<Context, 'listing'>, { market }: ListedMarket, { tier: spotTier, perp }: UserTiers): Rates {
  const [tier, fees] = market.perp === undefined ? [spotTier, listing.fees] : [perp.tier, listing.perpFees]
  const step = fees[tier]
  const { makerFeePpm, takerFeePpm } = market.terms
  if (!step) return { makerPpm: makerFeePpm, takerPpm: takerFeePpm }
  return { makerPpm: feePpm(makerFeePpm, tier, step.makerPpm), takerPpm: feePpm(takerFeePpm, tier, step.takerPpm) }
}
