import { feeTiers } from '../terms.ts'
import { BTC, lotsFor, USDT } from '../coins.ts'
import type { Stage } from '../stage.ts'

/** Main account and two further ones, with the best fees of the schedule by the firm's own terms. */
type Firm = readonly [main: number, one: number, other: number]

/** Accounts of a firm with the best fees trade with each other. They must pay fees, and nobody is paid for it. */
export function firmWash(stage: Stage): void {
  washSpot(stage, founded(stage))
}

/** Accounts of a firm take both sides of a position. The winner's money leaves at once, and the loser is left to the fund. */
export function firmShield(stage: Stage): void {
  abandonLoser(stage, founded(stage))
}

function founded(stage: Stage): Firm {
  const firm = [stage.attacker(0), stage.attacker(0), stage.attacker(0)] as const
  const [main] = firm
  for (const user of firm) stage.must({ type: 'firm.join', user, main })
  stage.must({ type: 'firm.setTerms', main, tier: feeTiers.length - 1, withdrawMax: 2 ** 40 })
  stage.payIn(main, 600_000)
  for (const user of firm.slice(1)) moved(stage, main, user, 250_000e6)
  return firm
}

const moved = (stage: Stage, from: number, to: number, amount: number) =>
  stage.run({ type: 'firm.move', user: from, clientId: '', to, asset: USDT, amount: Math.floor(amount) })

/** Trades to and fro must cost fees, at the best tier too, and pay nobody. */
function washSpot(stage: Stage, [main, one, other]: Firm): void {
  stage.bots.set(BTC.spot, 'deep')
  stage.pass(2000)
  stage.spot(one, BTC, 'buy', lotsFor(BTC, 100_000, stage.price(BTC)), stage.price(BTC) * 1.01, { timeInForce: 'IOC' })
  stage.bots.set(BTC.spot, 'none')
  stage.cancelAll(1, BTC.spot)
  const before = stage.profit
  for (let n = 0; n < 20; n++) {
    const [seller, buyer] = n % 2 === 0 ? ([one, other] as const) : ([other, one] as const)
    const lots = Math.floor((stage.available(seller, BTC.asset, 'spot') / BTC.basePerLot) * 0.9)
    stage.spot(buyer, BTC, 'buy', lots, stage.price(BTC))
    stage.spot(seller, BTC, 'sell', lots, stage.price(BTC), { timeInForce: 'IOC' })
  }
  if (stage.profit >= before) stage.note('trades within a firm cost nothing')
  if (stage.events.some((event) => event.type === 'referral.paid')) stage.note('trades within a firm paid commission')
  for (const user of [one, other]) moved(stage, user, main, stage.available(user, USDT, 'spot') * 0.5)
}

/**
 * One account is long and the other short at the highest leverage. The price slides past the loser's margin; nobody can make it jump. The
 * winner closes, its money leaves for the main account, and the loser is left to the fund.
 */
function abandonLoser(stage: Stage, [main, one, other]: Firm): void {
  const move = stage.random.between(60, 140) / (stage.random.chance(0.5) ? 1000 : -1000)
  stage.bots.set(BTC.perp, 'none')
  stage.cancelAll(2, BTC.perp)
  stage.pass(5000)
  for (const user of [one, other]) stage.futures(user, BTC, 6_000, 10)
  stage.cross(one, other, BTC, 45_000)
  if (stage.position(one, BTC) === 0) stage.note('the accounts of the firm could not trade with each other')
  const [winner, loser] = move > 0 ? [one, other] : [other, one]
  // What the position doesn't need leaves first.
  emptied(stage, loser, main)
  stage.slide(BTC, move)
  stage.bots.set(BTC.perp, 'deep')
  stage.pass(1000)
  stage.flatten(winner, BTC)
  emptied(stage, winner, main)
  stage.pass(60_000, undefined, 1000)
  stage.flatten(loser, BTC)
  emptied(stage, loser, main)
}

/** Moves all that is free in Futures to the spot account, and from there to the main account. */
function emptied(stage: Stage, user: number, main: number): void {
  stage.move(user, USDT, stage.available(user, USDT, 'perp'), 'perp', 'spot')
  moved(stage, user, main, stage.available(user, USDT, 'spot'))
}
