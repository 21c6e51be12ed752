/** Orders that sleep: what they need to be accepted, and what they do when they wake. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { C, PENDING, UPDATED_AT, WAKING } from '../../../book/order-fields.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import type { IndexPrice, Lots, Millis, Ticks } from '../../../money/brand.ts'
import { CLOSING, HAS_LOTS, MARKET_ORDER, POSITION_SHIFT, REDUCE_ONLY, SELL, STOP } from '../../../protocol/codec/layout.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { OrderId, UserId } from '../../../protocol/ids.ts'
import type { Told } from '../../test/world.ts'
import { isRetrying, retryAll, retrySome, wake } from '../handlers/wake.ts'
import { fallAsleep } from '../positions/asleep.ts'
import { store } from '../positions/orders.ts'
import type { Holding } from '../records/state.ts'
import { Alone } from './alone.ts'
import { contract, givenPerp } from './world.ts'
import type { PerpWorld } from './world.ts'

const three = { alice: '1000', bob: '1000', carol: '5000' }
const falls = (price: number): object => ({ trigger: { kind: 'stop', price, direction: 'falls-to' } })
const rises = (price: number): object => ({ trigger: { kind: 'stop', price, direction: 'rises-to' } })
const byMark = { triggerBy: 'mark' }
const trails = (trailPpm: number, more: object = {}): object => ({
  trigger: { kind: 'trailing', trailPpm, direction: 'rises-to', ...more },
})

/** Opens a long of alice against carol at 100. */
function longs(world: PerpWorld, lots: number): PerpWorld {
  world.sell('carol', 100, lots).isAccepted()
  world.buy('alice', 100, lots).isAccepted().traded(`100×${lots}`)
  return world
}

const closed = (told: Told): readonly unknown[] => told.of('order.closed').map(({ order, reason }) => [order, reason])

test('PERP-STOP-001: price, quantity and trigger of a sleeping order are valid, a market order counts at the mark', () => {
  const world = longs(givenPerp(three), 1000)
  for (const price of [0, 2 ** 31]) world.buy('bob', price, 0, rises(105)).isRefused('PRICE_INVALID')
  world.buy('bob', 105, 0, rises(0)).isRefused('QUANTITY_INVALID')
  for (const price of [0, 2 ** 31]) world.buy('bob', 105, 100, rises(price)).isRefused('TRIGGER_INVALID')
  // The smallest value is 5 USDT: at the limit of 105, or at the mark of 100, wherever the trigger is.
  world.buy('bob', 105, 47, rises(120)).isRefused('NOTIONAL_TOO_SMALL')
  world.buy('bob', 105, 48, rises(120)).isAccepted()
  world.market('bob', 'buy', 49, rises(120)).isRefused('NOTIONAL_TOO_SMALL')
  world.market('bob', 'buy', 50, rises(120)).isAccepted()
  world.closes('alice', 'sell', 0, 'falls-to').isRefused('TRIGGER_INVALID')
  world.closes('alice', 'sell', 2 ** 31 - 1, 'rises-to').isAccepted()
  world.closes('alice', 'sell', 1, 'falls-to').isAccepted()
})

test('PERP-ORDER-004: the limit of a sleeping order lies in the band around its trigger, its activation, or the price that it follows', () => {
  const world = longs(givenPerp(three), 1000)
  world.index(120)
  // The last trade was at 100, and the mark is 120; the band is 20 %.
  for (const [around, more] of [
    [140, { ...rises(140), ...byMark }],
    [150, rises(150)],
    [130, { ...trails(50_000, { activation: 130 }), ...byMark }],
    [100, trails(50_000)],
    [120, { ...trails(50_000), ...byMark }],
  ] as const) {
    const [low, high] = [Math.ceil(around * 0.8), Math.floor(around * 1.2)]
    for (const price of [low - 1, high + 1]) world.buy('bob', price, 100, more).isRefused('PRICE_OUTSIDE_BAND')
    for (const price of [low, high]) world.buy('bob', price, 100, more).isAccepted()
  }
})

