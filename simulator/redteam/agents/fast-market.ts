import { ETH, lotsFor, ticks, USDT } from '../coins.ts'
import type { Stage } from '../stage.ts'

const slide = 0.08
const stopAway = 0.06

/**
 * Two accounts of one owner trade with each other so much that they make the five-minute average. Then the price moves by 8 % in ten
 * seconds, the owner prints trades on the way, and makers follow with full books. If protection prices came from the average, stops,
 * stops of OCO lists and market orders would end with nothing filled, and their owners would have to trade with the attacker, who
 * waits beyond the books.
 */
export function fastMarket(stage: Stage): void {
  const sign = stage.random.chance(0.5) ? 1 : -1
  const [a, b] = [stage.attacker(400_000), stage.attacker(400_000)]
  for (const market of [ETH.spot, ETH.perp]) stage.bots.set(market, 'deep')
  for (const user of [a, b]) stage.futures(user, ETH, 150_000, 2, 'cross')
  stage.pass(2000)
  const lots = lotsFor(ETH, 60_000, stage.price(ETH))
  stage.spot(a, ETH, 'buy', lots, stage.price(ETH) * 1.01, { timeInForce: 'IOC' })
  const own = Math.floor(lots * 0.95)
  for (let n = 0; n < 8; n++) {
    const [seller, buyer] = n % 2 === 0 ? [a, b] : [b, a]
    stage.spot(buyer, ETH, 'buy', own, stage.price(ETH))
    stage.spot(seller, ETH, 'sell', n % 2 === 0 ? own : Math.floor(own * 0.99), stage.price(ETH), { timeInForce: 'IOC' })
    stage.cancelAll(buyer, ETH.spot)
  }
  const crowd = new Crowd(stage, sign)
  const [away, side] = [stage.price(ETH) * (1 + sign * (slide + 0.04)), sign < 0 ? 'buy' : 'sell'] as const
  stage.spot(a, ETH, side, lotsFor(ETH, 40_000, away), away)
  stage.perp(a, ETH, side, lotsFor(ETH, 50_000, away), away)
  const print = (): void => void stage.spot(a, ETH, sign < 0 ? 'sell' : 'buy', lotsFor(ETH, 20, stage.price(ETH)))
  stage.slide(ETH, sign * slide, print)
  stage.pass(1000, print)
  crowd.check()
  for (const user of [a, b]) {
    stage.cancelAll(user)
    stage.flatten(user, ETH)
  }
  stage.pass(1000)
}

/** Customers who must sell in a fall or buy in a rise, each in another way. */
class Crowd {
  readonly #stage: Stage
  readonly #side: 'buy' | 'sell'
  readonly #lots: number
  readonly #users: readonly number[]
  readonly #before: readonly number[]

  constructor(stage: Stage, sign: number) {
    this.#stage = stage
    this.#side = sign < 0 ? 'sell' : 'buy'
    this.#lots = lotsFor(ETH, 10_000, stage.price(ETH))
    this.#users = Array.from({ length: 5 }, () => stage.customer(30_000))
    const [stop, oco, , perpStop, perpNow] = this.#users as [number, number, number, number, number]
    if (sign < 0) for (const user of this.#users.slice(0, 3)) stage.spot(user, ETH, 'buy', Math.ceil(this.#lots * 1.01))
    this.#before = this.#users.map((user) => stage.owned(user, ETH.asset, 'spot'))
    const price = ticks(ETH, stage.price(ETH) * (1 + sign * stopAway))
    const trigger = { kind: 'stop', price, direction: sign < 0 ? 'falls-to' : 'rises-to' }
    stage.spot(stop, ETH, this.#side, this.#lots, undefined, { trigger })
    const list = { limitPrice: ticks(ETH, stage.price(ETH) * (1 - sign * stopAway)), stopPrice: price, selfTrade: 'expire-taker' }
    stage.must({ type: 'spot.placeOco', user: oco, clientId: '', market: ETH.spot, side: this.#side, lots: this.#lots, ...list })
    for (const user of [perpStop, perpNow]) {
      stage.futures(user, ETH, 10_000, 4)
      stage.perp(user, ETH, this.#side === 'sell' ? 'buy' : 'sell', this.#lots)
    }
    stage.perp(perpStop, ETH, this.#side, 1, undefined, { lots: undefined, isClosing: true, trigger, triggerBy: 'mark' })
  }

  /** The last two act now, when the price has moved. Whatever was not filled is noted. */
  check(): void {
    const [, , now, , perpNow] = this.#users as [number, number, number, number, number]
    this.#stage.spot(now, ETH, this.#side, this.#lots)
    this.#stage.flatten(perpNow, ETH)
    const names = ['a stop', 'the stop of an OCO list', 'a market order', 'a stop on Futures', 'a market order on Futures']
    for (const [n, name] of names.entries()) {
      if (this.#isFilled(n)) continue
      this.#stage.note(`${name} was not filled in a fast market with full books`)
    }
  }

  #isFilled(n: number): boolean {
    const [stage, user] = [this.#stage, this.#users[n]!]
    if (n >= 3) return stage.position(user, ETH) === 0
    const traded = Math.abs(stage.owned(user, ETH.asset, 'spot') - this.#before[n]!)
    return traded >= 0.99 * this.#lots * ETH.basePerLot && stage.owned(user, USDT, 'spot') > 0
  }
}
