import type { AlgoPart } from '@candor/core/protocol/event/algo.ts'
import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { BTC, DOGE, ETH, lotsFor, ticks } from '../coins.ts'
import type { Coin } from '../coins.ts'
import type { Stage } from '../stage.ts'
import { feeTiers } from '../terms.ts'

type Side = 'buy' | 'sell'
type Wanted = { readonly side: Side; readonly usdt: number; readonly parts: number; readonly seconds: number }

/** How far from the outside price a part may trade for which the customer named no worst price. Quotes may be a quarter of a second old. */
const awayMax = 0.0105
/** Parts of one clock tick, and trades of one: those of the parts that fit into its work, and of the last one. */
const partsMax = 8
const tradesMax = 450

/** Places a TWAP order without a worst price. */
function twap(stage: Stage, user: number, coin: Coin, { side, usdt, parts, seconds }: Wanted, isPerp = false): OutcomeEvent {
  const lots = lotsFor(coin, usdt, stage.price(coin))
  const where = isPerp ? { market: coin.perp, position: 'both' } : { market: coin.spot }
  const plan = { kind: 'twap', durationMs: seconds * 1000, worst: 0 }
  return stage.run({ type: 'algo.place', user, clientId: '', side, isReduceOnly: false, lots, parts, plan, ...where })
}

/** Places limit orders at equal distances between two prices. */
export function spread(stage: Stage, user: number, coin: Coin, side: Side, { usdt, parts, from, to }: Spread): OutcomeEvent {
  const lots = lotsFor(coin, usdt, stage.price(coin))
  const plan = { kind: 'scaled', from: ticks(coin, from), to: ticks(coin, to), shape: 'flat' }
  return stage.run({ type: 'algo.place', user, clientId: '', market: coin.spot, side, isReduceOnly: false, lots, parts, plan })
}
type Spread = { readonly usdt: number; readonly parts: number; readonly from: number; readonly to: number }

/** What happened while `during` ran: less than the stage keeps. */
function told(stage: Stage, during: () => void): readonly Event[] {
  stage.events.length = 0
  during()
  return stage.events.slice()
}

const isPart = (event: Event): event is AlgoPart => event.type === 'algo.part'

/**
 * A customer buys or sells in parts in a thin book. The attacker knows when each comes: just before, it takes the whole side of the book
 * and quotes as far away as the customer's market orders may trade, or closer once no part trades there.
 */
export function partsSandwich(stage: Stage): void {
  const coin = stage.random.pick([BTC, ETH])
  const side = stage.random.pick(['buy', 'sell'] as const)
  const [hunter, victim] = [stage.attacker(100_000), stage.customer(60_000)]
  stage.bots.set(coin.spot, 'deep')
  stage.pass(2000)
  if (side === 'sell')
    for (const user of [hunter, victim]) stage.spot(user, coin, 'buy', lotsFor(coin, 25_000, stage.price(coin)), stage.price(coin) * 1.01)
  stage.bots.set(coin.spot, 'thin')
  stage.pass(2000)
  const sign = side === 'buy' ? 1 : -1
  const size = stage.random.between(150, 300)
  const { order } = twap(stage, victim, coin, { side, usdt: 12 * size, parts: 12, seconds: 360 })
  let away = 0.045
  for (let n = 1; n < 12; n++) {
    stage.pass(29_750)
    const price = stage.price(coin)
    stage.spot(hunter, coin, side, lotsFor(coin, 1200, price), price * (1 + sign * 0.003), { timeInForce: 'IOC' })
    stage.spot(hunter, coin, side === 'buy' ? 'sell' : 'buy', lotsFor(coin, size, price), price * (1 + sign * away))
    const events = told(stage, () => stage.pass(250))
    const parts = new Set(events.filter(isPart).flatMap((part) => (part.algo === order ? [part.order] : [])))
    const trades = events.flatMap((event) => (event.type === 'traded' && parts.has(event.takerOrder) ? [event] : []))
    for (const trade of trades) {
      const worse = sign * (trade.price / ticks(coin, stage.price(coin)) - 1)
      if (worse > awayMax) stage.note(`a part traded ${(worse * 100).toFixed(2)} % from the index price`)
    }
    if (!trades.some(({ makerUser }) => makerUser === hunter)) away = 0.009
    stage.cancelAll(hunter, coin.spot)
  }
}

