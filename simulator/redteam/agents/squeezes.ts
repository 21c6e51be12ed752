import { DOGE, lotsFor } from '../coins.ts'
import type { Stage } from '../stage.ts'

/** Forces a liquidation in an empty book, so that winners would be deleveraged at a price worse than the market's. */
export function delevHunt(stage: Stage): void {
  // Earlier takeovers by the fund, and other liquidations at the same time, count against the fund's limits.
  const isFundFree = stage.events.every((event) => event.type !== 'perp.liquidated') && stage.holdersOf(DOGE) === 0
  const loser = stage.attacker(3000)
  const hunter = stage.attacker(100_000)
  const winner = stage.customer(30_000)
  stage.bots.set(DOGE.perp, 'deep')
  stage.futures(loser, DOGE, 2500, 8)
  stage.futures(hunter, DOGE, 80_000, 2, 'cross')
  stage.futures(winner, DOGE, 25_000, 3)
  stage.pass(3000)
  stage.cross(loser, winner, DOGE, 15_000)
  stage.bots.set(DOGE.perp, 'none')
  stage.cancelAll(2, DOGE.perp)
  stage.slide(DOGE, -0.14)
  if (isFundFree && stage.position(winner, DOGE) === 0) stage.note('a winner was closed while the fund could pay')
  stage.bots.set(DOGE.perp, 'deep')
  stage.pass(40_000)
  for (const user of [loser, hunter, winner]) stage.flatten(user, DOGE)
  stage.pass(1000)
}

/** Makes the fund take over a position that it must close again, and is the only one to quote while it does. */
export function inventorySqueeze(stage: Stage): void {
  const loser = stage.attacker(12_000)
  const friend = stage.attacker(40_000)
  const hunter = stage.attacker(100_000)
  stage.bots.set(DOGE.perp, 'thin')
  stage.futures(loser, DOGE, 10_000, 8)
  stage.futures(friend, DOGE, 35_000, 2)
  stage.futures(hunter, DOGE, 80_000, 2, 'cross')
  stage.pass(3000)
  stage.cross(loser, friend, DOGE, 48_000)
  stage.bots.set(DOGE.perp, 'none')
  stage.cancelAll(2, DOGE.perp)
  stage.slide(DOGE, (stage.random.chance(0.5) ? 1 : -1) * 0.13)
  let quoted = 0
  const squeeze = (): void => {
    const price = stage.price(DOGE)
    if (Math.abs(price / quoted - 1) < 0.001) return
    quoted = price
    stage.cancelAll(hunter, DOGE.perp)
    const lots = lotsFor(DOGE, 10_000, price)
    stage.perp(hunter, DOGE, 'buy', lots, price * 0.991)
    stage.perp(hunter, DOGE, 'sell', lots, price * 1.009)
    // Wash volume between own accounts, so that the fund may sell more.
    stage.perp(friend, DOGE, 'buy', lotsFor(DOGE, 10, price), price, { selfTrade: 'none' })
    stage.perp(friend, DOGE, 'sell', lotsFor(DOGE, 10, price), price, { selfTrade: 'none', timeInForce: 'IOC' })
  }
  stage.pass(1_900_000, squeeze, 1000)
  stage.cancelAll(hunter, DOGE.perp)
  stage.bots.set(DOGE.perp, 'deep')
  stage.pass(2000)
  for (const user of [loser, friend, hunter]) stage.flatten(user, DOGE)
  stage.pass(1000)
}
