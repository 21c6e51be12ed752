import type { Command } from '@candor/core/protocol/command/index.ts'
import type { MarketTerms } from '@candor/core/protocol/market.ts'
import { assets, marketPlans, tiers, userCount } from './plans.ts'
import type { Random } from './random.ts'

/** A command without branded types, as scripts build it. */
export type Loose = { readonly type: Command['type']; readonly [field: string]: unknown }

type Side = 'buy' | 'sell'

/** Lists the assets and markets, sets the fees, and opens the users. */
export function listings(termsOf: (market: number) => MarketTerms): readonly Loose[] {
  return [
    ...assets.map(({ symbol, scale }) => ({ type: 'asset.list' as const, symbol, scale })),
    ...marketPlans.map(({ symbol, base, quote, tick, lot }, i) => ({
      ...{ type: 'market.list' as const, symbol, base, quote, tick, lot },
      terms: termsOf(i),
    })),
    { type: 'fees.set', tiers },
    ...Array.from({ length: userCount }, (_, i) => ({
      ...{ type: 'user.open' as const, requestId: `open-${i}`, class: 'retail', referrer: 0 },
    })),
  ]
}

/**
 * Places more stops at one price than one command can trigger, a trade that reaches that price, and sometimes a halt before all stops
 * have been triggered.
 *
 * quote   a small limit order in that market
 */
export function cascade(
  random: Random,
  mid: number,
  halt: Loose,
  quote: (user: number, side: Side, price: number) => Loose,
): readonly Loose[] {
  const trading = (user: number, side: Side, price: number, size: number): Loose => {
    const order = quote(user, side, price)
    return { ...order, lots: (order['lots'] as number) * size, selfTrade: 'none' }
  }
  const stops = Array.from({ length: random.between(34, 60) }, (_, i) => ({
    ...quote(1 + (i % userCount), random.chance(0.5) ? 'buy' : 'sell', mid + random.between(0, 9)),
    trigger: { kind: 'stop', price: mid + 4, direction: 'rises-to' },
  }))
  const tick: Loose = { type: 'clock.tick' }
  return [
    trading(5, 'buy', mid - 2, 1),
    trading(2, 'sell', mid - 2, 20),
    ...stops,
    trading(4, 'sell', mid + 6, 9),
    trading(5, 'buy', mid + 6, 40),
    ...(random.chance(0.6) ? [halt] : []),
    tick,
    tick,
  ]
}

/** Places more orders of user 1, far from the price, than one command can cancel. */
export function pile(
  random: Random,
  mids: readonly number[],
  quote: (market: number, user: number, side: Side, price: number) => Loose,
): readonly Loose[] {
  return Array.from({ length: 230 }, (_, i) => {
    const market = i % marketPlans.length
    return { ...quote(market, 1, 'buy', (mids[market] as number) - 60 - random.between(0, 100)), isPostOnly: true }
  })
}

type Now = { readonly clientId: () => string; readonly at: number; readonly paceMs: number; readonly isProduction: boolean }

/** What operators and customers change about a user: the house, a pause, the staff, the certificate, a freeze; or a new user. */
export function aboutUser(random: Random, user: number, users: number, { clientId, at, paceMs, isProduction }: Now): Loose {
  if (random.chance(0.3)) return { type: 'user.house', user, isHouse: random.chance(0.7) }
  if (random.chance(0.15)) {
    if (random.chance(0.2)) return { type: 'user.staff', user, isStaff: random.chance(0.5) }
    return { type: 'user.rest', user, until: at + random.pick([-1, 0, 2, 20, 100, 1000]) * paceMs }
  }
  if (isProduction && random.chance(0.6)) return { type: 'user.certify', user, isCertified: random.chance(0.5) }
  return random.chance(0.3)
    ? { type: 'user.open', requestId: clientId(), class: 'bench', referrer: random.between(0, users + 1) }
    : { type: 'user.set', user, isFrozen: random.chance(0.4) }
}

/** A change of terms, alone or as a decision by one or two people. */
export function decided(random: Random, change: Loose): Loose {
  if (random.chance(0.7)) return change
  return signed(change, random.between(0, 2), random.between(1, 2))
}

export function signed(change: Loose, proposer: number, approver: number): Loose {
  return { type: 'exchange.operate', proposer, approver, reason: 'simulated', change }
}

/** The size of a price jump: mostly a few percent, sometimes far beyond the triggers of conditional orders. */
export function jump(random: Random): number {
  const width = random.chance(0.3) ? 0.35 : 0.07
  return 1 - width + 2 * width * random.unit()
}