test('PERP-STOP-001: a trailing order needs a price to follow and a valid activation, a stop needs neither', () => {
  const world = givenPerp(three)
  world.buy('bob', 100, 100, trails(50_000)).isRefused('NO_REFERENCE_PRICE')
  world.buy('bob', 100, 100, trails(50_000, { activation: 99 })).isRefused('NO_REFERENCE_PRICE')
  for (const activation of [0, 2 ** 31])
    world.buy('bob', 100, 100, { ...trails(50_000, { activation }), ...byMark }).isRefused('TRIGGER_INVALID')
  world.buy('bob', 100, 100, { ...trails(50_000, { activation: 99 }), ...byMark }).isAccepted()
  world.buy('bob', 100, 100, rises(101)).isAccepted()
  // Before any trade, every trigger of the last price sleeps.
  world.buy('bob', 100, 100, rises(99)).isAccepted()
})

test('PERP-STOP-001: a sleeping order is reported with its trigger, and a market order as IOC', () => {
  const world = longs(givenPerp(three), 1000)
  const told = world.market('alice', 'sell', 400, { ...falls(95), timeInForce: 'GTC', clientId: 'stop', isReduceOnly: true }).isAccepted()
  const [accepted] = told.of('order.accepted')
  const { order, clientId, user, market, orderType, timeInForce, price, lots, trigger, perp } = accepted!
  assert.deepEqual([order, clientId, user, market], [told.order, 'stop', world.id('alice'), contract])
  assert.deepEqual([orderType, timeInForce, price, lots, perp!.triggerBy, perp!.isReduceOnly], ['market', 'IOC', 0, 400, 'last', true])
  assert.deepEqual(trigger, { kind: 'stop', price: 95, direction: 'falls-to' })
  const trailing = { kind: 'trailing', trailPpm: 20_000, activation: 110, direction: 'falls-to' }
  const second = world.sell('alice', 108, 300, { trigger: trailing, ...byMark }).isAccepted()
  const [limit] = second.of('order.accepted')
  assert.deepEqual(
    [limit!.orderType, limit!.timeInForce, limit!.price, limit!.trigger, limit!.perp!.triggerBy],
    ['limit', 'GTC', 108, trailing, 'mark'],
  )
  const open = world.world.open('alice')
  assert.deepEqual(
    open.map((one) => [one.order, one.clientId, one.status, one.timeInForce, one.lots, one.executedLots]),
    [
      [told.order, 'stop', 'pending', 'IOC', 400, 0],
      [second.order, '', 'pending', 'GTC', 300, 0],
    ],
  )
  world.isReplayable()
})

test('PERP-STOP-002: a closing order needs a position that it closes, a reduce-only one too', () => {
  const world = longs(givenPerp(three), 1000)
  const reducing = { isReduceOnly: true }
  world.closes('bob', 'sell', 95, 'falls-to').isRefused('POSITION_UNKNOWN')
  world.sell('bob', 95, 100, { ...falls(95), ...reducing }).isRefused('REDUCE_ONLY_REJECTED')
  world.closes('alice', 'buy', 105, 'rises-to').isRefused('REDUCE_ONLY_REJECTED')
  world.buy('alice', 105, 100, { ...rises(105), ...reducing }).isRefused('REDUCE_ONLY_REJECTED')
  world.sell('alice', 95, 100, { ...falls(95), ...reducing }).isAccepted()
  world.closes('carol', 'buy', 105, 'rises-to').isAccepted()
})

test('PERP-STOP-005: a trailing order is valued at the mark, also when it follows the last trade', () => {
  const world = longs(givenPerp(three), 1000)
  world.index(120)
  world.market('bob', 'buy', 1000, trails(50_000)).isAccepted()
  // 120 and a fee of 0.06.
  world.has('bob', '879.94', '120.06')
  world.market('bob', 'buy', 1000, rises(110)).isAccepted()
  world.has('bob', '769.885', '230.115')
})

