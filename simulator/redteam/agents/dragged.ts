import type { OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { BTC, ETH, lotsFor, ticks } from '../coins.ts'
import type { Stage } from '../stage.ts'
import type { Loose } from '../../scripts.ts'
import { perpFeeTiers } from '../terms.ts'
import { spread } from './parts.ts'

const drags = 200

/**
 * A customer sells at market and has a stop loss below. The attacker spreads bids over the levels in front of both, drags them before
 * each tick of the index, hundreds of times, and away just before the stop triggers; sells above are dragged in front of those of others.
 * Stops of the attacker's own, alone and in a pair, are dragged too, so that their holds are left too small or their triggers passed.
 */
export function draggedOrders(stage: Stage): void {
  const hunter = stage.attacker(300_000)
  const [victim, maker] = [stage.customer(60_000), stage.customer(60_000)]
  stage.bots.set(ETH.spot, 'deep')
  stage.pass(2000)
  const price = stage.price(ETH)
  const lots = lotsFor(ETH, 20_000, price)
  for (const user of [victim, maker, hunter]) stage.spot(user, ETH, 'buy', lots, price * 1.01, { timeInForce: 'IOC' })
  stage.bots.set(ETH.spot, 'thin')
  stage.cancelAll(1, ETH.spot)
  queue(stage, hunter, maker)
  const stop = { kind: 'stop', price: ticks(ETH, price * 0.985), direction: 'falls-to' }
  stage.spot(victim, ETH, 'sell', Math.floor(lots * 0.6), undefined, { trigger: stop })
  spread(stage, hunter, ETH, 'buy', { usdt: 20_000, parts: 20, from: price * 0.996, to: price * 0.99 })
  const bids = stage.desk.exchange.openOrders(hunter as UserId).map(({ order }) => order)
  for (let n = 0; n < drags; n++)
    for (const order of bids.slice(0, 5))
      drag(stage, hunter, order, { price: ticks(ETH, stage.price(ETH) * (0.99 + 0.006 * stage.random.unit())) })
  stage.pass(1000)
  dragStops(stage, hunter)
  stage.spot(victim, ETH, 'sell', Math.floor(lots * 0.2))
  for (const order of bids) drag(stage, hunter, order, { price: ticks(ETH, price * 0.952) })
  stage.slide(ETH, -0.02)
  stage.pass(3000)
  stage.cancelAll(hunter, ETH.spot)
  stage.bots.set(ETH.spot, 'deep')
  stage.pass(30_000)
  stage.spot(hunter, ETH, 'sell', Math.floor(stage.available(hunter, ETH.asset, 'spot') / ETH.basePerLot))
  stage.pass(1000)
}

/** An order that grows, or was dragged away and back, stands behind one that stayed. */
function queue(stage: Stage, hunter: number, maker: number): void {
  const level = ticks(ETH, stage.price(ETH) * 1.003)
  const lots = lotsFor(ETH, 1000, stage.price(ETH))
  const asks = (user: number): OutcomeEvent => stage.spot(user, ETH, 'sell', lots, undefined, limitAt(level))
  const [first, other] = [asks(hunter), asks(maker)]
  if (first.refusal !== undefined || other.refusal !== undefined) return
  drag(stage, hunter, first.order, stage.random.chance(0.5) ? { lots: lots + 1 } : { price: level + 5 })
  drag(stage, hunter, first.order, { price: level })
  stage.events.length = 0
  stage.spot(hunter, ETH, 'buy', Math.floor(lots / 2), undefined, { ...limitAt(level), timeInForce: 'IOC', selfTrade: 'expire-maker' })
  const atLevel = stage.events.flatMap((event) => (event.type === 'traded' && event.price === level ? [event.makerUser as number] : []))
  if (atLevel[0] === hunter) stage.note('a dragged order kept its place')
  stage.cancelAll(hunter, ETH.spot)
  stage.cancelAll(maker, ETH.spot)
}

/** Drags a buying stop and the stop leg of a pair over the price and back. None may act by that, and each hold stays what it needs. */
function dragStops(stage: Stage, hunter: number): void {
  const price = stage.price(ETH)
  const at = (factor: number): number => ticks(ETH, price * factor)
  const lots = lotsFor(ETH, 2000, price)
  const trigger = { kind: 'stop', price: at(1.01), direction: 'rises-to' }
  const stop = stage.spot(hunter, ETH, 'buy', lots, undefined, { ...limitAt(at(1.01)), trigger })
  const user = { user: hunter, clientId: '', market: ETH.spot, side: 'buy' as const, lots, selfTrade: 'none' as const }
  const pair = stage.run({ type: 'spot.placeOco', ...user, limitPrice: at(0.97), stopPrice: at(1.01), stopLimit: at(1.01) } as Loose)
  if (stop.refusal !== undefined || pair.refusal !== undefined) return
  const before = stage.available(hunter, ETH.asset, 'spot')
  for (let n = 0; n < drags / 10; n++) {
    const to = at(0.98 + 0.05 * stage.random.unit())
    for (const order of [stop.order, (pair.order as number) + 2]) {
      const { refusal } = drag(stage, hunter, order, { triggerPrice: to, price: to })
      if (refusal === undefined && to < at(0.995)) stage.note('a dragged stop passed the price')
    }
  }
  if (stage.available(hunter, ETH.asset, 'spot') !== before) stage.note('a dragged stop traded')
  for (const order of [stop.order, pair.order])
    stage.run({ type: 'spot.cancel', user: hunter, clientId: '', market: ETH.spot, order, orderClientId: '' })
}

const limitAt = (price: number): object => ({ orderType: 'limit', timeInForce: 'GTC', price })

function drag(stage: Stage, user: number, order: number, change: object): OutcomeEvent {
  return stage.run({ type: 'spot.amend', user, clientId: '', market: ETH.spot, order, orderClientId: '', ...change })
}

/** Two accounts trade Futures with each other until both are in a higher tier there, and then as much again as takers. */
export function futuresWash(stage: Stage): void {
  const pair = [stage.attacker(900_000), stage.attacker(900_000)] as const
  stage.bots.set(BTC.perp, 'none')
  stage.cancelAll(1, BTC.perp)
  for (const user of pair) stage.futures(user, BTC, 850_000, 5, 'cross')
  stage.pass(2000)
  const before = stage.profit
  for (let n = 0; n < 30; n++) {
    const [buyer, seller] = n % 2 === 0 ? pair : ([pair[1], pair[0]] as const)
    stage.cross(buyer, seller, BTC, 400_000)
    // Trades with oneself at every other step count for nothing.
    const lots = lotsFor(BTC, 100_000, stage.price(BTC))
    const volume = stage.desk.exchange.tier(buyer as UserId).perp.volume
    stage.perp(buyer, BTC, 'sell', lots, stage.price(BTC), { selfTrade: 'none' })
    stage.perp(buyer, BTC, 'buy', lots, stage.price(BTC), { selfTrade: 'none', timeInForce: 'IOC' })
    stage.cancelAll(buyer, BTC.perp)
    if (stage.desk.exchange.tier(buyer as UserId).perp.volume > volume) stage.note('trades with oneself count for the tier of Futures')
  }
  for (const user of pair) stage.flatten(user, BTC)
  const cost = before - stage.profit
  let saved = 0
  for (const user of pair) {
    const { tier, volume } = stage.desk.exchange.tier(user as UserId).perp
    if (tier === 0) stage.note('trades between two accounts did not count in Futures')
    saved += (volume / 1e6) * ((perpFeeTiers[0]!.takerPpm - perpFeeTiers[tier]!.takerPpm) / 1e6)
  }
  // Referral returns at most half of the fees.
  if (saved >= cost / 2) stage.note(`a fee tier of Futures saves ${saved.toFixed(0)} USDT and costs ${cost.toFixed(0)}`)
}
