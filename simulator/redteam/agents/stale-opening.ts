import { DOGE } from '../coins.ts'
import type { Stage } from '../stage.ts'

/**
 * A coin's venues are lost while its outside price moves. Two accounts of one owner try to open positions against each other at the
 * price that the exchange still shows. When the index returned, one would be past its bankruptcy price, and the fund would pay the
 * profit of the other.
 */
export function staleOpening(stage: Stage): void {
  const a = stage.attacker(20_000)
  const b = stage.attacker(20_000)
  stage.bots.set(DOGE.perp, 'thin')
  for (const user of [a, b]) stage.futures(user, DOGE, 10_000, 8)
  stage.pass(20_000)
  const shown = stage.price(DOGE)
  stage.feed(DOGE, 'bad')
  stage.pass(2000)
  stage.shock(DOGE, (stage.random.chance(0.5) ? 1 : -1) * (0.1 + 0.2 * stage.random.unit()))
  for (let n = 0; n < 5; n++) {
    stage.cross(a, b, DOGE, 20_000, shown)
    stage.pass(1000)
  }
  stage.feed(DOGE, 'good')
  stage.pass(40_000)
  for (const user of [a, b]) stage.flatten(user, DOGE)
  stage.pass(5000)
}
