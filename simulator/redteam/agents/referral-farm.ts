import { BTC, lotsFor, USDT } from '../coins.ts'
import type { Stage } from '../stage.ts'

/** The highest shares that terms may have, and no cap that matters. */
const terms = {
  ...{ isOpen: true, secondPpm: 100_000, days: 365, inviteeDayMax: 2 ** 48, inviterDayMax: 2 ** 48, closedIn: [] },
  tiers: [
    { volumeMin: 0, sharePpm: 200_000 },
    { volumeMin: 1_000_000_000_000, sharePpm: 400_000 },
  ],
}

/**
 * One owner opens accounts that invite each other, two of them by the same inviter, and lets them trade with each other and with their
 * inviters, in spot and Futures, while the commission rises with their volume. Both shares together must be less than the fees.
 */
export function referralFarm(stage: Stage): void {
  stage.must({ type: 'referral.setTerms', terms })
  const top = stage.attacker(1000)
  const inviter = stage.attacker(200_000, top)
  const pair = [stage.attacker(300_000, inviter), stage.attacker(300_000, inviter)] as const
  stage.bots.set(BTC.spot, 'deep')
  stage.pass(2000)
  stage.spot(pair[0], BTC, 'buy', lotsFor(BTC, 100_000, stage.price(BTC)), stage.price(BTC) * 1.01, { timeInForce: 'IOC' })
  stage.bots.set(BTC.spot, 'none')
  stage.cancelAll(1, BTC.spot)
  const before = stage.profit
  for (let n = 0; n < 40; n++) {
    const others = stage.random.chance(0.2) ? ([pair[0], inviter] as const) : pair
    const [seller, buyer] =
      stage.available(others[0], BTC.asset, 'spot') > stage.available(others[1], BTC.asset, 'spot')
        ? others
        : ([others[1], others[0]] as const)
    const lots = Math.floor((stage.available(seller, BTC.asset, 'spot') / BTC.basePerLot) * 0.9)
    stage.spot(seller, BTC, 'sell', lots, stage.price(BTC))
    stage.spot(buyer, BTC, 'buy', lots, stage.price(BTC), { timeInForce: 'IOC' })
  }
  washFutures(stage, pair)
  if (stage.available(top, USDT, 'spot') <= 1000e6) stage.note('the farm was paid nothing')
  if (stage.profit >= before) stage.note('trades between own accounts returned their fees as commission')
}

/** The two turn a position back and forth between them, and at last one of them is liquidated against the other. */
function washFutures(stage: Stage, [one, other]: readonly [number, number]): void {
  stage.bots.set(BTC.perp, 'none')
  stage.cancelAll(1, BTC.perp)
  for (const user of [one, other]) stage.futures(user, BTC, 20_000, 10)
  for (let n = 0; n < 20; n++) {
    const [buyer, seller] = n % 2 === 0 ? [one, other] : [other, one]
    stage.cross(buyer, seller, BTC, 50_000)
  }
  if (!stage.events.some((event) => event.type === 'referral.paid' && event.market === BTC.perp))
    stage.note('trades in Futures paid no commission')
  stage.cross(one, other, BTC, 100_000)
  stage.perp(other, BTC, 'buy', lotsFor(BTC, 100_000, stage.price(BTC)), stage.price(BTC) * 0.92)
  stage.shock(BTC, -0.12)
  stage.pass(5000)
  for (const user of [one, other]) stage.flatten(user, BTC)
}