/** Parts of two accounts trade with each other's scaled orders, and with one's own, to reach a fee tier. */
export function partsWash(stage: Stage): void {
  const pair = [stage.attacker(300_000), stage.attacker(300_000)] as const
  stage.bots.set(BTC.spot, 'deep')
  stage.pass(2000)
  for (const user of pair) stage.spot(user, BTC, 'buy', lotsFor(BTC, 100_000, stage.price(BTC)), stage.price(BTC) * 1.01)
  stage.bots.set(BTC.spot, 'none')
  stage.cancelAll(1, BTC.spot)
  const volumeOf = (user: number): number => stage.desk.exchange.tier(user as UserId).volume
  const [own, other] = pair
  const before = volumeOf(own)
  const asks = (user: number): OutcomeEvent =>
    spread(stage, user, BTC, 'sell', { usdt: 90_000, parts: 30, from: stage.price(BTC) * 1.0001, to: stage.price(BTC) * 1.005 })
  asks(own)
  for (let n = 0; n < 3; n++) twap(stage, own, BTC, { side: 'buy', usdt: 30_000, parts: 2, seconds: 300 })
  stage.pass(160_000, undefined, 1000)
  if (volumeOf(own) > before) stage.note('parts that meet one’s own orders count as volume')
  stage.cancelAll(own, BTC.spot)
  const worth = stage.profit
  for (let n = 0; n < 4; n++) {
    const [seller, buyer] = n % 2 === 0 ? [other, own] : [own, other]
    asks(seller)
    twap(stage, buyer, BTC, { side: 'buy', usdt: 80_000, parts: 2, seconds: 300 })
    stage.pass(160_000, undefined, 1000)
    for (const user of pair) stage.cancelAll(user, BTC.spot)
  }
  const cost = worth - stage.profit
  let saved = 0
  for (const user of pair) {
    const tier = feeTiers[stage.desk.exchange.tier(user as UserId).tier]!
    saved += (tier.volumeMin / 1e6) * ((feeTiers[0]!.makerPpm - tier.makerPpm) / 1e6)
  }
  if (volumeOf(own) === before) stage.note('parts of two accounts did not trade with each other')
  if (saved >= cost) stage.note(`a fee tier saves ${saved.toFixed(0)} USDT and costs ${cost.toFixed(0)}`)
}

/**
 * Twelve accounts have ten TWAP orders each, all with parts at one moment, and each part trades with hundreds of small orders of the
 * attacker. A customer's part is due at the same time, and another customer sends an order meanwhile.
 */
