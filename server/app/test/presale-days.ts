import type { Asset } from '@candor/core/protocol/market.ts'
import { Scenario, usdt } from '../../store/query/test/scenario.ts'

const dayMs = 86_400_000
const hour = 3_600_000

/**
 * On the day that begins at midnight user 1 subscribes 300 USDT, and on the next one gets 50 tokens at 3 USDT each and the rest back. User 2
 * subscribes 400 USDT to another presale, which is cancelled. Each has 1,000 USDT before.
 */
export function presaleDays(midnight: number): Scenario {
  const world = new Scenario(midnight - hour)
  const token = { id: 9, symbol: 'NEW', scale: 4 } as Asset
  world.command({ type: 'asset.listed', asset: token })
  const terms = { token: 9, pay: 1, price: { pay: 300, per: 1 }, endsAt: midnight + dayMs }
  const spot = (user: number, asset: Asset) => ({ user, kind: 'spot', asset: asset.id })
  for (const user of [1, 2]) {
    world.open(user)
    world.command(world.entry(spot(user, usdt), 'deposit', 1_000_000_000))
    world.command({ type: 'presale.set', presale: user, terms })
  }
  world.at = midnight + hour
  const sums = new Map<number, readonly number[]>([
    [1, [100_000_000, 200_000_000]],
    [2, [400_000_000]],
  ])
  for (const [user, amounts] of sums)
    for (const [at, amount] of amounts.entries()) {
      const total = amounts.slice(0, at + 1).reduce((sum, one) => sum + one, 0)
      const event = { type: 'presale.subscribed', presale: user, user, amount, total, subscribed: total, subscribers: 1 }
      world.command(world.entry(spot(user, usdt), 'presale-subscribe', -amount), event)
    }
  world.at = midnight + dayMs
  world.command(
    ...[world.entry(spot(1, token), 'presale-allocate', 500_000), world.entry(spot(1, usdt), 'presale-refund', 150_000_000)],
    { type: 'presale.allocated', presale: 1, user: 1, allocated: 500_000, cost: 150_000_000, refunded: 150_000_000, released: 0 },
    { type: 'presale.ended', presale: 1, outcome: 'allocated', sold: 500_000, proceeds: 150_000_000 },
  )
  world.command(
    world.entry(spot(2, usdt), 'presale-refund', 400_000_000),
    { type: 'presale.allocated', presale: 2, user: 2, allocated: 0, cost: 0, refunded: 400_000_000, released: 0 },
    { type: 'presale.ended', presale: 2, outcome: 'cancelled', sold: 0, proceeds: 0 },
  )
  return world
}
