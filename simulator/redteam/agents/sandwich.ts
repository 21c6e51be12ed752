import { BTC, lotsFor, USDT } from '../coins.ts'
import type { Stage } from '../stage.ts'

/**
 * A margin account at 10× leverage sends market orders into a friend's quotes, at a small loss each time, until its debt is barely
 * covered. Its liquidation then sells into the friend's bids, and the insurance fund pays the rest of the debt.
 */
export function slippageSandwich(stage: Stage): void {
  const user = stage.attacker(10_000)
  const friend = stage.attacker(400_000)
  const coins = Math.floor((100_000 / stage.price(BTC)) * 1e8)
  stage.bots.set(BTC.spot, 'none')
  stage.move(user, USDT, 10_000e6, 'spot', 'margin-isolated', BTC.spot)
  stage.pass(2000)
  const margin = { margin: { account: 'margin-isolated', borrow: 'borrow' } }
  const sells = { margin: { account: 'margin-isolated', borrow: 'none' } }
  // The friend bought the coins from the bots earlier.
  stage.bots.set(BTC.spot, 'deep')
  stage.pass(1000)
  stage.spot(friend, BTC, 'buy', Math.floor(coins / 1000), stage.price(BTC) * 1.01, { timeInForce: 'IOC' })
  stage.bots.set(BTC.spot, 'none')
  stage.cancelAll(1, BTC.spot)
  const price = stage.price(BTC)
  const first = 0.035
  for (const away of [first, -0.02, 0.034, -0.02, 0.034, -0.02, 0.034]) {
    const isBuy = away > 0
    const money = stage.available(user, USDT, 'margin-isolated', BTC.spot) / 1e6
    const lots = isBuy
      ? lotsFor(BTC, Math.max(84_000 * (away === first ? 1 : 0), money * 0.95), price)
      : Math.floor(stage.available(user, BTC.asset, 'margin-isolated', BTC.spot) / BTC.basePerLot)
    const at = price * (1 + away)
    stage.spot(friend, BTC, isBuy ? 'sell' : 'buy', Math.max(1, Math.floor(lots * 0.995)), at)
    stage.spot(user, BTC, isBuy ? 'buy' : 'sell', Math.max(1, Math.floor(lots * 0.995)), undefined, isBuy ? margin : sells)
    stage.cancelAll(friend, BTC.spot)
  }
  stage.spot(friend, BTC, 'buy', lotsFor(BTC, 200_000, price), price * 0.955)
  stage.pass(30_000)
  stage.cancelAll(friend, BTC.spot)
}
