import type { UserId } from '@candor/core/protocol/ids.ts'
import { BTC, ETH, lotsFor, ticks } from '../coins.ts'
import type { Coin } from '../coins.ts'
import { feeTiers } from '../terms.ts'
import type { Stage } from '../stage.ts'

/** Accounts without money place thousands of conditional orders to delay a customer's stop loss. The attacker's bid then buys cheaply. */
export function triggerFlood(stage: Stage): void {
  const hunter = stage.attacker(200_000)
  const crowd = Array.from({ length: 12 }, () => stage.attacker(0))
  const victim = stage.customer(30_000)
  stage.bots.set(BTC.perp, 'deep')
  stage.futures(hunter, BTC, 150_000, 2, 'cross')
  stage.futures(victim, BTC, 25_000, 5)
  stage.pass(3000)
  const price = stage.price(BTC)
  stage.perp(victim, BTC, 'buy', lotsFor(BTC, 50_000, price))
  const stopAt = (part: number): object => ({ kind: 'stop', price: ticks(BTC, price * part), direction: 'falls-to' })
  const market = { orderType: 'market', timeInForce: 'IOC', price: undefined }
  let accepted = 0
  for (const user of crowd) {
    stage.futures(user, BTC, 0, 10)
    for (let n = 0; n < 200; n++) {
      const lots = lotsFor(BTC, 50, price)
      const { refusal } = stage.perp(user, BTC, 'sell', lots, undefined, { ...market, trigger: stopAt(0.9999), triggerBy: 'mark' })
      if (refusal === undefined) accepted++
    }
  }
  if (accepted > 0) stage.note(`${accepted} conditional orders of accounts without money were accepted`)
  stage.perp(victim, BTC, 'sell', 1, undefined, { ...market, lots: undefined, isClosing: true, trigger: stopAt(0.999), triggerBy: 'mark' })
  const bid = stage.price(BTC)
  stage.perp(hunter, BTC, 'buy', lotsFor(BTC, 60_000, bid), bid * 0.98)
  stage.slide(BTC, (stage.random.chance(0.5) ? 1 : -1) * 0.02)
  stage.pass(5000)
  stage.cancelAll(hunter, BTC.perp)
  stage.flatten(hunter, BTC)
  stage.pass(1000)
}

const crowdSize = 50
/** At most so many conditional orders of one customer may wait in a market. */
const waitingMax = 20
/** Markets take turns, so a market's only triggered order waits for at most one of each other market (spot and futures). */
const othersMax = 5

/**
 * Accounts with money place as many conditional orders as they can pay for, just before a customer's stop loss and before that of
 * another market. All trigger at once, and the attacker's bid waits below the bots'.
 */
export function fundedFlood(stage: Stage): void {
  const hunter = stage.attacker(200_000)
  const crowd = Array.from({ length: crowdSize }, () => stage.attacker(400))
  const [near, other] = [stage.customer(30_000), stage.customer(30_000)]
  for (const coin of [BTC, ETH]) stage.bots.set(coin.perp, 'deep')
  stage.futures(hunter, BTC, 150_000, 2, 'cross')
  stage.futures(near, BTC, 25_000, 5)
  stage.futures(other, ETH, 25_000, 5)
  stage.pass(3000)
  const stopAt = (coin: Coin, part: number): object => ({
    ...{ orderType: 'market', timeInForce: 'IOC', price: undefined, triggerBy: 'mark' },
    trigger: { kind: 'stop', price: ticks(coin, stage.price(coin) * part), direction: 'falls-to' },
  })
  for (const user of crowd) {
    stage.futures(user, BTC, 400, 10)
    const lots = lotsFor(BTC, 100, stage.price(BTC))
    let accepted = 0
    for (let n = 0; n < 2 * waitingMax; n++)
      if (stage.perp(user, BTC, 'sell', lots, undefined, stopAt(BTC, 0.997)).refusal === undefined) accepted++
    if (accepted > waitingMax) stage.note(`one account has ${accepted} conditional orders in a market`)
  }
  for (const [user, coin] of [[near, BTC] as const, [other, ETH] as const]) {
    stage.perp(user, coin, 'buy', lotsFor(coin, 20_000, stage.price(coin)))
    stage.perp(user, coin, 'sell', 1, undefined, { ...stopAt(coin, 0.996), lots: undefined, isClosing: true })
  }
  const bid = stage.price(BTC)
  stage.perp(hunter, BTC, 'buy', lotsFor(BTC, 60_000, bid), bid * 0.983)
  stage.pass(500)
  stage.events.length = 0
  // Both markets fall with the same tick of the index.
  stage.shocks([BTC, ETH], -0.01)
  const woken = stage.events.filter((event) => event.type === 'order.triggered')
  const place = woken.findIndex(({ user }) => user === other)
  if (place < 0 || place > othersMax) stage.note(`the stop of another market acted after ${place} orders`)
  stage.pass(2000)
  for (const [user, coin] of [[near, BTC] as const, [other, ETH] as const])
    if (stage.position(user, coin) !== 0) stage.note(`a stop of ${coin.symbol} was not filled behind a flood of conditional orders`)
  for (const user of [...crowd, hunter]) stage.flatten(user, BTC)
  stage.pass(1000)
}

