import { BTC, DOGE, lotsFor, unquoted, USDT } from '../coins.ts'
import type { Stage } from '../stage.ts'

/**
 * Two cross accounts, long and short BTC, each with a small second position in a coin whose venues are about to be lost. If the lost
 * index stopped the liquidation of the whole account, the BTC price could run until the loser owes more than it has.
 */
export function dustShield(stage: Stage): void {
  const users = [stage.attacker(12_000), stage.attacker(12_000)]
  stage.bots.set(BTC.perp, 'deep')
  stage.bots.set(DOGE.perp, 'deep')
  for (const user of users) {
    stage.futures(user, BTC, 5000, 10, 'cross')
    stage.futures(user, DOGE, 0, 2, 'cross')
  }
  stage.pass(5000)
  const [long, short] = users as [number, number]
  stage.cross(long, short, DOGE, 10)
  stage.cross(long, short, BTC, 45_000)
  stage.feed(DOGE, 'bad')
  stage.pass(35_000)
  stage.slide(BTC, (stage.random.chance(0.5) ? 1 : -1) * 0.3)
  stage.feed(DOGE, 'good')
  stage.pass(20_000)
  for (const user of users) for (const coin of [BTC, DOGE]) stage.flatten(user, coin)
  stage.pass(2000)
}

/** The same attack with a margin account, which borrows all it can and holds one unit of a coin without an index. */
export function dustShieldMargin(stage: Stage): void {
  const user = stage.attacker(12_000)
  stage.bots.set(BTC.spot, 'deep')
  stage.must({ type: 'funds.faucet', user, clientId: '', asset: unquoted.asset, amount: 1_000_000 })
  stage.move(user, USDT, 10_000e6, 'spot', 'margin-cross')
  stage.pass(5000)
  const lots = lotsFor(BTC, 38_000, stage.price(BTC))
  stage.spot(user, BTC, 'buy', lots, stage.price(BTC) * 1.003, {
    timeInForce: 'IOC',
    margin: { account: 'margin-cross', borrow: 'borrow' },
  })
  stage.move(user, unquoted.asset, 1, 'spot', 'margin-cross')
  stage.slide(BTC, -0.4)
  stage.pass(20_000)
}
