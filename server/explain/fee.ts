import type { Lots, Ppm, Units } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { Event, Traded } from '@candor/core/protocol/event/index.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import type { FeeTier, Market, UserTiers } from '@candor/core/protocol/market.ts'
import type { FeeExplanation } from '@candor/core/protocol/wire/explain/explanation.ts'
import { fee, feePpm, tierOf } from '@candor/core/risk/orders.ts'
import { Differs } from './differs.ts'
import type { Words } from './words.ts'

const ppmDigits = 6

export type FeeFacts = {
  readonly words: Words
  readonly market: Market
  readonly user: UserId
  readonly trade: Traded
  readonly isMaker: boolean
  /** The user's tiers at the time of the command, before it. */
  readonly tiers: UserTiers
  /** Events of the command before the trade. */
  readonly earlier: readonly Event[]
}

/**
 * The fee of one side of a trade: rate, base and rounding.
 *
 * throws  Differs when they don't give the fee that the trade has
 */
export function explainFee(facts: FeeFacts): FeeExplanation {
  const { words, market, trade, isMaker, tiers } = facts
  const own = market.perp === undefined ? tiers : tiers.perp
  const { asset, base } = baseOf(facts)
  const marketPpm = isMaker ? market.terms.makerFeePpm : market.terms.takerFeePpm
  const { tier, tierPpm, source } = isLiquidation(facts)
    ? ({ tier: own.tier, tierPpm: undefined, source: 'none' } as const)
    : rateOf(facts, marketPpm)
  const ratePpm = source === 'none' ? 0 : source === 'market' ? marketPpm : tierPpm!
  const due = fee(base, ratePpm as Ppm)
  const paid = isMaker ? trade.makerFee : trade.takerFee
  if (market.perp === undefined ? paid !== due : paid > due)
    throw new Differs(`the fee of trade ${trade.trade} is ${paid} instead of ${due}`)
  const { scale, symbol } = words.asset(asset)
  return {
    asset: symbol,
    amount: words.sum(paid, asset),
    base: words.sum(base, asset),
    ratePpm,
    source,
    marketPpm,
    tier,
    ...(tierPpm === undefined ? {} : { tierPpm }),
    volume: words.usdt(own.volume),
    exact: formatUnits(BigInt(base) * BigInt(ratePpm), scale + ppmDigits),
    ...(paid === due ? {} : { due: words.sum(due, asset) }),
  }
}

/** In spot markets what the side receives, in Futures the value of the trade. */
function baseOf({ market, trade, isMaker }: FeeFacts): { readonly asset: AssetId; readonly base: Units } {
  const isBuy = (trade.takerSide === 'buy') !== isMaker
  if (market.perp !== undefined || !isBuy) return { asset: market.quote, base: trade.quote }
  return { asset: market.base, base: (trade.lots * market.basePerLot) as Units }
}

type Rate = { readonly tier: number; readonly tierPpm: Ppm | undefined; readonly source: 'market' | 'tier' | 'terms' }

/** The tier rises within a command as soon as an earlier trade of it lifts the volume. */
function rateOf({ words, market, user, isMaker, tiers, earlier }: FeeFacts, marketPpm: Ppm): Rate {
  const isPerp = market.perp !== undefined
  const { tier: before, volume } = isPerp ? tiers.perp : tiers
  const changed = isPerp ? 'perp.tierChanged' : 'user.tierChanged'
  const rise = earlier.findLast((event) => event.type === changed && event.user === user)
  const tier = rise !== undefined && 'tier' in rise ? rise.tier : before
  const schedule: readonly FeeTier[] = isPerp ? words.listing.perpFees : words.listing.fees
  const of = schedule[tier]
  if (tier === 0 || of === undefined) return { tier, tierPpm: undefined, source: 'market' }
  const tierPpm = isMaker ? of.makerPpm : of.takerPpm
  if (feePpm(marketPpm, tier, tierPpm) === marketPpm) return { tier, tierPpm, source: 'market' }
  return { tier, tierPpm, source: tier === before && tierOf(schedule, volume) < tier ? 'terms' : 'tier' }
}

/** A step of a liquidation, or the insurance fund, takes without a trading fee. */
function isLiquidation({ trade, isMaker, earlier }: FeeFacts): boolean {
  return (
    !isMaker &&
    earlier.some((event) => event.type === 'order.accepted' && event.order === trade.takerOrder && event.perp?.isLiquidation === true)
  )
}

/** Lots of the trades of one order. */
export const lotsOf = (trades: readonly Traded[]): Lots => trades.reduce((sum, { lots }) => sum + lots, 0) as Lots
