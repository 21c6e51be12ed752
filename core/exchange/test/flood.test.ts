import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given, type Told } from './world.ts'

const falls = { direction: 'falls-to' } as const

test('SPOT-STOP-006: many triggered orders in one market delay no order of another market', () => {
  const world = given({ flood: { BTC: '10' }, bob: { ETH: '1', USDT: '1000' }, carol: { BTC: '1' } }).prints(100)
  const eth = (side: 'buy' | 'sell', price: number, lots: number, more: object = {}): Told =>
    world.place(side === 'sell' ? 'bob' : 'carol', { market: 2, side, price, lots, ...more })
  eth('sell', 5000, 100).isAccepted()
  eth('buy', 5000, 100).isAccepted().traded('5000×100')
  for (let n = 0; n < 150; n++) world.sell('flood', 80, 63, { price: 82, trigger: { kind: 'stop', price: 90, ...falls } }).isAccepted()
  const stop = eth('sell', 4500, 100, { trigger: { kind: 'stop', price: 4900, ...falls } }).isAccepted().order
  world.buy('bob', 90, 100)
  assert.equal(world.sell('maker', 90, 100).of('order.triggered').length, 32)
  eth('buy', 4900, 100).isAccepted()
  const told = eth('sell', 4900, 100).isAccepted()
  assert.ok(
    told.of('order.triggered').some(({ order }) => order === stop),
    'the stop of the other market waits behind the flood',
  )
  world.isReplayable()
})

test('SPOT-TRAIL-002: a customer may place a trailing order, however many already sleep in the market', () => {
  const world = given({ flood: { BTC: '400' }, alice: { BTC: '1' } }, { openOrdersMax: 10_000 }).prints(100)
  const trigger = { kind: 'trailing', trailPpm: 50_000, ...falls }
  for (let n = 0; n < 5001; n++) world.market('flood', 'sell', { lots: 60, trigger }).isAccepted()
  world.market('alice', 'sell', { lots: 300, trigger }).isAccepted()
})
