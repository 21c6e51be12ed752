import { DOGE, lotsFor, USDT } from '../coins.ts'
import type { Stage } from '../stage.ts'

const account = 'margin-isolated'

/**
 * Accounts of one owner buy a coin on margin, or sell it short, as much as allowed. Then only the attacker quotes, and the price moves
 * against them until the insurance fund takes them over. The attacker knows that the fund must trade, and quotes far from the index.
 */
export function takenOver(stage: Stage): void {
  const isLong = stage.random.chance(0.5)
  const users = [stage.attacker(9_000), stage.attacker(9_000)]
  const hunter = stage.attacker(400_000)
  stage.bots.set(DOGE.spot, 'deep')
  stage.pass(5000)
  for (const user of users) {
    stage.move(user, USDT, 9_000e6, 'spot', account, DOGE.spot)
    for (let n = 0; n < 8; n++) {
      const price = stage.price(DOGE)
      const now = { timeInForce: 'IOC', margin: { account, borrow: 'borrow' } }
      stage.spot(user, DOGE, isLong ? 'buy' : 'sell', lotsFor(DOGE, 9_500, price), price * (isLong ? 1.006 : 0.994), now)
      stage.pass(500)
    }
  }
  // The attacker buys coins to sell to the fund, which must buy.
  if (!isLong) stage.spot(hunter, DOGE, 'buy', lotsFor(DOGE, 120_000, stage.price(DOGE)), stage.price(DOGE) * 1.006, { timeInForce: 'IOC' })
  stage.bots.set(DOGE.spot, 'none')
  stage.cancelAll(1, DOGE.spot)
  stage.slide(DOGE, isLong ? -0.11 : 0.12)
  let quoted = 0
  const squeeze = (): void => {
    const price = stage.price(DOGE)
    if (Math.abs(price / quoted - 1) < 0.001) return
    quoted = price
    stage.cancelAll(hunter, DOGE.spot)
    for (const away of [0.048, 0.0095]) {
      const usdt = isLong ? 100_000 : 50_000
      stage.spot(hunter, DOGE, isLong ? 'buy' : 'sell', lotsFor(DOGE, usdt, price), price * (isLong ? 1 - away : 1 + away))
    }
  }
  stage.pass(2_000_000, squeeze, 1000)
  stage.cancelAll(hunter, DOGE.spot)
}
