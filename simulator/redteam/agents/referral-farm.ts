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
  if (stage.available(top, USDT, 'spot') <= 1000e6) stage.note('the farm was paid nothing')
  if (stage.profit >= before) stage.note('trades between own accounts returned their fees as commission')
}
