import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '@candor/core/exchange/test/world.ts'
import type { Lots } from '@candor/core/money/brand.ts'
import { openOrderOf, orderOfEvents, Orders } from '../orders.ts'

const rich = { alice: { BTC: '1000', USDT: '1000000' }, bob: { BTC: '1000', USDT: '1000000' } }
const modes = ['expire-taker', 'expire-maker', 'expire-both', 'none', 'decrement'] as const

test('API-SPOT-020: what memory knows of an order’s prevented matches is what the engine knows, whenever it begins to follow', async () => {
  let seed = 11
  const chance = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const world = given(rich, { notionalMin: 1 }).prints(100)
  const users = ['alice', 'bob'].map((name) => world.user(name))
  const whole = new Orders()
  let late = new Orders()
  let [lost, asked] = [0, 0]
  for (let step = 0; step < 1_500; step++) {
    const name = chance(3) === 0 ? 'bob' : 'alice'
    const side = chance(2) === 0 ? ('buy' as const) : ('sell' as const)
    const selfTrade = modes[chance(modes.length)]
    const amount = chance(5) === 0 ? { spend: 1_000_000 + chance(30_000_000) } : { lots: 10 + chance(200) }
    const limit = { side, price: 95 + chance(10), lots: 10 + chance(300), selfTrade, ...(chance(4) === 0 ? { display: 9 } : {}) }
    const told = chance(4) === 0 ? world.market(name, side, { ...amount, selfTrade }) : world.place(name, limit)
    const { at, seq, order } = told.outcome
    for (const event of told.events) for (const orders of [whole, late]) orders.apply(event, at, seq)
    const taken = orderOfEvents(told.events, order, at)
    const [last] = told
      .of('match.prevented')
      .filter(({ takerOrder, takerLots }) => takerOrder === order && takerLots > 0)
      .slice(-1)
    if (last !== undefined) {
      lost++
      assert.equal(taken?.preventedMatch, last.match)
      assert.equal(whole.get(order)?.preventedMatch, last.match)
      if (taken?.spend !== 0) assert.equal(taken?.preventedLots, sum(told.of('match.prevented').map(({ takerLots }) => takerLots)))
    }
    if (step % 10 !== 0) continue
    if (step % 200 === 0) late = new Orders()
    for (const user of users) {
      const engines = [...world.exchange.openOrders(user)].sort((a, b) => a.order - b.order)
      asked += engines.filter(({ preventedMatch }) => preventedMatch !== undefined).length
      assert.deepEqual(whole.openOf(user).map(openOrderOf), engines)
      // One that begins now has the engine's answer, and follows from here.
      await late.know({ ordersAt: async () => ({ seq: world.exchange.seq, orders: engines }) }, user)
      assert.deepEqual(late.openOf(user).map(openOrderOf), engines)
    }
  }
  assert.ok(lost > 100 && asked > 20, `${lost} ${asked}`)
})

const sum = (lots: readonly Lots[]): number => lots.reduce((all, each) => all + each, 0)
