import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Loose } from '../scripts.ts'
import { sum } from './numbers.ts'
import type { Scene } from './orders.ts'
import { assets, users } from './plans.ts'

/** Of users whom nobody invited: the firm's main account, and a further one. */
const [main, desk] = [users[4], users[8]]

/** The firm that every run has from the beginning. */
export function openFirm(): readonly Loose[] {
  return [
    { type: 'firm.join', user: main, main },
    { type: 'firm.join', user: desk, main },
  ]
}

/** A move, mostly within the firm, terms, or somebody who joins. */
export function firmCommand(scene: Scene): Loose {
  const { random, exchange } = scene
  const kind = random.weighted({ move: 12, terms: 2, join: 1 })
  const any = (): number => random.between(1, users.length + 2)
  if (kind === 'join') return { type: 'firm.join', user: any(), main: random.pick([main, any()]) }
  if (kind === 'terms') {
    const terms = { tier: random.pick([0, 0, 1, 1, 2, -1]), withdrawMax: random.pick([0, 1e9, 300e9, 2 ** 48, -1]) }
    return { type: 'firm.setTerms', main: random.pick([main, main, any()]), ...terms }
  }
  const [from, to] = random.chance(0.8) ? random.pick([[main, desk] as const, [desk, main] as const]) : [any(), any()]
  const asset = random.chance(0.6) ? 1 : random.between(1, assets.length)
  const has = exchange
    .balances(from as UserId)
    .find(({ account }) => 'kind' in account && account.kind === 'spot' && account.asset === asset)
  return { type: 'firm.move', user: from, clientId: scene.clientId(), to, asset, amount: sum(random, has?.available ?? 1) }
}
