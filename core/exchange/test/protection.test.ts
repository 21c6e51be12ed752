import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryForMs } from '../spot/retry.ts'
import { given, type World } from './world.ts'

const falls = { direction: 'falls-to' } as const
const rises = { direction: 'rises-to' } as const

/** Four minutes of trades at 100; the tests then let index and book fall at once. */
function crash(world: World): World {
  world.index(100)
  for (let n = 0; n < 8; n++) {
    world.prints(100)
    world.atMs += 30_000
  }
  return world
}

test('SPOT-MARKET-006: in a fast market a market order, a stop and the stop of an OCO fill at the prices of index and book', () => {
  const world = crash(given({ alice: { BTC: '1' }, carol: { BTC: '1' }, dora: { BTC: '1' }, bob: { USDT: '10000' } }))
  const stop = world.market('alice', 'sell', { lots: 500, trigger: { kind: 'stop', price: 95, ...falls } }).isAccepted().order
  const list = world.oco('carol', { lots: 500, limitPrice: 110, stopPrice: 95 }).isAccepted().order
  world.index(80)
  world.buy('bob', 80, 5000).isAccepted()
  const hit = world.sell('maker', 80, 100).isAccepted()
  hit
    .closed(stop, 'filled')
    .closed(list + 2, 'filled')
    .closed(list + 1, 'oco')
  world.market('dora', 'sell', { lots: 500 }).isAccepted().traded('80×500')
  for (const who of ['alice', 'carol', 'dora']) world.has(who, 'BTC', '0.5')
})

test('SPOT-MARKET-006: without a good index the worst price is counted from the reference', () => {
  const world = crash(given({ alice: { BTC: '1' }, bob: { USDT: '10000' } }))
  world.index(80, false)
  world.buy('bob', 80, 5000).isAccepted()
  const told = world.market('alice', 'sell', { lots: 500 }).isAccepted().traded()
  told.closed(told.order, 'slippage')
})

test('SPOT-STOP-007: the remainder of a triggered market order is retried at each index tick, at that tick’s protection price', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '10000' } }).prints(100)
  world.index(100)
  const stop = world.market('alice', 'sell', { lots: 500, trigger: { kind: 'stop', price: 97, ...falls } }).isAccepted().order
  world.buy('bob', 97, 100)
  world.buy('bob', 96, 200)
  world.buy('bob', 90, 1000)
  // From an index of 100 the worst price is 95; the bids at 90 are beyond it.
  const hit = world.sell('maker', 97, 100).traded('97×100', '96×200')
  assert.deepEqual(
    hit.of('order.closed').filter(({ order }) => order === stop),
    [],
  )
  const [working] = world.open('alice')
  assert.deepEqual([working?.status, working?.executedLots, working?.triggeredAt], ['open', 200, world.atMs])
  world.has('alice', 'BTC', '0.5', '0.3').isReplayable()
  world.amend('alice', stop, { lots: 100 }).isRefused('ORDER_NOT_AMENDABLE')
  assert.deepEqual(world.index(99).of('traded'), [])
  world.index(94).traded('90×300').closed(stop, 'filled')
  world.has('alice', 'BTC', '0.5').isReplayable()
})

test('SPOT-STOP-007: a retried order ends after five minutes, and can be cancelled before', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' } }).prints(100)
  const stop = { lots: 200, trigger: { kind: 'stop', price: 97, ...falls } }
  const [first, second] = [world.market('alice', 'sell', stop).order, world.market('alice', 'sell', stop).order]
  world.buy('bob', 97, 100)
  world.sell('maker', 97, 100)
  world.has('alice', 'BTC', '0.6', '0.4')
  world.cancel('alice', first).isAccepted().closed(first, 'cancelled')
  assert.equal(world.exchange.nextDueAtMs, world.atMs + retryForMs)
  world.atMs += retryForMs
  world.tick().closed(second, 'ioc')
  world.has('alice', 'BTC', '1').isReplayable()
  assert.equal(world.exchange.nextDueAtMs, Infinity)
})

