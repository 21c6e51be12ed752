/** Differences between orders of the spot account and orders of Margin accounts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cross, isolated, people, quotes } from '../margin/test/stressed.ts'
import type { MarginWorld } from '../margin/test/world.ts'
import { btcusdt, open } from '../margin/test/world.ts'
import { marketTerms, perpTerms, plainOrder } from '../perp/test/world.ts'
import { restoreState } from '../dump.ts'

/** Alice owes 84,000 USDT in an isolated account of 94,000: an order there may lose 4,120 USDT against the index of 50,000. */
function indebted(): MarginWorld {
  const desk = people()
  desk.world.gives('alice', 'USDT', '100000')
  desk.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
  desk.borrow('alice', 'USDT', '84000', btcusdt).isAccepted()
  return desk
}

const asks = [
  [50_500, 400],
  [51_000, 400],
  [52_400, 10_000],
] as const

test('MARGIN-ORDER-005: a market order of the spot account is not bound by its owner’s Margin account, whose own order is', () => {
  const desk = indebted()
  quotes(desk, [], asks)
  desk.world.market('alice', 'buy', { lots: 1_780 }).isAccepted().traded('50500×400', '51000×400', '52400×980')
  quotes(desk, [], asks)
  desk.world
    .market('alice', 'buy', { lots: 1_780, ...isolated('none') })
    .isAccepted()
    .traded('50500×400', '51000×400')
  desk.world.isReplayable()
})

test('MARGIN-ORDER-006: a triggered order of the spot account is not judged by its owner’s Margin account, whose own order is', () => {
  for (const [flags, status] of [
    [{}, 'open'],
    [isolated('none'), undefined],
  ] as const) {
    const desk = indebted()
    desk.world.prints(50_000)
    const trigger = { kind: 'stop', price: 50_100, direction: 'rises-to' } as const
    const { order } = desk.world.buy('alice', 60_000, 1_000, { ...flags, trigger }).isAccepted()
    desk.world.prints(50_100)
    assert.equal(desk.world.open('alice').find((one) => one.order === order)?.status, status)
  }
})

test('MARGIN-ORDER-006: a triggered market order is bound by its Margin account, and one of the spot account is not', () => {
  for (const [flags, beyond] of [
    [{}, ['52400×980']],
    [isolated('none'), []],
  ] as const) {
    const desk = indebted()
    desk.world.prints(50_000).gives('taker', 'USDT', '1000000')
    const trigger = { kind: 'stop', price: 50_100, direction: 'rises-to' }
    desk.world.market('alice', 'buy', { lots: 1_780, trigger, ...flags }).isAccepted()
    quotes(desk, [], [[50_100, 100], ...asks])
    desk.world.buy('taker', 50_100, 100).traded('50100×100', '50500×400', '51000×400', ...beyond)
  }
})

test('MARGIN-ORDER-006: a triggered market sale is bound by what all its lots would lose', () => {
  const desk = people()
  desk.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
  desk.borrow('alice', 'BTC', '1.7', btcusdt).isAccepted()
  desk.world.prints(50_000)
  const trigger = { kind: 'stop', price: 49_900, direction: 'falls-to' }
  desk.world.market('alice', 'sell', { lots: 1_700, trigger, ...isolated('none') }).isAccepted()
  const bids = [
    [49_900, 100],
    [49_500, 400],
    [47_550, 10_000],
  ] as const
  quotes(desk, bids, [])
  // At 47,550 the whole order would lose 4,165 USDT against the index, and the account may lose 4,050.
  desk.world.sell('maker', 49_900, 100).traded('49900×100', '49500×400')
  desk.world.isReplayable()
})

test('MARGIN-LEVEL-001: a filled order’s place, taken by another user’s order, no longer counts; the limit leg of a list does', () => {
  const desk = people()
  const { world } = desk
  desk.enter('alice', 'USDT', '1000').isAccepted()
  world.gives('alice', 'BTC', '0.1')
  desk.enter('alice', 'BTC', '0.1').isAccepted()
  desk.borrow('alice', 'USDT', '1000').isAccepted()
  const isKept = (): void => desk.keepsLevel('alice')
  world.prints(48_000)
  const bid = world.buy('alice', 50_500, 10, cross('none')).isAccepted().order
  world.sell('mm', 50_500, 10).isAccepted().closed(bid, 'filled')
  // It gets the place of the filled order, and would lose 5 USDT.
  const other = world.buy('mm', 50_500, 10).isAccepted().order
  isKept()
  world.cancel('mm', other).isAccepted()
  world.prints(48_000)
  const before = desk.account('alice').levelPpm!
  // A sale of 0.01 BTC at 49,000 loses 10 USDT.
  world.oco('alice', { lots: 10, limitPrice: 49_000, stopPrice: 47_000, ...cross('none') }).isAccepted()
  assert.ok(desk.account('alice').levelPpm! < before)
  isKept()
})

test('MARGIN-ORDER-001: an order of the spot account opens no Margin account when it is cancelled', () => {
  const { world } = open().user('alice', { USDT: '1000' })
  const { order } = world.buy('alice', 50_000, 10).isAccepted()
  world.cancel('alice', order).isAccepted()
  assert.equal(restoreState(world.exchange.dump()).margin.find(world.user('alice'), btcusdt), undefined)
})

test('MARGIN-ORDER-001: orders of the spot account open no Margin account when they trade', () => {
  const { world } = open().user('alice', { BTC: '1' }).user('bob', { USDT: '10000' })
  world.sell('alice', 50_000, 10).isAccepted()
  world.buy('bob', 50_000, 10).isAccepted().traded('50000×10')
  const { margin } = restoreState(world.exchange.dump())
  assert.deepEqual(
    ['alice', 'bob'].map((name) => margin.find(world.user(name), btcusdt)),
    [undefined, undefined],
  )
})

test('MARGIN-ORDER-002: a market order that expires in an empty book borrows nothing', () => {
  const desk = open().user('alice', { USDT: '1000' })
  desk.enter('alice', 'USDT', '1000').isAccepted()
  const told = desk.world.market('alice', 'buy', { lots: 60, expires: true, ...cross('borrow') }).isAccepted()
  told.closed(told.order, 'ioc')
  assert.deepEqual([told.of('margin.loan'), desk.account('alice').debt], [[], 0])
})

test('SPOT-CANCEL-003: a cancel-all of spot or Margin orders leaves those of Futures', () => {
  const desk = open().user('alice', { USDT: '1000' })
  const { world } = desk
  const market = world
    .do({ type: 'perp.list', symbol: 'BTCUSDTPERP', base: 2, quote: 1, tick: '1', lot: '0.001', terms: marketTerms, perp: perpTerms })
    .isAccepted()
    .of('market.listed')[0]!.market.id
  desk.transfer('alice', 'USDT', '500', 'spot', 'perp').isAccepted()
  desk.prices(50_000, 2_500)
  const user = world.user('alice')
  world.do({ type: 'perp.place', user, market, side: 'buy', price: 50_000, lots: 5, ...plainOrder }).isAccepted()
  for (const only of ['spot', 'margin']) {
    const told = world.do({ type: 'spot.cancelAll', user, clientId: '', market: 0, only }).isAccepted()
    assert.deepEqual(told.of('order.closed'), [])
  }
})
