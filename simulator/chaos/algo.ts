import { scaledShapes } from '@candor/core/protocol/command/algo.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Loose } from '../scripts.ts'
import type { Scene } from './orders.ts'
import { perpMarkets, spotMarkets } from './plans.ts'
import type { ChaosMarket } from './plans.ts'

const minute = 60_000

/** An order in parts: a TWAP order, a scaled one, or the end of either. `running`: those that have not ended. */
export function algoCommand(scene: Scene, running: readonly { readonly algo: number; readonly user: number }[]): Loose {
  const { random } = scene
  if (running.length > 0 && random.chance(0.2)) {
    const { algo, user } = random.pick(running)
    return { type: 'algo.cancel', user: random.chance(0.95) ? user : scene.user(), clientId: scene.clientId(), algo }
  }
  const plan = random.pick(random.chance(0.5) ? spotMarkets : perpMarkets)
  const user = scene.user()
  const side = random.pick(['buy', 'sell'] as const)
  const ofPerp = plan.index === 0 ? {} : { position: positionOf(scene, user) }
  const value = random.pick([300, 3000, 30_000]) * 1e6 * random.unit()
  const lots = Math.max(1, Math.floor(value / (scene.mid(plan.market) * plan.unit)))
  const isReduceOnly = plan.index !== 0 && random.chance(0.25)
  const shared = { type: 'algo.place' as const, user, clientId: scene.clientId(), market: plan.market, side, ...ofPerp, isReduceOnly, lots }
  return random.chance(0.6) ? { ...shared, ...timed(scene, plan) } : { ...shared, ...spread(scene, plan, side) }
}

function timed({ random, mid }: Scene, { market }: ChaosMarket): object {
  const parts = random.pick([2, 3, 5, 10, 30, random.between(0, 501)])
  const durationMs = random.pick([5 * minute, 6 * minute, 60 * minute, random.between(minute, 1500 * minute)])
  const worst = random.chance(0.5) ? 0 : Math.round(mid(market) * random.pick([0.9, 0.99, 1, 1.01, 1.1]))
  return { parts, plan: { kind: 'twap', durationMs, worst } }
}

function spread({ random, mid }: Scene, { market }: ChaosMarket, side: 'buy' | 'sell'): object {
  const middle = mid(market)
  const away = (): number => Math.max(1, Math.round(middle * random.pick([0.001, 0.01, 0.05, 0.3]) * random.unit()))
  const ends = [0, 0].map(() => Math.max(1, (side === 'buy') === random.chance(0.9) ? middle - away() : middle + away()))
  return {
    parts: random.between(2, random.chance(0.9) ? 8 : 31),
    plan: { kind: 'scaled', from: ends[0], to: ends[1], shape: random.pick(scaledShapes) },
  }
}

function positionOf({ random, exchange }: Scene, user: number): 'both' | 'long' | 'short' {
  return exchange.perpAccount(user as UserId).isHedge !== random.chance(0.02) ? random.pick(['long', 'short']) : 'both'
}
