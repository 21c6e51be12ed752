import { BTC, USDT } from '../coins.ts'
import type { Stage } from '../stage.ts'

/** Orders of Second with the tightest guard: what starts badly is void, what starts well runs. Bets with the last move of the price. */
export function guardVoids(stage: Stage): void {
  const user = stage.attacker(5000)
  stage.run({ type: 'option.admit', user })
  stage.move(user, USDT, 5000e6, 'spot', 'option')
  stage.pass(5000)
  for (let n = 0; n < 24; n++) {
    const before = stage.price(BTC)
    stage.pass(250)
    const direction = stage.price(BTC) > before ? 'up' : 'down'
    stage.run({ type: 'option.open', user, clientId: '', market: BTC.spot, direction, stake: 100e6, seconds: 30, guardPpm: 50 })
    stage.pass(34_000)
  }
}
