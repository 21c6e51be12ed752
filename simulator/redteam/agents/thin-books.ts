import type { UserId } from '@candor/core/protocol/ids.ts'
import { DOGE, lotsFor } from '../coins.ts'
import type { Stage } from '../stage.ts'

/**
 * An order of a few USDT tries to move the mark price in a thin book, so that positions are liquidated into the attacker's low bids.
 * The index stays a little less than the mark's clamp of 1 % above the liquidation prices, so that it does not reach them by itself.
 */
export function dustMark(stage: Stage): void {
  const hunter = stage.attacker(100_000)
  const longs = [1, 2, 3, 4].map(() => stage.customer(2500))
  stage.bots.set(DOGE.perp, 'deep')
  stage.futures(hunter, DOGE, 80_000, 2, 'cross')
  for (const user of longs) stage.futures(user, DOGE, 2000, 8)
  stage.pass(3000)
  for (const user of longs) stage.perp(user, DOGE, 'buy', lotsFor(DOGE, 15_000, stage.price(DOGE)))
  const [limit] = longs.map((user) => liquidationPrice(stage, user))
  stage.slide(DOGE, (limit! * 1.009) / stage.price(DOGE) - 1)
  stage.bots.set(DOGE.perp, 'none')
  stage.cancelAll(2, DOGE.perp)
  const price = stage.price(DOGE)
  for (const away of [0.02, 0.03, 0.04]) stage.perp(hunter, DOGE, 'buy', lotsFor(DOGE, 20_000, price), price * (1 - away))
  const dust = lotsFor(DOGE, 6, price)
  stage.perp(hunter, DOGE, 'sell', dust, price * 0.983)
  let lowest = price
  stage.pass(40_000, () => {
    lowest = Math.min(lowest, stage.price(DOGE))
  })
  if (lowest > limit! && longs.some((user) => stage.position(user, DOGE) === 0)) stage.note('a small order had a position liquidated')
  stage.cancelAll(hunter, DOGE.perp)
  stage.bots.set(DOGE.perp, 'deep')
  stage.pass(2000)
  stage.flatten(hunter, DOGE)
  stage.pass(1000)
}

/** In USDT. */
function liquidationPrice(stage: Stage, user: number): number {
  const [position] = stage.desk.exchange.perpAccount(user as UserId).positions
  return (position!.liquidationPrice * DOGE.indexPerTick) / 1e8
}

/** Small orders far from the index try to create a premium, so that others pay funding to the attacker's large position. */
export function premiumSweep(stage: Stage): void {
  const hunter = stage.attacker(100_000)
  const dustman = stage.attacker(2000)
  const longs = [1, 2, 3, 4].map(() => stage.customer(12_000))
  stage.bots.set(DOGE.perp, 'deep')
  stage.futures(hunter, DOGE, 80_000, 2, 'cross')
  stage.futures(dustman, DOGE, 1000, 2)
  for (const user of longs) stage.futures(user, DOGE, 10_000, 3)
  stage.pass(3000)
  for (const user of longs) {
    stage.perp(hunter, DOGE, 'sell', lotsFor(DOGE, 20_000, stage.price(DOGE)), stage.price(DOGE))
    stage.perp(user, DOGE, 'buy', lotsFor(DOGE, 20_000, stage.price(DOGE)), stage.price(DOGE) * 1.002, { timeInForce: 'IOC' })
  }
  stage.bots.set(DOGE.perp, 'none')
  stage.cancelAll(2, DOGE.perp)
  const hours = 8.2 * 3_600_000
  const sweep = (): void => spread(stage, dustman)
  stage.pass(hours, sweep, 20_000)
  stage.cancelAll(dustman, DOGE.perp)
  stage.bots.set(DOGE.perp, 'deep')
  stage.pass(2000)
  for (const user of [hunter, dustman]) stage.flatten(user, DOGE)
  stage.pass(1000)
}

/**
 * The attacker is long in one account and short in another, and small orders try to hold funding at its cap. If funding came only
 * from the long position's margin, it would stop when that is used up: the position is in profit, so it is not liquidated. The fund
 * would then pay the short account.
 */
export function fundingDodge(stage: Stage): void {
  const payer = stage.attacker(60_000)
  const receiver = stage.attacker(100_000)
  const dustman = stage.attacker(2000)
  stage.bots.set(DOGE.perp, 'deep')
  stage.futures(payer, DOGE, 50_000, 8)
  stage.futures(receiver, DOGE, 80_000, 2, 'cross')
  stage.futures(dustman, DOGE, 1000, 2)
  stage.pass(3000)
  for (let n = 0; n < 5; n++) stage.cross(payer, receiver, DOGE, 10_000)
  stage.slide(DOGE, 0.3)
  stage.bots.set(DOGE.perp, 'none')
  stage.cancelAll(2, DOGE.perp)
  const sweep = (): void => spread(stage, dustman)
  stage.pass(26 * 8 * 3_600_000, sweep, 300_000)
  stage.cancelAll(dustman, DOGE.perp)
  stage.bots.set(DOGE.perp, 'deep')
  stage.pass(2000)
  for (const user of [payer, receiver, dustman]) stage.flatten(user, DOGE)
  stage.pass(1000)
}

/** Places two orders of a few USDT, far above the index. */
function spread(stage: Stage, user: number): void {
  const price = stage.price(DOGE)
  stage.cancelAll(user, DOGE.perp)
  const dust = lotsFor(DOGE, 6, price)
  stage.perp(user, DOGE, 'buy', dust, price * 1.03)
  stage.perp(user, DOGE, 'sell', dust, price * 1.031)
}
