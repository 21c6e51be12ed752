import type { UserId } from '@candor/core/protocol/ids.ts'
import { BTC, ETH, lotsFor, ticks } from '../coins.ts'
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
