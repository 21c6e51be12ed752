import type { Command } from '@candor/core/protocol/command/index.ts'
import { marketPlans, userCount } from './plans.ts'
import type { Random } from './random.ts'

/** A command without branded types, as scripts build it. */
export type Loose = { readonly type: Command['type']; readonly [field: string]: unknown }

type Side = 'buy' | 'sell'

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

/** A short pause of a customer, or a mark of the staff. */
export function pause(random: Random, user: number, at: number, paceMs: number): Loose {
  if (random.chance(0.2)) return { type: 'user.staff', user, isStaff: random.chance(0.5) }
  return { type: 'user.rest', user, until: at + random.pick([-1, 0, 2, 20, 100, 1000]) * paceMs }
}

/** A change of terms, alone or as a decision by one or two people. */
export function decided(random: Random, change: Loose): Loose {
  if (random.chance(0.7)) return change
  return { type: 'exchange.operate', proposer: random.between(0, 2), approver: random.between(1, 2), reason: 'simulated', change }
}
