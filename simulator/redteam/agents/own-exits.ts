import type { OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { DOGE, lotsFor, ticks } from '../coins.ts'
import type { Stage } from '../stage.ts'

const rounds = 5
const size = 12_000

/**
 * A position has exits that together are three times as large as it is, at the market and with limits, on both sides of the price. Other
 * accounts of the attacker are on the other side of the opening, print the last trades that trigger them, and quote where the exits
 * have to trade. Exits move between ticks, during a halt and just before it ends; the price jumps over all of them. The attacker
 * hopes that a position is closed twice or turned round, or that others pay for an exit.
 */
export function ownExits(stage: Stage): void {
  const [holder, friend, printer] = [stage.attacker(60_000), stage.attacker(200_000), stage.attacker(20_000)]
  stage.bots.set(DOGE.perp, stage.random.chance(0.5) ? 'thin' : 'deep')
  stage.futures(holder, DOGE, 40_000, 8)
  stage.futures(friend, DOGE, 150_000, 3, 'cross')
  stage.futures(printer, DOGE, 10_000, 3, 'cross')
  stage.pass(5000)
  for (let round = 0; round < rounds; round++) {
    const isLong = stage.random.chance(0.5)
    const [buyer, seller] = isLong ? [holder, friend] : [friend, holder]
    stage.cross(buyer, seller, DOGE, size)
    const sign = Math.sign(stage.position(holder, DOGE))
    if (sign !== 0) leave(stage, { holder, friend, printer }, sign)
    for (const user of [holder, friend, printer]) stage.flatten(user, DOGE)
    stage.pass(2000)
  }
}

/** The account with the position, the one on its other side, and one that sets last prices with it. */
type Attackers = { readonly holder: number; readonly friend: number; readonly printer: number }

/** Lets the exits of one position act while the attacker does its worst. */
function leave(stage: Stage, { holder, friend, printer }: Attackers, sign: number): void {
  const { random } = stage
  const lots = Math.abs(stage.position(holder, DOGE))
  const exits = Array.from({ length: 10 }, () =>
    exit(stage, holder, sign, Math.max(1, Math.floor(lots * (0.2 + 0.6 * random.unit())))),
  ).filter((order) => order !== 0)
  const watch = (): void => {
    if (stage.position(holder, DOGE) * sign < 0) stage.note('exits turned a position round')
  }
  for (let n = 0; n < 12; n++) {
    const price = stage.price(DOGE)
    // Bids and asks of the friend where the exits have to trade, and a trade that only sets the last price.
    const side = sign > 0 ? 'buy' : 'sell'
    stage.cancelAll(friend, DOGE.perp)
    stage.perp(friend, DOGE, side, lots, price * (1 - sign * (0.002 + 0.03 * random.unit())))
    if (random.chance(0.5)) stage.cross(friend, printer, DOGE, 20, price * (1 + (random.unit() - 0.5) * 0.02))
    watch()
    if (random.chance(0.3)) stage.shock(DOGE, (random.unit() - 0.5) * 0.05)
    watch()
    for (const order of exits) if (random.chance(0.3)) move(stage, holder, order)
    watch()
    if (random.chance(0.15)) halt(stage, holder, exits)
    watch()
    stage.pass(500, watch)
  }
  if (random.chance(0.4)) stage.slide(DOGE, -sign * 0.13, watch)
  stage.pass(1000, watch)
  if (stage.position(holder, DOGE) === 0 && sleeping(stage, holder) > 0) stage.note('exits stayed without a position')
}

/** Exits move while the market is halted, to where they act at once when it opens. */
function halt(stage: Stage, holder: number, exits: readonly number[]): void {
  stage.trading(DOGE, false)
  const before = stage.position(holder, DOGE)
  stage.shock(DOGE, (stage.random.unit() - 0.5) * 0.06)
  for (const order of exits) move(stage, holder, order)
  stage.pass(1000)
  if (stage.position(holder, DOGE) !== before) stage.note('an exit acted in a halted market')
  stage.trading(DOGE, true)
  stage.pass(12_000)
}

/** A reduce-only stop near the price. Returns its number, 0 when it was refused. */
function exit(stage: Stage, user: number, sign: number, lots: number): number {
  const { random } = stage
  const rises = random.chance(0.5)
  const trigger = stage.price(DOGE) * (1 + (rises ? 1 : -1) * (0.001 + 0.02 * random.unit()))
  const limit = random.chance(0.4) ? trigger * (1 + (random.unit() - 0.5) * 0.01) : undefined
  return stage.perp(user, DOGE, sign > 0 ? 'sell' : 'buy', lots, limit, {
    isReduceOnly: true,
    trigger: { kind: 'stop', price: ticks(DOGE, trigger), direction: rises ? 'rises-to' : 'falls-to' },
    triggerBy: random.pick(['last', 'mark']),
    selfTrade: random.pick(['expire-taker', 'expire-maker', 'none']),
  }).order
}

function move(stage: Stage, user: number, order: number): OutcomeEvent {
  const { random } = stage
  const triggerPrice = ticks(DOGE, stage.price(DOGE) * (1 + (random.unit() - 0.5) * 0.01))
  const lots = random.chance(0.3) ? { lots: lotsFor(DOGE, size * random.unit() + 10, stage.price(DOGE)) } : {}
  return stage.run({ type: 'perp.amend', user, clientId: '', market: DOGE.perp, order, orderClientId: '', triggerPrice, ...lots })
}

function sleeping(stage: Stage, user: number): number {
  const open = stage.desk.exchange.openOrders(user as UserId)
  return open.filter(({ market, perp, status }) => market === DOGE.perp && status === 'pending' && perp?.isReduceOnly === true).length
}
