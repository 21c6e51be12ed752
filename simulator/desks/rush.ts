import type { Loose } from '../scripts.ts'
import type { PerpDesk } from './perp.ts'
import type { Maker } from './maker.ts'
import { makers, marketTerms, perpTerms, traders } from './plans.ts'

const market = 5
/** Part of a position that one liquidation step closes: so small that one command can't finish the queue. */
const stepPpm = 20_000

/**
 * Many traders on one side at full leverage, a price that liquidates all of them at once, and a small liquidation step, so that one
 * command can't finish. Traders under liquidation try to trade meanwhile.
 */
export function rush(maker: Maker, desk: PerpDesk): readonly Loose[] {
  const { random, known, prices } = maker
  const mid = known.mark(market) ?? prices.mid(market)
  const side = random.pick(['buy', 'sell'] as const)
  const other = side === 'buy' ? 'sell' : 'buy'
  const away = side === 'buy' ? 1 : -1
  const cleared = makers.map((user) => ({ type: 'spot.cancelAll' as const, user, clientId: '', market }))
  const deep = (of: 'buy' | 'sell', price: number): Loose => desk.quote(random.pick(makers), market, of, Math.round(price), 20_000)
  const positions = traders.flatMap((user) => {
    const amount = random.between(100, 300) * 1_000_000
    const lots = Math.max(1, Math.floor((amount * 0.9 * 40) / (mid * 1000)))
    return [
      { type: 'funds.faucet' as const, user, clientId: '', asset: 1, amount },
      { type: 'funds.transfer' as const, user, clientId: '', asset: 1, from: 'spot', to: 'perp', amount },
      { type: 'perp.setLeverage' as const, user, market, leverage: 40 },
      {
        ...desk.quote(user, market, side, Math.round(mid * (1 + 0.002 * away)), lots),
        position: known.hedged.has(user) ? (side === 'buy' ? 'long' : 'short') : 'both',
      },
    ]
  })
  const index = prices.jump(2, 1 - 0.019 * away)
  return [
    { type: 'perp.set', market, terms: marketTerms(true), perp: perpTerms(market, stepPpm) },
    ...cleared,
    deep(other, mid * (1 + 0.001 * away)),
    ...positions,
    ...cleared,
    deep(side, mid * (1 - 0.016 * away)),
    index,
    ...traders.map((user) => desk.orderOf(user, market)),
    { type: 'clock.tick' },
    ...traders.slice(0, 4).map((user) => desk.orderOf(user, market)),
    ...(random.chance(0.5) ? [prices.jump(2, 1 - 0.1 * away), ...traders.slice(4).map((user) => desk.orderOf(user, market))] : []),
    { type: 'clock.tick' },
    { type: 'clock.tick' },
    { type: 'perp.set', market, terms: marketTerms(true), perp: perpTerms(market) },
  ]
}
