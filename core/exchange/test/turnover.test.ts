/** The limit of the daily spot turnover of customers without a certificate, in production. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Exchange } from '../exchange.ts'
import { asProduction } from './production.ts'
import { given, type Told, type World } from './world.ts'

const dayMs = 86_400_000
/** The limit is 10,000 USDT. At a price of 10,000 one lot of BTCUSDT is worth 10 USDT, so a thousand lots reach it. */
const price = 10_000
const rises = { kind: 'stop', price: price + 100, direction: 'rises-to' }

/** Production with a certified counterparty `deep`, a last price of 10,000 in BTCUSDT, and `alice` without a certificate. */
function production(): World {
  const funds = { USDT: '1000000', BTC: '1000', ETH: '1000' }
  const world = given({ alice: funds, deep: funds }, { openOrdersMax: 500 }).prints(price, 1)
  world.do({ type: 'user.certify', user: world.user('deep'), isCertified: true }).isAccepted()
  asProduction(world)
  return world
}

const turnover = (world: World, name = 'alice') => world.exchange.standing(world.user(name)).turnover
const used = (world: World): number => (turnover(world)?.used ?? Number.NaN) / 1e6
const certify = (world: World, isCertified: boolean): Told =>
  world.do({ type: 'user.certify', user: world.user('alice'), isCertified }).isAccepted()

test('SPOT-TURNOVER-001: today’s trades, open orders and the new order together reach 10,000 USDT at most, to the unit', () => {
  const world = production()
  world.buy('alice', price, 1001).isRefused('TURNOVER_LIMIT')
  world.sell('deep', price, 400).isAccepted()
  world.buy('alice', price, 400, { timeInForce: 'IOC' }).isAccepted().traded(`${price}×400`)
  assert.equal(used(world), 4000)
  world.buy('alice', 9000, 400).isAccepted()
  world.sell('alice', 11_000, 100).isAccepted()
  // 4,000 traded, 3,600 and 1,100 open: 1,300 are left.
  world.buy('alice', price, 131).isRefused('TURNOVER_LIMIT')
  world.buy('alice', price - 1, 130).isAccepted()
  world.exchange = Exchange.restore(world.exchange.dump())
  assert.deepEqual(turnover(world), { limit: 10_000_000_000, used: 4_000_000_000, open: 5_999_870_000 })
  world.sell('alice', 11_000, 1).isRefused('TURNOVER_LIMIT')
})

test('SPOT-TURNOVER-001: cancelling makes room, and a refusal for another reason comes first', () => {
  const world = production()
  const { order } = world.buy('alice', 9000, 1111).isAccepted()
  world.buy('alice', 9000, 100).isRefused('TURNOVER_LIMIT')
  world.buy('alice', 9000, 200_000).isRefused('INSUFFICIENT_BALANCE')
  world.sell('deep', 9500, 10).isAccepted()
  world.buy('alice', 9500, 100, { isPostOnly: true }).isRefused('POST_ONLY_WOULD_TAKE')
  world.buy('alice', 9500, 1000, { timeInForce: 'FOK' }).isRefused('FOK_NOT_FILLABLE')
  world.cancel('alice', order).isAccepted()
  world.buy('alice', 9000, 1111).isAccepted()
})

test('SPOT-TURNOVER-002: certified customers, makers, the house and sandboxes have no limit', () => {
  const world = production()
  certify(world, true)
  assert.equal(turnover(world), null)
  world.buy('alice', price, 5000).isAccepted()
  certify(world, false)
  world.do({ type: 'user.house', user: world.user('alice'), isHouse: true }).isAccepted()
  world.buy('alice', price, 5000).isAccepted()
  world.do({ type: 'user.house', user: world.user('alice'), isHouse: false }).isAccepted()
  assert.deepEqual(world.open('alice'), [])
  for (const name of ['maker', 'bench'] as const) {
    const user = world.do({ type: 'user.open', requestId: '', class: name, referrer: 0 }).isAccepted().outcome.user
    assert.equal(world.exchange.standing(user).turnover, null)
  }
  const sandbox = given({ alice: { USDT: '1000000' } })
  assert.equal(turnover(sandbox), null)
  sandbox.buy('alice', price, 5000).isAccepted()
})