test('PERP-STOP-001: a triggered limit order takes what its price allows and rests with its fills; it reports the trigger once', () => {
  const world = longs(givenPerp(three), 1000)
  const { order } = world.sell('alice', 95, 1000, { ...falls(96), ...byMark, isReduceOnly: true, clientId: 'rest' }).isAccepted()
  world.buy('carol', 96, 300).isAccepted()
  const told = world.index(96).traded('96×300')
  assert.deepEqual(
    told.of('order.triggered').map((one) => [one.order, one.user, one.market]),
    [[order, world.id('alice'), contract]],
  )
  assert.deepEqual(told.of('order.amended'), [])
  const [open] = world.world.open('alice')
  assert.deepEqual([open!.order, open!.clientId, open!.status, open!.lots, open!.executedLots], [order, 'rest', 'open', 1000, 300])
  world.world.shows([], ['95×700'], contract)
  world.isReplayable()
})

test('PERP-STOP-001: a triggered order that would close beyond bankruptcy ends with `margin`', () => {
  const world = givenPerp(three)
  world.leverage('alice', 10).isAccepted()
  longs(world, 1000)
  const { order } = world.sell('alice', 89, 500, { ...falls(97), ...byMark, isReduceOnly: true }).isAccepted()
  const stays = world.sell('alice', 90, 500, { ...falls(97), ...byMark, isReduceOnly: true }).isAccepted().order
  world.buy('carol', 89, 100).isAccepted()
  assert.deepEqual(closed(world.index(97).traded()), [[order, 'margin']])
  assert.deepEqual(
    world.world.open('alice').map((one) => one.order),
    [stays],
  )
  world.isReplayable()
})

test('PERP-STOP-004: what is left of a triggered market order is tried for exactly five minutes, with the lots that are left', () => {
  const world = givenPerp(three)
  // Another order has the first place.
  world.buy('bob', 80, 100).isAccepted()
  longs(world, 1000)
  const { order } = world.market('alice', 'sell', 800, { ...falls(97), ...byMark, isReduceOnly: true }).isAccepted()
  world.index(97).traded()
  const since = world.world.atMs
  world.buy('carol', 97, 300).isAccepted()
  world.index(97).traded('97×300')
  const [open] = world.world.open('alice')
  assert.deepEqual([open!.lots, open!.executedLots, open!.executedQuote, open!.updatedAt], [800, 300, 29_100_000, world.world.atMs])
  world.world.atMs = since + 300_000 - 251
  assert.deepEqual(closed(world.index(97)), [])
  world.world.atMs = since + 300_000 - 250
  const last = world.index(97)
  assert.deepEqual(
    last.of('order.closed').map((one) => [one.order, one.reason, one.executedLots, one.executedQuote]),
    [[order, 'slippage', 300, 29_100_000]],
  )
  world.isReplayable()
})

test('PERP-STOP-004: a triggered market order that is filled, or meets an order of its user, is not tried again', () => {
  const world = longs(givenPerp(three), 1000)
  const first = world.market('alice', 'sell', 300, { ...falls(97), ...byMark, isReduceOnly: true }).isAccepted().order
  const second = world.market('alice', 'sell', 300, { ...falls(96), ...byMark, isReduceOnly: true }).isAccepted().order
  world.buy('carol', 97, 300).isAccepted()
  assert.deepEqual(closed(world.index(97).traded('97×300')).at(-1), [first, 'filled'])
  world.buy('alice', 96, 300).isAccepted()
  assert.deepEqual(closed(world.index(96).traded()), [[second, 'self-trade']])
  world.world.shows(['96×300'], [], contract)
  world.isReplayable()
})

