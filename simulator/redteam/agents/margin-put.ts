import { ETH, lotsFor, USDT } from '../coins.ts'
import type { Stage } from '../stage.ts'

const account = 'margin-isolated'

/**
 * Two margin accounts of one person, one owing USDT and one owing coins, both far from liquidation. The coin's venues are lost while
 * its outside price moves. Each account then tries to leave its loss to the lenders: it borrows all that the last price allows,
 * trades with a friend at that price, and transfers out what it can. The account that ends up worth less than it owes is abandoned.
 */
export function marginPut(stage: Stage): void {
  const users = [stage.attacker(10_000), stage.attacker(10_000)]
  const [long, short] = users as [number, number]
  const friend = stage.attacker(200_000)
  stage.bots.set(ETH.spot, 'deep')
  for (const user of users) stage.move(user, USDT, 10_000e6, 'spot', account, ETH.spot)
  stage.pass(5000)
  const before = stage.price(ETH)
  const lots = lotsFor(ETH, 15_000, before)
  const now = { timeInForce: 'IOC' }
  stage.spot(long, ETH, 'buy', lots, before * 1.01, { ...now, margin: { account, borrow: 'borrow' } })
  stage.spot(short, ETH, 'sell', lots, before * 0.99, { ...now, margin: { account, borrow: 'borrow' } })
  stage.spot(friend, ETH, 'buy', lotsFor(ETH, 90_000, before), before * 1.01, now)
  stage.pass(2000)
  stage.feed(ETH, 'bad')
  stage.pass(4000)
  stage.shock(ETH, (stage.random.chance(0.5) ? 1 : -1) * (0.1 + 0.15 * stage.random.unit()))
  for (const user of users) worsen(stage, user, friend, before)
  stage.pass(20_000)
  for (const user of users) worsen(stage, user, friend, before)
  stage.feed(ETH, 'good')
  stage.pass(40_000)
  stage.cancelAll(friend, ETH.spot)
}

/** Tries every way to let an account owe more or have less at the price that the exchange shows. */
function worsen(stage: Stage, user: number, friend: number, price: number): void {
  const loans = [
    [USDT, 100_000e6],
    [ETH.asset, Math.floor((100_000 / price) * 1e8)],
  ] as const
  for (const [asset, most] of loans) {
    for (const part of [1, 0.8, 0.5, 0.2]) {
      stage.run({ type: 'margin.borrow', user, clientId: '', market: ETH.spot, asset, amount: Math.floor(most * part) })
    }
  }
  const [own, other] = stage.price(ETH) > price ? (['sell', 'buy'] as const) : (['buy', 'sell'] as const)
  for (const usdt of [84_000, 60_000, 30_000]) {
    const lots = lotsFor(ETH, usdt, price)
    stage.spot(friend, ETH, other, lots, price)
    stage.spot(user, ETH, own, lots, price, { timeInForce: 'IOC', margin: { account, borrow: 'borrow' } })
    stage.cancelAll(friend, ETH.spot)
  }
  for (const asset of [USDT, ETH.asset]) {
    for (const part of [1, 0.5, 0.1]) {
      stage.move(user, asset, Math.floor(stage.available(user, asset, account, ETH.spot) * part), account, 'spot', ETH.spot)
    }
  }
}