test('SPOT-TURNOVER-003: a sell that takes counts at the best bid', () => {
  const world = production()
  world.buy('deep', 11_000, 500).isAccepted()
  world.sell('alice', 9000, 910).isRefused('TURNOVER_LIMIT')
  world.sell('alice', 9000, 909).isAccepted()
  assert.equal(used(world), 5500)
})

test('SPOT-TURNOVER-003: market orders count their amount, or their quantity at the worst price', () => {
  const world = production()
  world.sell('deep', price, 2000).isAccepted()
  world.buy('deep', 9900, 2000).isAccepted()
  world.market('alice', 'buy', { spend: 10_000_000_001 }).isRefused('TURNOVER_LIMIT')
  world.market('alice', 'sell', { spend: 10_000_000_001 }).isRefused('TURNOVER_LIMIT')
  world.market('alice', 'buy', { lots: 1000 }).isRefused('TURNOVER_LIMIT')
  world.market('alice', 'sell', { lots: 1011 }).isRefused('TURNOVER_LIMIT')
  world.market('alice', 'buy', { lots: 500 }).isAccepted()
  world.market('alice', 'sell', { lots: 505 }).isAccepted()
  assert.ok(used(world) <= 10_000)
  world.market('alice', 'buy', { lots: 1 }).isRefused('TURNOVER_LIMIT')
})

test('SPOT-TURNOVER-004: an order that acts later is checked again, and closes with `turnover` when it would be too much', () => {
  const world = production()
  world.buy('deep', 9900, 1).isAccepted()
  const stop = { lots: 1000, trigger: { kind: 'stop', price: 9900, direction: 'falls-to' } }
  const { order } = world.market('alice', 'sell', stop).isAccepted()
  world.buy('alice', 9000, 100).isRefused('TURNOVER_LIMIT')
  // It wakes, finds no bid, and is tried again when the bids are higher.
  world.sell('deep', 9900, 1, { selfTrade: 'none' }).isAccepted()
  world.sell('maker', 9900, 1).isAccepted()
  world.buy('deep', 9900, 1).isAccepted()
  world.buy('deep', 10_400, 1000).isAccepted()
  world.index(price).isAccepted().closed(order, 'turnover')
  assert.equal(used(world), 0)
  world.has('alice', 'BTC', '1000')
})

test('SPOT-TURNOVER-004: a leg that returns to the book, because the other did not trade, is checked again', () => {
  const world = production()
  const list = world.oco('alice', { side: 'sell', lots: 950, limitPrice: 10_500, stopPrice: 9900, stopLimit: 9900 }).isAccepted().order
  const buys = { lots: 900, price: 10_100, trigger: rises }
  world.buy('alice', 10_100, 1, { trigger: rises }).isAccepted()
  world.place('alice', buys).isRefused('TURNOVER_LIMIT')
  world.buy('deep', 10_500, 2000).isAccepted()
  assert.ok(used(world) <= 10_000)
  assert.ok(world.open('alice').every(({ list: own }) => own !== list))
})

test('SPOT-TURNOVER-005: an amend to a larger value is refused, one to a smaller quantity is not', () => {
  const world = production()
  const { order } = world.buy('alice', 9000, 1000).isAccepted()
  world.amend('alice', order, { lots: 1112 }).isRefused('TURNOVER_LIMIT')
  world.amend('alice', order, { price: 10_001 }).isRefused('TURNOVER_LIMIT')
  world.amend('alice', order, { lots: 1111 }).isAccepted()
  world.amend('alice', order, { price: 9001, lots: 1110 }).isAccepted()
  world.amend('alice', order, { lots: 10 }).isAccepted()
})

test('SPOT-TURNOVER-005: a list counts its larger leg once', () => {
  const world = production()
  const legs = { side: 'sell', limitPrice: 11_000, stopPrice: 9000 }
  world.oco('alice', { ...legs, lots: 910 }).isRefused('TURNOVER_LIMIT')
  world.oco('alice', { ...legs, lots: 909 }).isAccepted()
  world.sell('alice', 11_000, 1).isRefused('TURNOVER_LIMIT')
  world.buy('deep', 11_000, 1000).isAccepted()
  assert.equal(used(world), 9999)
})

