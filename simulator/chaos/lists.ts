import { list } from '../made.ts'
import type { Loose } from '../scripts.ts'
import { available, lastOf, lotsFor, type Scene } from './orders.ts'
import { spotMarkets } from './plans.ts'

/** A list of the spot account: orders that wait for a working one, or a pair whose legs may trail or be icebergs. */
export function orderList(scene: Scene): Loose {
  const { random, clientId } = scene
  const plan = random.pick(spotMarkets)
  const user = scene.user()
  const mid = lastOf(scene, plan)
  const has = available(scene, user, undefined, random.chance(0.7) ? plan.base : plan.quote, plan.market)
  const lots = (): number => lotsFor(random, plan, 'sell', mid, has * random.pick([0.1, 0.5, 0.95]))
  return list(random, plan.market, mid, { user: () => user, clientId, lots })
}
