import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ppm } from '../../../money/brand.ts'
import { btcusdt, ethusdt, free, open, terms, units } from './world.ts'

test('MARGIN-TRANSFER-001: an isolated account accepts its market’s two assets, a cross account every asset with a price', () => {
  const desk = open().user('alice', { USDT: '1000', BTC: '1', ETH: '1' })
  desk.enter('alice', 'ETH', '1', btcusdt).isRefused('ASSET_NOT_IN_ACCOUNT')
  desk.enter('alice', 'BTC', '1', btcusdt).isAccepted()
  desk.enter('alice', 'USDT', '100', btcusdt).isAccepted()
  desk.enter('alice', 'USDT', '100', ethusdt).isAccepted()
  desk.enter('alice', 'USDT', '100', 99).isRefused('MARKET_UNKNOWN')
  desk.enter('alice', 'ETH', '1').isAccepted()
  const accounts = desk.world.exchange.marginAccounts(desk.world.user('alice'))
  assert.deepEqual(
    accounts.map(({ market, assets }) => [market, assets]),
    [
      [0, units('USDT', '2500')],
      [btcusdt, units('USDT', '50100')],
      [ethusdt, units('USDT', '100')],
    ],
  )
  desk.leave('alice', 'BTC', '1', btcusdt).isAccepted()
  desk.leave('alice', 'BTC', '0.1', btcusdt).isRefused('INSUFFICIENT_BALANCE')
  desk.world.do({ type: 'asset.list', symbol: 'DUST', scale: 2 }).isAccepted()
  desk.world.do({ type: 'funds.faucet', user: desk.world.user('alice'), clientId: '', asset: 4, amount: 100 }).isAccepted()
  const dust = { type: 'funds.transfer', user: desk.world.user('alice'), clientId: '', asset: 4, amount: 10 }
  desk.world.do({ ...dust, from: 'spot', to: 'margin-cross' }).isRefused('ASSET_NOT_IN_ACCOUNT')
  desk.world.isReplayable()
})

test('MARGIN-TRANSFER-002: with debts, a transfer out of a cross account leaves a level of at least 2', () => {
  const desk = open().user('alice', { USDT: '1000' })
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.borrow('alice', 'BTC', '0.01').isAccepted()
  // The debt is BTC worth 500 USDT and the first hour's interest, rounded up to a unit of either asset.
  const { debt } = desk.account('alice')
  assert.equal(desk.balance('alice', 'BTC').interest, 6)
  assert.equal(debt, units('USDT', '500.003'))
  assert.equal(desk.balance('alice', 'USDT').transferable, units('USDT', '499.994'))
  desk.leave('alice', 'USDT', '499.994001').isRefused('AMOUNT_BOUND')
  desk.leave('alice', 'USDT', '499.994').isAccepted()
  assert.equal(desk.account('alice').levelPpm, 2_000_000)
  desk.leave('alice', 'BTC', '0.00000001').isRefused('AMOUNT_BOUND')
  desk.prices(50_000, 2_500, false)
  desk.leave('alice', 'USDT', '1').isRefused('AMOUNT_BOUND')
  desk.leave('alice', 'BTC', '0.001').isRefused('NO_INDEX_PRICE')
  desk.prices(40_000, 2_500)
  desk.repay('alice', 'BTC', '0').isAccepted()
  assert.equal(desk.account('alice').debt > 0, true)
  desk.world.isReplayable()
})

test('MARGIN-TRANSFER-002: with debts, a transfer out of an isolated account keeps the threshold of its leverage', () => {
  const desk = open().user('alice', { USDT: '1000' })
  desk.enter('alice', 'USDT', '1000', btcusdt).isAccepted()
  desk.borrow('alice', 'USDT', '5000', btcusdt).isAccepted()
  const free = desk.balance('alice', 'USDT', btcusdt).transferable
  // At 10×, assets ÷ debt must be at least 10 ÷ 9, rounded up to a ppm.
  const { debt } = desk.account('alice', btcusdt)
  assert.equal(free, Math.floor(6_000_000_000 - (debt * 1_111_112) / 1_000_000))
  desk.transfer('alice', 'USDT', '450', 'margin-isolated', 'spot', btcusdt).isRefused('AMOUNT_BOUND')
  desk.leave('alice', 'USDT', '444', btcusdt).isAccepted()
  desk.world.isReplayable()
})

