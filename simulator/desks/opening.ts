import type { Random } from '../random.ts'
import type { Loose } from '../scripts.ts'
import {
  assets,
  perpMarkets,
  perpTiers,
  houseFund,
  lender,
  makers,
  marginTerms,
  marketTerms,
  optionTerms,
  perpTerms,
  spotMarkets,
  stranger,
} from './plans.ts'
import { traders } from './plans.ts'

/** Lists all assets and markets, opens all products, and gives everybody money: much to the market makers, little to the traders. */
export function opening(random: Random): readonly Loose[] {
  const users = Array.from({ length: stranger }, (_, i) => i + 1)
  const listing = (plan: (typeof spotMarkets)[number]): object => {
    const { symbol, base, quote, tick, lot } = plan
    return { symbol, base, quote, tick, lot }
  }
  const index = spotMarkets.map(({ market, mid, indexPerTick }) => ({ market, price: mid * indexPerTick, sources: 4, isGood: true }))
  return [
    ...assets.map(({ symbol, scale }) => ({ type: 'asset.list' as const, symbol, scale })),
    ...spotMarkets.map((plan) => ({ type: 'market.list' as const, ...listing(plan), terms: marketTerms(false) })),
    ...perpMarkets.map((plan) => {
      const terms = { terms: marketTerms(true), perp: perpTerms(plan.market) }
      return { type: 'perp.list' as const, ...listing(plan), ...terms }
    }),
    { type: 'fees.set', tiers: [{ volumeMin: 0, makerPpm: 1000, takerPpm: 1000 }], perpTiers },
    { type: 'margin.setTerms', terms: marginTerms },
    { type: 'option.setTerms', terms: optionTerms },
    { type: 'funds.system', account: 'option-house', asset: 1, amount: houseFund },
    { type: 'funds.system', account: 'insurance', asset: 1, amount: random.pick([1, 1, 50, 2000, 100_000]) * 1_000_000 },
    { type: 'index.tick', prices: index },
    ...users.map((user) => ({ type: 'user.open' as const, requestId: `desk-${user}`, class: 'retail', referrer: 0 })),
    ...users.filter((user) => user !== stranger).map((user) => ({ type: 'user.certify' as const, user, isCertified: true })),
    ...users.flatMap((user) => [1, 2, 3].map((asset) => faucet(random, user, asset))),
    ...makers.map((user) => transfer(user, 'perp', 40_000_000e6)),
    ...makers.flatMap((user) => perpMarkets.map(({ market }) => ({ type: 'perp.setLeverage' as const, user, market, leverage: 5 }))),
    ...[150_000e6, 3e8, 60e8].map((amount, i) => ({ type: 'lend.supply' as const, user: lender, clientId: '', asset: i + 1, amount })),
    ...traders.flatMap((user) => [
      { type: 'option.admit' as const, user },
      transfer(user, 'perp', random.between(100, 4000) * 1_000_000),
      transfer(user, 'option', random.between(50, 3000) * 1_000_000),
      transfer(user, 'margin-cross', random.between(500, 4000) * 1_000_000),
      { ...transfer(user, 'margin-isolated', random.between(500, 4000) * 1_000_000), market: random.between(1, 2) },
      ...perpMarkets.map(({ market }) => ({
        type: 'perp.setLeverage' as const,
        user,
        market,
        leverage: market === 4 ? 10 : random.pick([20, 50]),
      })),
      ...(random.chance(0.5) ? [{ type: 'perp.setMarginMode' as const, user, market: 4, mode: 'cross' }] : []),
      ...(random.chance(0.5) ? [{ type: 'perp.setMarginMode' as const, user, market: 5, mode: 'cross' }] : []),
      ...(random.chance(0.25) ? [{ type: 'perp.setHedgeMode' as const, user, isHedge: true }] : []),
    ]),
  ]
}

function transfer(user: number, to: string, amount: number): Loose {
  return { type: 'funds.transfer', user, clientId: '', asset: 1, from: 'spot', to, amount }
}

function faucet(random: Random, user: number, asset: number): Loose {
  const sums =
    user <= makers.length ? [100_000_000e6, 2000e8, 40_000e8] : user === lender ? [1_000_000e6, 20e8, 400e8] : [20_000e6, 0.3e8, 5e8]
  return { type: 'funds.faucet', user, clientId: '', asset, amount: Math.ceil((sums[asset - 1] as number) * (0.7 + 0.3 * random.unit())) }
}
