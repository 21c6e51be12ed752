import assert from 'node:assert/strict'
import { test } from 'node:test'
import { movementsFrom } from '../../../protocol/ids.ts'
import { btcusdt, open, units } from './world.ts'

const hour = 3_600_000

test('MARGIN-BORROW-001: a loan comes from the pool, and its first hour is charged at once', () => {
  const desk = open().user('alice', { USDT: '1000' })
  desk.enter('alice', 'USDT', '1000').isAccepted()
  const told = desk.borrow('alice', 'USDT', '3000').isAccepted()
  // With 3,000 of 1,000,000 lent, the rate is 0.0005 % + 0.0015 % × 0.003 ÷ 0.8 = 0.000505625 %, here of 3,000 USDT.
  assert.deepEqual(
    told.of('margin.loan').map(({ cause, delta, principal, interest }) => [cause, delta, principal, interest]),
    [
      ['borrow', 3_000_000_000, 3_000_000_000, 0],
      ['interest', 15_169, 3_000_000_000, 15_169],
    ],
  )
  assert.equal(desk.system('outside:loans', 'USDT'), -3_000_015_169)
  assert.equal(desk.balance('alice', 'USDT').available, 4_000_000_000)
  assert.equal(desk.pool('USDT').borrowed, 3_000_015_169)
  desk.world.isReplayable()
})

test('MARGIN-BORROW-002: a cross loan is limited by the level 1.25, an isolated loan by the leverage of its tier', () => {
  const desk = open().user('alice', { USDT: '100000' })
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.enter('alice', 'USDT', '1000', btcusdt).isAccepted()
  for (const market of [0, btcusdt]) {
    const { borrowable } = desk.balance('alice', 'USDT', market)
    // Own money of 1,000 can borrow 4,000 at 5× and 9,000 at 10×, less the first hour's interest.
    const full = market === 0 ? 4_000_000_000 : 9_000_000_000
    assert.ok(borrowable < full && borrowable > full * 0.9999)
    const loan = { type: 'margin.borrow', user: desk.world.user('alice'), clientId: '', market, asset: 1 }
    desk.world.do({ ...loan, amount: borrowable + 1 }).isRefused('BORROW_LIMIT')
    desk.world.do({ ...loan, amount: borrowable }).isAccepted()
    assert.ok(desk.account('alice', market).levelPpm! >= (market === 0 ? 1_250_000 : 1_111_112))
    assert.equal(desk.account('alice', market).state, 'safe')
  }
  desk.borrow('alice', 'USDT', '1').isRefused('BORROW_LIMIT')
  desk.borrow('alice', 'ETH', '0', btcusdt).isRefused('AMOUNT_NOT_POSITIVE')
  desk.borrow('alice', 'ETH', '1', btcusdt).isRefused('ASSET_NOT_IN_ACCOUNT')
  desk.borrow('alice', 'ETH', '1', 77).isRefused('MARKET_UNKNOWN')
  desk.prices(50_000, 2_500)
  desk.world.isReplayable()
})

test('MARGIN-BORROW-002: a larger loan has a lower leverage', () => {
  const desk = open().user('alice', { USDT: '100000' })
  desk.enter('alice', 'USDT', '30000', btcusdt).isAccepted()
  const { borrowable } = desk.balance('alice', 'USDT', btcusdt)
  // At 10×, 30,000 could borrow 270,000, but loans above 200,000 have only 8×: 210,000.
  assert.ok(borrowable > 209_950e6 && borrowable < 210_000e6, `${borrowable}`)
})

test('MARGIN-BORROW-003: the pool lends up to 90 % and not one unit more', () => {
  const desk = open().user('alice', { USDT: '900000' }).user('bob', { BTC: '1' })
  desk.enter('bob', 'BTC', '1').isAccepted()
  desk.enter('alice', 'USDT', '900000').isAccepted()
  const { room } = desk.pool('BTC')
  assert.equal(room, units('BTC', '90'))
  desk.world.do({ type: 'margin.borrow', user: desk.world.user('alice'), clientId: '', market: 0, asset: 2, amount: room + 1 })
  desk.borrow('alice', 'BTC', '60').isAccepted()
  desk.borrow('bob', 'BTC', '30').isRefused('BORROW_LIMIT')
  desk.world.gives('bob', 'BTC', '20')
  desk.enter('bob', 'BTC', '20').isAccepted()
  desk.borrow('bob', 'BTC', '31').isRefused('POOL_EXHAUSTED')
  const left = desk.pool('BTC').room
  const loan = { type: 'margin.borrow', user: desk.world.user('bob'), clientId: '', market: 0, asset: 2 }
  desk.world.do({ ...loan, amount: left + 1 }).isRefused('POOL_EXHAUSTED')
  desk.world.do({ ...loan, amount: left }).isAccepted()
  assert.equal(desk.pool('BTC').room, 0)
  desk.world.isReplayable()
})

test('MARGIN-LOAN-001: each loan and repayment has a unique number, and a repeat returns the number of the first', () => {
  const desk = open().user('alice', { USDT: '1000' })
  desk.enter('alice', 'USDT', '1000').isAccepted()
  const loan = { user: desk.world.user('alice'), market: 0, asset: 1 }
  const lend = { type: 'margin.borrow', ...loan, clientId: 'l', amount: 5_000_000 }
  const lent = desk.world.do(lend).isAccepted().outcome
  const back = { type: 'margin.repay', ...loan, clientId: 'r', amount: 1_000_000 }
  const repaid = desk.world.do(back).isAccepted().outcome
  assert.deepEqual([lent.order, repaid.order], [movementsFrom + lent.seq, movementsFrom + repaid.seq])
  assert.equal(desk.world.do(lend).isAccepted().outcome.order, lent.order)
  assert.equal(desk.world.do(back).isAccepted().outcome.order, repaid.order)
  desk.world.isReplayable()
})