test('SPOT-STOP-007: a retried order ends with the sum of what it traded in all tries', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '10000' } }).prints(100)
  world.index(100)
  world.buy('bob', 90, 1000).isAccepted()
  const stop = world.market('alice', 'sell', { lots: 500, trigger: { kind: 'stop', price: 97, ...falls } }).isAccepted().order
  world.buy('bob', 97, 100)
  world.buy('bob', 96, 200)
  world.sell('maker', 97, 100).traded('97×100', '96×200')
  const [closed] = world.index(94).traded('90×300').of('order.closed')
  assert.deepEqual([closed?.order, closed?.executedLots, closed?.executedQuote], [stop, 500, (96 * 200 + 90 * 300) * 1000])
})

test('SPOT-STOP-007: a retried buy by amount continues with the rest of its amount', () => {
  const world = given({ alice: { USDT: '100' }, bob: { BTC: '1' } }).prints(100)
  world.index(100)
  const stop = world.market('alice', 'buy', { spend: 60_000_000, trigger: { kind: 'stop', price: 103, ...rises } }).isAccepted().order
  world.sell('bob', 103, 300)
  world.sell('bob', 110, 500)
  world.buy('taker', 103, 100).isAccepted().traded('103×100', '103×200')
  world.has('alice', 'USDT', '40', '39.4')
  // 39.4 USDT can pay for 358 lots at 0.11 each.
  world.index(108).traded('110×358').closed(stop, 'filled')
  world.has('alice', 'USDT', '40.02').isReplayable()
})

test('SPOT-OCO-002: when the stop leg ends unfilled, the limit leg goes back to the end of its level', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000', BTC: '1' } }).prints(100)
  const list = world.oco('alice', { lots: 500, limitPrice: 110, stopPrice: 95 }).isAccepted().order
  world.sell('bob', 110, 100)
  world.shows([], ['110×600']).buy('taker', 95, 100)
  const hit = world.sell('maker', 95, 100).isAccepted()
  assert.deepEqual(
    hit.of('order.closed').filter(({ order }) => order > list && order <= list + 2),
    [],
  )
  world.shows([], ['110×100']).has('alice', 'BTC', '0.5', '0.5').isReplayable()
  world.atMs += retryForMs
  world.tick().closed(list + 2, 'ioc')
  world.shows([], ['110×600']).has('alice', 'BTC', '0.5', '0.5').isReplayable()
  world.buy('taker', 110, 200).traded('110×100', '110×100')
  world.cancel('alice', list + 1).closed(list + 1, 'cancelled')
  world.has('alice', 'BTC', '0.9').hasNoOrders()
})

test('SPOT-OCO-002: while the stop leg is retried, cancelling one leg cancels both, and its first fill closes the limit leg', () => {
  const world = given({ alice: { BTC: '1' }, carol: { BTC: '1' }, bob: { USDT: '1000' } }).prints(100)
  const list = world.oco('alice', { lots: 500, limitPrice: 110, stopPrice: 95 }).order
  const other = world.oco('carol', { lots: 500, limitPrice: 110, stopPrice: 95 }).order
  world.buy('taker', 95, 100)
  world.sell('maker', 95, 100).isAccepted()
  world
    .cancel('alice', list + 1)
    .isAccepted()
    .closed(list + 1, 'cancelled')
    .closed(list + 2, 'oco')
  world.has('alice', 'BTC', '1')
  world.buy('bob', 95, 100)
  world
    .index(96)
    .traded('95×100')
    .closed(other + 1, 'oco')
  world.has('carol', 'BTC', '0.5', '0.4').isReplayable()
})

test('SPOT-OCO-002: a returning limit leg takes if its price was reached meanwhile', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' }, carol: { BTC: '1' } }).prints(100)
  world.sell('carol', 119, 100).isAccepted()
  const list = world.oco('alice', { lots: 500, limitPrice: 110, stopPrice: 95 }).order
  world.buy('taker', 95, 100)
  world.sell('maker', 95, 100).isAccepted()
  world.buy('bob', 110, 600).isAccepted()
  world.atMs += retryForMs
  // The last retry of the stop leg fails: from an index of 130, a sale at 110 is beyond the worst price.
  world
    .index(130)
    .closed(list + 2, 'slippage')
    .closed(list + 1, 'filled')
    .traded('110×500')
  world.has('alice', 'BTC', '0.5').isReplayable()
})