test('SPOT-TURNOVER-006: at midnight the used part starts at 0, and open orders count on', () => {
  const world = production()
  world.buy('alice', 9900, 500).isAccepted()
  world.sell('deep', price, 500).isAccepted()
  world.buy('alice', price, 500, { timeInForce: 'IOC' }).isAccepted()
  world.buy('alice', 9900, 100).isRefused('TURNOVER_LIMIT')
  world.atMs = (Math.floor(world.atMs / dayMs) + 1) * dayMs
  world.tick().isAccepted()
  assert.equal(used(world), 0)
  world.buy('alice', 9900, 511).isRefused('TURNOVER_LIMIT')
  world.buy('alice', 9900, 510).isAccepted()
  world.sell('deep', 9900, 2000).isAccepted()
  assert.equal(used(world), 9999)
  world.buy('alice', 9900, 1).isRefused('TURNOVER_LIMIT')
})

test('SPOT-TURNOVER-007: in a market of another quote asset, orders count at its price in USDT, and none may rest', () => {
  const world = production()
  const ethbtc = { market: 2 }
  // 0.05 BTC for one ETH, and 10,000 USDT for one BTC: one lot is worth 0.5 USDT.
  world.sell('deep', 5000, 100_000, ethbtc).isAccepted()
  world.buy('alice', 5000, 1000, ethbtc).isRefused('TURNOVER_LIMIT')
  world.buy('alice', 5000, 20_001, { ...ethbtc, timeInForce: 'IOC' }).isRefused('TURNOVER_LIMIT')
  world.buy('alice', 5000, 20_000, { ...ethbtc, timeInForce: 'IOC' }).isAccepted()
  assert.equal(used(world), 10_000)
  world.oco('alice', { ...ethbtc, side: 'sell', lots: 100, limitPrice: 5100, stopPrice: 4900 }).isRefused('TURNOVER_LIMIT')
})

test('SPOT-TURNOVER-007: without a price in USDT nothing can be measured, and an order is refused', () => {
  const world = given({ alice: { ETH: '10', BTC: '10' }, deep: { ETH: '10', BTC: '10' } })
  asProduction(world)
  world.do({ type: 'user.certify', user: world.user('deep'), isCertified: true }).isAccepted()
  world.sell('deep', 5000, 100, { market: 2 }).isAccepted()
  world.buy('alice', 5000, 100, { market: 2, timeInForce: 'IOC' }).isRefused('TURNOVER_LIMIT')
})

test('SPOT-TURNOVER-008: without the certificate, the oldest orders are cancelled until the limit holds', () => {
  const world = production()
  certify(world, true)
  const eth = world.buy('alice', 4900, 10, { market: 2, lots: 200 }).isAccepted().order
  const orders = [500, 400, 300, 200].map((lots) => world.buy('alice', 9000, lots).isAccepted().order)
  const told = certify(world, false)
  told.closed(eth, 'turnover').closed(orders[0]!, 'turnover')
  assert.deepEqual(
    world.open('alice').map(({ order }) => order),
    orders.slice(1),
  )
})

test('SPOT-TURNOVER-008: a long list of orders is cancelled by clock ticks', () => {
  const world = production()
  certify(world, true)
  for (let n = 0; n < 250; n++) world.buy('alice', 9000, 100).isAccepted()
  assert.equal(certify(world, false).of('order.closed').length, 200)
  assert.equal(world.tick().isAccepted().of('order.closed').length, 39)
  assert.equal(world.open('alice').length, 11)
})

test('SPOT-TURNOVER-008: a long list of small orders within the limit keeps no other cancellation waiting', () => {
  const world = production()
  certify(world, true)
  for (let n = 0; n < 250; n++) world.buy('alice', 9000, 1).isAccepted()
  assert.equal(certify(world, false).of('order.closed').length, 0)
  for (let n = 0; n < 250; n++) world.buy('deep', 9000, 1).isAccepted()
  world.do({ type: 'spot.cancelAll', user: world.user('deep'), clientId: '', market: 0 }).isAccepted()
  assert.equal(world.tick().isAccepted().of('order.closed').length, 50)
  assert.equal(world.exchange.nextDueAtMs, Infinity)
})