/** Market orders that wait to close a long, and for which there is no bid. `untilMs` 0: they have not acted yet. */
function waiting(count: number, untilMs: number, more = 0, isCross = false): Alone {
  const alone = new Alone().at(1000)
  // Another order has the first place, and another market has nothing to do.
  alone.quotes(3, 'sell', 150, 1)
  alone.lists(5)
  const holding = alone.opens(1, 6, 100, 600, isCross ? { isCross } : {})
  const flags = (more | SELL | STOP | PENDING | WAKING | REDUCE_ONLY | MARKET_ORDER | HAS_LOTS | (1 << POSITION_SHIFT)) as OrderFlags
  for (let n = 1; n <= count; n++) {
    const order = (900 + n) as OrderId
    fallAsleep(alone.x, holding, store(alone.x, holding, order, flags, 0 as Ticks, 6 as Lots), 100 as Ticks)
    alone.contract.waiting.push({ order, untilMs: untilMs as Millis })
  }
  return alone
}

const triggered = (alone: Alone): number => alone.told('order.triggered').length

test('PERP-STOP-004: one command lets 32 waiting orders act, and the next ones continue behind them', () => {
  const alone = waiting(33, 0)
  const { x, contract: market } = alone
  retryAll(x)
  assert.deepEqual([triggered(alone), market.tries, market.waiting[0]?.order], [32, 1, 933])
  assert.equal(isRetrying(x), true)
  retrySome(x)
  assert.deepEqual([triggered(alone), market.tries, market.waiting[0]?.order], [33, 0, 901])
  assert.equal(isRetrying(x), false)
  const exact = waiting(32, 0)
  retryAll(exact.x)
  assert.deepEqual([triggered(exact), exact.contract.tries], [32, 0])
})

test('PERP-STOP-004: one command passes over 1,000 waiting orders with which nobody would trade', () => {
  const alone = waiting(1001, 5000)
  const { x, contract: market } = alone
  retryAll(x)
  assert.deepEqual([market.tries, market.waiting[0]?.order, market.waiting.length], [1, 1901, 1001])
  retrySome(x)
  assert.deepEqual([market.tries, market.waiting[0]?.order, triggered(alone)], [0, 901, 0])
})

test('PERP-STOP-004: while the market does not match, no waiting order has a turn', () => {
  const alone = waiting(2, 0)
  const { x, contract: market } = alone
  market.tries = 2
  market.gate.advance(x.atMs, false, true)
  assert.equal(isRetrying(x), false)
  retrySome(x)
  assert.deepEqual([market.tries, triggered(alone)], [2, 0])
  retryAll(x)
  assert.equal(market.tries, 0)
})

test('PERP-LIQUIDATION-006: an order that is triggered waits while its market does not match or its position waits for a step', () => {
  const waits = (change: (alone: Alone, holding: Holding) => void, isCross = false): boolean => {
    const alone = waiting(1, 0, 0, isCross)
    const { x, contract: market } = alone
    const holding = x.perp.account(1 as UserId).holdings[0]!
    alone.quotes(2, 'buy', 99, 6)
    market.waiting.length = 0
    change(alone, holding)
    wake(x, x.orders.find(901 as OrderId) as OrderSlot, 7000 as Millis)
    const isWaiting = market.waiting.length > 0
    if (isWaiting) assert.deepEqual(market.waiting, [{ order: 901, untilMs: 7000 }])
    assert.equal(alone.told('traded').length, isWaiting ? 0 : 1)
    return isWaiting
  }
  const account = (_: Alone, holding: Holding): void => void (holding.account.isLiquidating = true)
  const position = (_: Alone, holding: Holding): void => void (holding.isLiquidating = true)
  const shut = ({ x, contract: market }: Alone): void => void market.gate.advance(x.atMs, false, true)
  const nothing = (): void => undefined
  assert.deepEqual([waits(nothing), waits(nothing, true), waits(account)], [false, false, false])
  assert.deepEqual([waits(shut), waits(position), waits(account, true)], [true, true, true])
})