/** Floods the memory of client ids with refused orders, so that another customer's repeated order would execute twice. */
export function idFlood(stage: Stage): void {
  const flooder = stage.attacker(0)
  const victim = stage.customer(10_000)
  stage.bots.set(ETH.spot, 'deep')
  stage.pass(2000)
  const order = { timeInForce: 'IOC', clientId: 'mine' }
  const lots = lotsFor(ETH, 100, stage.price(ETH))
  const price = stage.price(ETH) * 1.01
  const first = stage.spot(victim, ETH, 'buy', lots, price, order)
  for (let n = 0; n < 3000; n++) stage.spot(flooder, ETH, 'buy', lots, price, { clientId: `flood-${n}` })
  const again = stage.spot(victim, ETH, 'buy', lots, price, order)
  if (!again.isRepeat || again.order !== first.order) stage.note('a repeated order executed twice')
}

/** Trades with itself to reach the fee tier of a large customer. */
export function washVolume(stage: Stage): void {
  const washer = stage.attacker(300_000)
  stage.bots.set(BTC.spot, 'deep')
  stage.pass(2000)
  const price = stage.price(BTC)
  const lots = lotsFor(BTC, 100_000, price)
  stage.spot(washer, BTC, 'buy', lots, price * 1.01, { timeInForce: 'IOC' })
  stage.bots.set(BTC.spot, 'none')
  stage.cancelAll(1, BTC.spot)
  const before = stage.desk.exchange.tier(washer as UserId).volume
  for (let n = 0; n < 12; n++) {
    stage.spot(washer, BTC, 'sell', Math.floor(lots * 0.9), stage.price(BTC), { selfTrade: 'none' })
    stage.spot(washer, BTC, 'buy', Math.floor(lots * 0.9), stage.price(BTC), { selfTrade: 'none', timeInForce: 'IOC' })
  }
  if (stage.desk.exchange.tier(washer as UserId).volume > before) stage.note('trades with oneself count as volume')
}

/**
 * Two accounts of one owner trade with each other until both are in a higher fee tier. Such trades count, because both sides pay
 * their fees. They must cost more than the tier saves on all trades up to the volume at which it is reached anyway.
 */
export function washPair(stage: Stage): void {
  const pair = [stage.attacker(300_000), stage.attacker(300_000)] as const
  stage.bots.set(BTC.spot, 'deep')
  stage.pass(2000)
  stage.spot(pair[0], BTC, 'buy', lotsFor(BTC, 100_000, stage.price(BTC)), stage.price(BTC) * 1.01, { timeInForce: 'IOC' })
  const before = stage.profit
  for (let n = 0; n < 60; n++) {
    const [seller, buyer] = n % 2 === 0 ? pair : ([pair[1], pair[0]] as const)
    const lots = Math.floor(stage.available(seller, BTC.asset, 'spot') / BTC.basePerLot)
    stage.spot(buyer, BTC, 'buy', lots, stage.price(BTC))
    stage.spot(seller, BTC, 'sell', lots, stage.price(BTC), { timeInForce: 'IOC' })
  }
  const cost = before - stage.profit
  let saved = 0
  for (const user of pair) {
    const tier = feeTiers[stage.desk.exchange.tier(user as UserId).tier]!
    if (tier.volumeMin === 0) stage.note('trades between two accounts did not count')
    saved += (tier.volumeMin / 1e6) * ((feeTiers[0]!.makerPpm - tier.makerPpm) / 1e6)
  }
  if (saved >= cost) stage.note(`a fee tier saves ${saved.toFixed(0)} USDT and costs ${cost.toFixed(0)}`)
  const lots = lotsFor(BTC, 40_000, stage.price(BTC))
  for (const user of pair) {
    stage.spot(user, BTC, 'buy', lots)
    stage.spot(user, BTC, 'sell', Math.floor(lots * 0.99))
  }
}

/** Removes the bids below a customer's stop before it triggers, so that it sells into the attacker's low bids. */
export function pullBids(stage: Stage): void {
  const hunter = stage.attacker(300_000)
  const victim = stage.customer(60_000)
  stage.bots.set(ETH.spot, 'deep')
  stage.pass(2000)
  const price = stage.price(ETH)
  const lots = lotsFor(ETH, 30_000, price)
  stage.spot(victim, ETH, 'buy', lots, price * 1.01, { timeInForce: 'IOC' })
  stage.spot(hunter, ETH, 'buy', Math.floor(lots / 2), price * 1.01, { timeInForce: 'IOC' })
  const stop = { kind: 'stop', price: ticks(ETH, price * 0.985), direction: 'falls-to' }
  stage.spot(victim, ETH, 'sell', Math.floor(lots * 0.99), undefined, { trigger: stop })
  stage.bots.set(ETH.spot, 'thin')
  stage.cancelAll(1, ETH.spot)
  stage.pass(500)
  stage.spot(hunter, ETH, 'buy', lots, stage.price(ETH) * 0.952)
  stage.spot(hunter, ETH, 'sell', Math.floor(lots / 2), stage.price(ETH) * 0.984)
  stage.spot(hunter, ETH, 'buy', lotsFor(ETH, 20, price), stage.price(ETH) * 0.984, { selfTrade: 'none' })
  stage.pass(3000)
  stage.cancelAll(hunter, ETH.spot)
  stage.bots.set(ETH.spot, 'deep')
  stage.pass(60_000)
}
