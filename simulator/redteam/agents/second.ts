import { BTC, USDT } from '../coins.ts'
import type { Stage } from '../stage.ts'

/** Bets with Second on the last price move, with the tightest price protection: orders with a bad strike are void, good ones stay. */
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

/**
 * Two of four venues are always higher than the others. One of them is silent for a while. The attacker sees it come back and bets
 * that its return moves the index up between strike and settlement.
 */
export function venueReturn(stage: Stage): void {
  const user = stage.attacker(5000)
  stage.run({ type: 'option.admit', user })
  stage.move(user, USDT, 5000e6, 'spot', 'option')
  stage.quote(BTC, [-6e-4, -5e-4, 5e-4, 6e-4])
  stage.pass(600_000)
  const dear = 3
  for (let n = 0; n < 16; n++) {
    stage.away(BTC, dear, true)
    stage.pass(60_000)
    stage.run({ type: 'option.open', user, clientId: '', market: BTC.spot, direction: 'up', stake: 100e6, seconds: 30, guardPpm: 0 })
    stage.pass(2250)
    stage.away(BTC, dear, false)
    stage.pass(33_000)
  }
}