test('PERP-STOP-002: an order that only closes ends without acting when nothing is left to close', () => {
  for (const [more, reason] of [
    [0, 'reduce-only'],
    [CLOSING, 'position-closed'],
  ] as const) {
    const alone = waiting(1, 0, more)
    alone.x.perp.account(1 as UserId).holdings[0]!.lots = 0 as Lots
    retryAll(alone.x)
    assert.deepEqual(
      alone.told('order.closed').map((one) => [one.order, one.reason]),
      [[901, reason]],
    )
    assert.deepEqual(alone.told('order.amended'), [])
  }
})

test('PERP-STOP-004: when its time is up, an order ends with `slippage` if there are bids beyond its limit, and with `ioc` if not', () => {
  for (const [price, reason] of [
    [0, 'ioc'],
    [94, 'slippage'],
  ] as const) {
    const alone = waiting(1, 1000)
    alone.contract.index = 100e8 as IndexPrice
    if (price > 0) alone.quotes(2, 'buy', price, 6)
    retryAll(alone.x)
    assert.deepEqual(
      alone.told('order.closed').map((one) => one.reason),
      [reason],
    )
  }
})

test('PERP-STOP-004: time in which the market does not match does not count, also for an order that trades a part', () => {
  const alone = waiting(1, 5000)
  const { x, contract: market } = alone
  for (const [ms, isGood] of [
    [1000, false],
    [11_000, true],
    [16_000, true],
  ] as const)
    market.gate.advance(ms as Millis, isGood, true)
  // 2,000 ms of open time have passed. Nobody would trade, so that the order has had its turn.
  retryAll(alone.at(17_000).x)
  assert.equal(x.orders.c[x.orders.find(901 as OrderId) * C + UPDATED_AT], 1000)
  alone.quotes(2, 'buy', 99, 2)
  retryAll(alone.at(17_000).x)
  assert.equal(alone.told('traded').length, 1)
  assert.deepEqual(market.waiting, [{ order: 901, untilMs: 5000 }])
  alone.events.clear()
  retryAll(alone.at(20_000).x)
  assert.deepEqual(
    alone.told('order.closed').map(({ order }) => order),
    [901],
  )
  assert.equal(x.orders.find(901 as OrderId), -1)
})

test('PERP-STOP-001: a triggered order that its account can’t pay at its limit ends before it trades anything', () => {
  for (const timeInForce of ['GTC', 'IOC'] as const) {
    const world = givenPerp(three)
    const { order } = world.buy('alice', 114, 9000, { ...falls(95), ...byMark, timeInForce }).isAccepted()
    world.sell('carol', 96, 1000).isAccepted()
    assert.deepEqual(closed(world.index(95).traded()), [[order, 'margin']])
    world.isReplayable()
  }
})

/** Alice is long 1,000 lots, which a resting order closes; she has exactly what a sleeping order for 500 at 98 holds. */
function covered(): PerpWorld {
  const world = longs(givenPerp({ ...three, alice: '149.0745' }), 1000)
  world.sell('alice', 110, 1000).isAccepted()
  world.buy('carol', 97, 500).isAccepted()
  return world
}

test('PERP-STOP-001: a triggered order that can’t rest closes without money, one that could rest counts beside the others', () => {
  for (const [timeInForce, trades, reason] of [
    ['IOC', ['97×500'], 'filled'],
    ['GTC', [], 'margin'],
  ] as const) {
    const world = covered()
    const { order } = world.sell('alice', 97, 500, { ...falls(98), ...byMark, timeInForce }).isAccepted()
    world.has('alice', '0', '149.0245')
    world
      .index(98)
      .traded(...trades)
      .closed(order, reason)
  }
})

test('PERP-REDUCE-001: a triggered order that only reduces needs no money, also beside an order that closes the position', () => {
  const world = covered()
  world.moves('alice', '49.0245', 'perp', 'spot')
  const { order } = world.sell('alice', 97, 500, { ...falls(98), ...byMark, isReduceOnly: true }).isAccepted()
  world.index(98).traded('97×500').closed(order, 'filled')
})