test('MARGIN-TRANSFER-002: money moves between two margin accounts of a user, bound by the debts of the account that it leaves', () => {
  const desk = open().user('alice', { USDT: '3000', ETH: '1' })
  const move = (amount: number, from: string, to: string) => desk.transfer('alice', 'USDT', String(amount / 1e6), from, to, btcusdt)
  desk.enter('alice', 'USDT', '1000', btcusdt).isAccepted()
  desk.borrow('alice', 'USDT', '5000', btcusdt).isAccepted()
  const free = desk.balance('alice', 'USDT', btcusdt).transferable
  move(free + 1, 'margin-isolated', 'margin-cross').isRefused('AMOUNT_BOUND')
  move(free, 'margin-isolated', 'margin-cross').isAccepted()
  assert.deepEqual([desk.account('alice').assets, desk.account('alice', btcusdt).assets], [free, 6_000_000_000 - free])
  assert.equal(desk.balance('alice', 'USDT', btcusdt).transferable, 0)
  desk.borrow('alice', 'BTC', '0.001').isAccepted()
  const left = desk.balance('alice', 'USDT').transferable
  assert.ok(left > 0 && left < free)
  move(left + 1, 'margin-cross', 'margin-isolated').isRefused('AMOUNT_BOUND')
  move(left, 'margin-cross', 'margin-isolated').isAccepted()
  assert.deepEqual(
    [desk.balance('alice', 'USDT').available, desk.balance('alice', 'USDT', btcusdt).available],
    [free - left, 6_000_000_000 - free + left],
  )
  // The cross account may hold this asset, the isolated account of this market may not.
  desk.enter('alice', 'ETH', '1').isAccepted()
  desk.transfer('alice', 'ETH', '0.1', 'margin-cross', 'margin-isolated', btcusdt).isRefused('ASSET_NOT_IN_ACCOUNT')
  desk.transfer('alice', 'ETH', '1', 'margin-cross', 'margin-isolated', ethusdt).isAccepted()
  assert.deepEqual([desk.balance('alice', 'ETH', ethusdt).available, desk.balance('alice', 'ETH').available], [units('ETH', '1'), 0])
  desk.world.isReplayable()
})

test('MARGIN-TRANSFER-002: a debt binds its own account only: money in Spot, Second and Futures moves freely', () => {
  const desk = open().user('alice', { USDT: '3000' })
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.borrow('alice', 'BTC', '0.01').isAccepted()
  for (const isGood of [true, false]) {
    desk.prices(50_000, 2_500, isGood)
    for (const [from, to] of [
      ['spot', 'option'],
      ['option', 'perp'],
      ['perp', 'spot'],
    ] as const)
      desk.transfer('alice', 'USDT', '2000', from, to).isAccepted()
  }
  assert.equal(desk.balance('alice', 'USDT').available, units('USDT', '1000'))
  desk.leave('alice', 'USDT', '499.994001').isRefused('AMOUNT_BOUND')
  desk.world.isReplayable()
})

test('MARGIN-TRANSFER-002: an account from which money was transferred is warned at the next price that reaches its threshold', () => {
  for (const [account, market, to, level, price] of [
    ['margin-isolated', btcusdt, 'spot', 1_111_112, 50_600],
    ['margin-cross', 0, 'margin-isolated', 1_200_000, 52_000],
  ] as const) {
    const desk = open({ ...free, crossBorrowPpm: 1_200_000 as Ppm, crossTransferPpm: 1_200_000 as Ppm })
    desk.user('alice', { USDT: '1000' }).user('mm', { USDT: '2000' })
    desk.enter('alice', 'USDT', '1000', market).isAccepted()
    desk.borrow('alice', 'BTC', '0.02', market).isAccepted()
    desk.world.buy('mm', 50_000, 20).isAccepted()
    desk.world
      .sell('alice', 50_000, 20, { margin: { account, borrow: 'none' } })
      .isAccepted()
      .traded('50000×20')
    // At twice its debt, the account is safe whatever one tick does.
    assert.deepEqual(desk.prices(50_000, 2_500).of('margin.level'), [])
    const { transferable } = desk.balance('alice', 'USDT', market)
    desk.transfer('alice', 'USDT', String(transferable / 1e6), account, to, btcusdt).isAccepted()
    assert.equal(desk.account('alice', market).levelPpm, level)
    const told = desk.prices(price, 2_500).of('margin.level')
    assert.deepEqual(
      told.map((one) => [one.market, one.state]),
      [[market, 'watch']],
    )
    desk.world.isReplayable()
  }
})

test('MARGIN-TRANSFER-001: while margin is closed, an account with debt accepts money, also from another margin account', () => {
  const desk = open(free).user('alice', { USDT: '2000' })
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.enter('alice', 'USDT', '100', btcusdt).isAccepted()
  desk.borrow('alice', 'USDT', '100').isAccepted()
  desk.world.do({ type: 'margin.setTerms', terms: { ...terms, isOpen: false } }).isAccepted()
  const move = (from: string, to: string) => desk.transfer('alice', 'USDT', '50', from, to, btcusdt)
  move('margin-isolated', 'margin-cross').isAccepted()
  move('margin-cross', 'margin-isolated').isRefused('PRODUCT_CLOSED')
  desk.enter('alice', 'USDT', '1').isAccepted()
  desk.enter('alice', 'USDT', '1', btcusdt).isRefused('PRODUCT_CLOSED')
})