export function partsFlood(stage: Stage): void {
  const crowd = Array.from({ length: 12 }, () => stage.attacker(10_000))
  const makers = Array.from({ length: 4 }, () => stage.attacker(5000))
  const victim = stage.customer(20_000)
  stage.bots.set(BTC.spot, 'deep')
  stage.bots.set(ETH.spot, 'deep')
  stage.pass(2000)
  for (const user of makers) stage.spot(user, ETH, 'buy', lotsFor(ETH, 4000, stage.price(ETH)), stage.price(ETH) * 1.01)
  const all = crowd.flatMap((user) =>
    Array.from({ length: 10 }, () => twap(stage, user, ETH, { side: 'buy', usdt: 900, parts: 2, seconds: 300 }).order),
  )
  if (twap(stage, crowd[0]!, ETH, { side: 'buy', usdt: 900, parts: 2, seconds: 300 }).refusal !== 'ALGO_LIMIT')
    stage.note('an account has eleven running orders in parts')
  const { order: mine } = twap(stage, victim, BTC, { side: 'buy', usdt: 900, parts: 2, seconds: 300 })
  stage.pass(149_000, undefined, 1000)
  stage.bots.set(ETH.spot, 'none')
  stage.cancelAll(1, ETH.spot)
  const price = stage.price(ETH)
  for (const user of makers) for (let n = 0; n < 200; n++) stage.spot(user, ETH, 'sell', lotsFor(ETH, 5.2, price), price * 1.001)
  stage.desk.atMs += 1000
  let [clocks, isServed] = [0, false]
  while (stage.desk.exchange.nextDueAtMs <= stage.atMs && clocks < 200) {
    const events = told(stage, () => stage.run({ type: 'clock.tick' }))
    const parts = events.filter(isPart)
    const trades = events.filter(({ type }) => type === 'traded').length
    if (parts.length > partsMax) stage.note(`one clock tick placed ${parts.length} parts`)
    if (trades > tradesMax) stage.note(`one clock tick made ${trades} trades`)
    isServed ||= parts.some(({ algo }) => algo === mine)
    if (++clocks === 2 && stage.spot(victim, BTC, 'buy', lotsFor(BTC, 50, stage.price(BTC))).refusal !== undefined)
      stage.note('an order between the parts of others was refused')
  }
  if (!isServed) stage.note(`a part waited for more than ${clocks} clock ticks behind ${all.length} others`)
  for (const user of makers) stage.cancelAll(user, ETH.spot)
}

/**
 * A Futures market halts while a customer and the attacker trade in parts, and opens at another price. The attacker's parts should come
 * in the halt or all at once after it, and its quotes of before should meet the customer's first part.
 */
export function partsReopening(stage: Stage): void {
  const [hunter, victim] = [stage.attacker(200_000), stage.customer(30_000)]
  const side = stage.random.pick(['buy', 'sell'] as const)
  const sign = side === 'buy' ? 1 : -1
  stage.bots.set(DOGE.perp, 'deep')
  stage.futures(hunter, DOGE, 150_000, 2, 'cross')
  stage.futures(victim, DOGE, 25_000, 3, 'cross')
  stage.pass(2000)
  const wanted = { side, usdt: 6000, parts: 30, seconds: 300 }
  const orders = [victim, hunter, hunter].map((user) => twap(stage, user, DOGE, wanted, true).order)
  stage.pass(25_000)
  const before = stage.price(DOGE)
  // Quotes of before the halt, for a part that comes back to an old price.
  stage.perp(hunter, DOGE, side === 'buy' ? 'sell' : 'buy', lotsFor(DOGE, 5000, before), before * (1 + sign * 0.03))
  stage.trading(DOGE, false)
  if (told(stage, () => stage.pass(20_000, undefined, 500)).some(isPart)) stage.note('a part was placed in a halted market')
  stage.slide(DOGE, -sign * 0.06)
  stage.trading(DOGE, true)
  const last = new Map<number, number>()
  for (let n = 0; n < 120; n++) {
    if (n % 8 === 0)
      stage.perp(hunter, DOGE, side === 'buy' ? 'sell' : 'buy', lotsFor(DOGE, 200, before), stage.price(DOGE) * (1 + sign * 0.008))
    for (const { algo } of told(stage, () => stage.pass(500)).filter(isPart)) {
      if (stage.atMs - (last.get(algo) ?? 0) < 9000) stage.note('parts came closer together than their interval')
      last.set(algo, stage.atMs)
    }
  }
  if (last.size < orders.length) stage.note('an order in parts did not go on after the halt')
  for (const order of orders.slice(1)) stage.run({ type: 'algo.cancel', user: hunter, clientId: '', algo: order })
  stage.flatten(hunter, DOGE)
  stage.pass(2000)
  stage.flatten(hunter, DOGE)
}
