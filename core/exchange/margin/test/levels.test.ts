import type { IndexPrice, Units } from '../../../money/brand.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { debtValue, divisorOf, levelPpm } from '../../../risk/margin.ts'
import { btcusdt, ethusdt, open, terms } from './world.ts'

const hour = 3_600_000

test('MARGIN-LEVEL-001: an event reports when the level crosses the warning or the liquidation threshold, in either direction', () => {
  const desk = open().user('alice', { BTC: '1', USDT: '100000' })
  desk.enter('alice', 'BTC', '1').isAccepted()
  desk.borrow('alice', 'USDT', '40000').isAccepted()
  desk.leave('alice', 'USDT', '40000').isRefused('AMOUNT_BOUND')
  assert.equal(desk.account('alice').levelPpm, 2_249_987)
  // 40,000 USDT and 1 BTC, worth 7,000, against a debt of 40,000 USDT.
  assert.deepEqual(desk.prices(7_000, 2_500).of('margin.level'), [])
  const watch = desk.prices(6_000, 2_500).of('margin.level')
  assert.deepEqual(
    watch.map(({ user, market, state, levelPpm }) => [user, market, state, levelPpm]),
    [[desk.world.user('alice'), 0, 'watch', 1_149_993]],
  )
  assert.deepEqual(
    desk
      .prices(6_500, 2_500)
      .of('margin.level')
      .map(({ state }) => state),
    ['safe'],
  )
  desk.prices(6_000, 2_500)
  assert.equal(desk.account('alice').state, 'watch')
  // A price that is not good changes no state.
  assert.deepEqual(desk.prices(100, 2_500, false).of('margin.level'), [])
  // The level follows the last good price, and a transfer raises it.
  assert.deepEqual(
    desk
      .enter('alice', 'USDT', '10000')
      .of('margin.level')
      .map(({ state, levelPpm }) => [state, levelPpm]),
    [['safe', 1_399_991]],
  )
  desk.world.isReplayable()
})

test('MARGIN-LEVEL-001: an account is watched at the warning and liquidated at the threshold, but not one part per million above them', () => {
  const desk = open().user('alice', { USDT: '1000' })
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.borrow('alice', 'BTC', '0.01').isAccepted()
  const owed = desk.balance('alice', 'BTC').principal + desk.balance('alice', 'BTC').interest
  desk.user('mm', { USDT: '10000' }).world.buy('mm', 50_000, 10).isAccepted()
  const sale = desk.world.sell('alice', 50_000, 10, { margin: { account: 'margin-cross', borrow: 'none' } })
  sale.isAccepted().traded('50000×10')
  const assets = desk.balance('alice', 'USDT').available
  const divisor = divisorOf(8, 6)
  /** Events of an index price that brings the level to exactly `ppm`. */
  const at = (ppm: number): unknown => {
    const debt = Math.floor((assets * 1_000_000) / ppm)
    const price = Math.floor((debt * divisor) / owed)
    assert.equal(levelPpm(assets, debtValue(owed as Units, { price: price as IndexPrice, divisor })), ppm)
    const told = desk.prices(price / 1e8, 2_500).of('margin.level')
    assert.equal(desk.account('alice').levelPpm, ppm)
    return told.map(({ state, levelPpm: level }) => [state, level])
  }
  const { crossCallPpm: call, crossLiquidationPpm: threshold } = terms
  assert.deepEqual(at(call + 1), [])
  assert.deepEqual(at(call), [['watch', call]])
  assert.deepEqual(at(threshold + 1), [])
  assert.deepEqual(at(call + 1), [['safe', call + 1]])
  assert.deepEqual(at(threshold), [['liquidating', threshold]])
  // No order sells the owed coin, so the liquidation waits. It ends at the warning level, and not below it.
  assert.deepEqual(at(call - 1), [])
  assert.deepEqual(at(call), [['watch', call]])
  desk.world.isReplayable()
})

test('MARGIN-LEVEL-001: an account with a value beyond the largest number does not stop the exchange', () => {
  const desk = open()
  const most = 2 ** 52
  desk.world.do({ type: 'user.certify', user: desk.world.user('midas'), isCertified: true })
  const midas = desk.world.user('midas')
  for (const [asset, had] of [
    [1, 1e12],
    [2, 1e10],
    [3, 1e11],
  ] as const) {
    desk.world.do({ type: 'funds.faucet', user: midas, clientId: '', asset, amount: most - had }).isAccepted()
    const amount = Math.floor((most - had) / 3)
    for (const to of [{ to: 'margin-cross' }, { to: 'margin-isolated', market: asset === 3 ? ethusdt : btcusdt }]) {
      desk.world.do({ type: 'funds.transfer', user: midas, clientId: '', asset, from: 'spot', amount, ...to }).isAccepted()
    }
    desk.world.do({ type: 'lend.supply', user: midas, clientId: '', asset, amount }).isAccepted()
  }
  for (const market of [0, btcusdt, ethusdt]) {
    for (const { asset, borrowable } of desk.account('midas', market).balances) {
      desk.world.do({ type: 'margin.borrow', user: midas, clientId: '', market, asset, amount: Math.floor(borrowable / 2) })
    }
    const { assets, debt } = desk.account('midas', market)
    assert.ok(assets <= most && debt > 0, `${market}: ${assets}, ${debt}`)
  }
  desk.prices(99_999.99, 9_999.99)
  desk.prices(0.01 * 100, 0.01 * 1)
  desk.waits(2 * hour)
  desk.prices(20_000_000, 2_000_000)
  desk.waits(2 * hour)
  desk.world.isReplayable()
})
