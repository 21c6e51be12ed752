/** Orders in the book of an account with debts: what they could lose counts before they trade. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Exchange } from '../../exchange.ts'
import { btcusdt, open } from './world.ts'
import type { MarginWorld } from './world.ts'

const cross = { margin: { account: 'margin-cross', borrow: 'none' } }
const isolated = { margin: { account: 'margin-isolated', borrow: 'none' } }

/** Alice owes 1,000 USDT and has 2,000 USDT and 0.1 BTC, worth 7,000 USDT together. */
function given(market = 0): MarginWorld {
  const desk = open().user('alice', { USDT: '2000', BTC: '1' }).user('mm', { BTC: '1000', USDT: '100000000' })
  desk.enter('alice', 'USDT', '1000', market).isAccepted()
  desk.enter('alice', 'BTC', '0.1', market).isAccepted()
  desk.borrow('alice', 'USDT', '1000', market).isAccepted()
  return desk
}

const level = (desk: MarginWorld, market = 0): number => desk.account('alice', market).levelPpm! / 1e6

/** Most USDT that may leave the account, to 0.01. */
function mostOut(desk: MarginWorld, market = 0): number {
  let [low, high] = [0, 200_000]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    // A copy tries it, so that the world stays as it is.
    const { exchange } = desk.world
    const users = desk.world.exchange.dump()
    const isOut = desk.leave('alice', 'USDT', (middle / 100).toFixed(2), market).outcome.refusal === undefined
    desk.world.exchange = isOut ? Exchange.restore(users) : exchange
    if (isOut) low = middle
    else high = middle - 1
  }
  return low / 100
}

test('MARGIN-LEVEL-001: an order in the book counts with its loss at the index, for the level and for what may leave', () => {
  for (const [market, flags] of [
    [0, cross],
    [btcusdt, isolated],
  ] as const) {
    const desk = given(market)
    const [before, out] = [level(desk, market), mostOut(desk, market)]
    // 10 lots are 0.01 BTC. A buy at 50,500 pays 505 for 500, a sell at 49,500 gives 500 for 495.
    const orders = [
      { price: 50_500, loss: 5, side: 'buy' },
      { price: 49_000, loss: 0, side: 'buy' },
    ] as const
    let loss = 0
    for (const order of orders) {
      const placed = desk.world.place('alice', { side: order.side, price: order.price, lots: 10, ...flags }).isAccepted()
      loss += order.loss
      assert.ok(Math.abs(before - level(desk, market) - loss / 1000) < 2e-5, `${order.side} ${order.price}`)
      if (order.loss === 0) desk.world.cancel('alice', placed.order).isAccepted()
    }
    const less = out - mostOut(desk, market)
    assert.ok(less >= loss - 0.02, `${less} less may leave`)
    const trigger = { kind: 'stop', price: 60_000, direction: 'rises-to' }
    const levelBefore = level(desk, market)
    desk.world.place('alice', { side: 'buy', price: 61_000, lots: 1, trigger, ...flags }).isAccepted()
    assert.equal(level(desk, market), levelBefore, 'an order that sleeps is judged when it triggers')
  }
})

test('MARGIN-LEVEL-001: a sell below the index counts with its loss too', () => {
  const desk = given()
  const before = level(desk)
  desk.world.sell('alice', 49_500, 20, cross).isAccepted()
  assert.ok(Math.abs(before - level(desk) - 10 / 1000) < 2e-5)
})