test('MARGIN-BORROW-004: an asset without a good price can neither be borrowed nor secure a loan', () => {
  const desk = open().user('alice', { USDT: '1000', BTC: '1' })
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.prices(50_000, 2_500, false)
  desk.borrow('alice', 'BTC', '0.001').isRefused('NO_INDEX_PRICE')
  assert.equal(desk.balance('alice', 'BTC').borrowable, 0)
  desk.enter('alice', 'BTC', '1').isAccepted()
  const { borrowable } = desk.balance('alice', 'USDT')
  assert.ok(borrowable > units('USDT', '3999') && borrowable < units('USDT', '4000'), `${borrowable}`)
  desk.borrow('alice', 'USDT', '4001').isRefused('BORROW_LIMIT')
  desk.prices(50_000, 2_500)
  desk.borrow('alice', 'USDT', '4001').isAccepted()
  desk.world.isReplayable()
})

test('MARGIN-REPAY-001: a repayment pays interest first, and never more than the debt', () => {
  const desk = open().user('alice', { USDT: '1000' })
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.repay('alice', 'USDT', '1').isRefused('NOTHING_OWED')
  desk.borrow('alice', 'USDT', '3000').isAccepted()
  desk.repay('alice', 'USDT', '0.01').isAccepted()
  assert.deepEqual([desk.balance('alice', 'USDT').principal, desk.balance('alice', 'USDT').interest], [3_000_000_000, 5_169])
  desk.repay('alice', 'USDT', '1').isAccepted()
  assert.deepEqual([desk.balance('alice', 'USDT').principal, desk.balance('alice', 'USDT').interest], [2_999_005_169, 0])
  desk.repay('alice', 'USDT', '4000').isAccepted()
  assert.deepEqual([desk.balance('alice', 'USDT').principal, desk.balance('alice', 'USDT').interest], [0, 0])
  assert.equal(desk.balance('alice', 'USDT').available, 1_000_000_000 - 15_169)
  assert.equal(desk.system('outside:loans', 'USDT'), 0)
  desk.borrow('alice', 'BTC', '0.01').isAccepted()
  desk.repay('alice', 'BTC', '0').isAccepted()
  // The account has only the borrowed coin, so the interest stays owed.
  assert.deepEqual([desk.balance('alice', 'BTC').principal, desk.balance('alice', 'BTC').interest], [6, 0])
  desk.repay('alice', 'BTC', '0').isRefused('INSUFFICIENT_BALANCE')
  desk.world.isReplayable()
})

test('MARGIN-INTEREST-001: every full hour charges each debt once, missed hours included', () => {
  const desk = open().user('alice', { USDT: '1000' }).user('bob', { USDT: '1000' })
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.enter('bob', 'USDT', '1000').isAccepted()
  desk.borrow('alice', 'USDT', '3000').isAccepted()
  desk.borrow('bob', 'BTC', '0.01').isAccepted()
  const first = desk.balance('alice', 'USDT').interest
  assert.equal(desk.world.exchange.nextDueAtMs, Math.ceil(desk.world.atMs / hour) * hour)
  desk.waits(hour)
  // The pool was lent out only for a part of the hour before, so the mean is lower.
  const begun = desk.balance('alice', 'USDT').interest
  assert.ok(begun - first > 15_000 && begun - first < 15_169)
  assert.equal(desk.balance('bob', 'BTC').interest, 12)
  desk.waits(hour)
  const each = desk.balance('alice', 'USDT').interest - begun
  assert.equal(each, 15_169)
  // Three missed hours are charged at once.
  desk.world.atMs += 3 * hour
  desk.world.tick().isAccepted()
  assert.equal(desk.balance('alice', 'USDT').interest, begun + 4 * each)
  assert.equal(desk.balance('alice', 'USDT').principal, 3_000_000_000)
  desk.world.isReplayable()
})

test('MARGIN-INTEREST-001: each missed hour is rounded up by itself, as if it had been charged alone', () => {
  for (const hours of [2, 4, 9, 25]) {
    const desk = open().user('alice', { USDT: '1000' })
    desk.enter('alice', 'USDT', '1000').isAccepted()
    desk.borrow('alice', 'USDT', '1000').isAccepted()
    const first = desk.balance('alice', 'USDT').interest
    desk.world.atMs += hours * hour
    const told = desk.world.tick().isAccepted()
    // An hour at 0.000501875 % costs 5,018.75 units: four hours rounded together would cost 20,075 instead of 20,076.
    assert.deepEqual(
      told.of('margin.loan').map(({ cause, delta }) => [cause, delta]),
      [['interest', hours * 5_019]],
    )
    assert.equal(desk.balance('alice', 'USDT').interest, first + hours * 5_019)
    desk.world.isReplayable()
  }
})

test('MARGIN-INTEREST-002: a debt that changes before the clock’s charge is charged first, and only once', () => {
  const desk = open().user('alice', { USDT: '1000' })
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.borrow('alice', 'USDT', '1000').isAccepted()
  desk.world.atMs += 2 * hour
  const told = desk.borrow('alice', 'USDT', '1000').isAccepted()
  assert.deepEqual(
    told.of('margin.loan').map(({ cause, delta }) => [cause, delta]),
    [
      // Two hours at 0.000501875 %, then the new part's first hour at 0.00050375 %.
      ['interest', 2 * 5_019],
      ['borrow', 1_000_000_000],
      ['interest', 5_038],
    ],
  )
  desk.world.tick().isAccepted()
  assert.equal(desk.balance('alice', 'USDT').interest, 5_019 + 2 * 5_019 + 5_038)
  desk.world.isReplayable()
})
