import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MarketId, UserId } from '../../../protocol/ids.ts'
import type { Told } from '../../test/world.ts'
import { btcusdt, ethusdt, free, open, terms, units } from './world.ts'
import { cross, endow, forget, isolated, long, people, quotes } from './stressed.ts'

test('MARGIN-ORDER-005: four market orders can’t bring an account below its liquidation threshold, nor make its liquidation pay a friend', () => {
  const desk = long()
  endow(desk, '50000')
  const { world } = desk
  world.do({ type: 'spot.cancelAll', user: world.user('mm'), clientId: '', market: 0 }).isAccepted()
  desk.user('friend', { BTC: '1000', USDT: '10000000' })
  const fund = desk.system('insurance-margin', 'USDT')
  // Alice sells everything to the friend and buys it back, each time as far from the index as the market allows.
  for (let n = 0; n < 2; n++) {
    // Old trades drop out of the average, so that the market's reference is the index.
    forget(desk)
    const bid = world.buy('friend', 47_510, 10_000).isAccepted()
    const coins = Math.floor(desk.balance('alice', 'BTC', btcusdt).available / 100_000)
    world.market('alice', 'sell', { lots: Math.max(1, coins), ...isolated('none') })
    world.cancel('friend', bid.order)
    forget(desk)
    const ask = world.sell('friend', 52_490, 10_000).isAccepted()
    const lots = Math.floor(desk.balance('alice', 'USDT', btcusdt).available / 52_500_000)
    world.market('alice', 'buy', { lots: Math.max(1, lots), ...isolated('none') })
    world.cancel('friend', ask.order)
    const { levelPpm } = desk.account('alice', btcusdt)
    assert.ok(levelPpm! > 1_050_000, `${levelPpm} after ${n}`)
  }
  forget(desk)
  world.buy('friend', 47_510, 10_000).isAccepted()
  for (const price of [50_000, 49_500, 49_000, 48_500]) {
    desk.prices(price, 2_500)
    desk.waits(1_000)
  }
  assert.ok(desk.system('insurance-margin', 'USDT') >= fund, 'the fund pays nothing')
  const { debt, assets } = desk.account('alice', btcusdt)
  assert.ok(assets >= debt)
  world.isReplayable()
})

test('MARGIN-ORDER-005: a market order stops at the last price that leaves the account its threshold and cushion', () => {
  const desk = people()
  desk.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
  desk.borrow('alice', 'USDT', '84000', btcusdt).isAccepted()
  // 94,000 against 84,000: the 1.78 BTC may cost 4,120 more than their value until the level is 1.07.
  quotes(
    desk,
    [],
    [
      [50_500, 400],
      [51_000, 400],
      [52_400, 10_000],
    ],
  )
  const told = desk.world.market('alice', 'buy', { lots: 1_780, ...isolated('none') }).isAccepted()
  told.traded('50500×400', '51000×400')
  assert.ok(desk.account('alice', btcusdt).levelPpm! >= 1_070_000)
  desk.world.isReplayable()
})

test('MARGIN-ORDER-005: an order that reduces needs no cushion, and stops at the bankruptcy price', () => {
  const desk = long()
  quotes(desk, [[40_500, 10_000]], [])
  desk.prices(47_200, 2_500)
  // At a level of 1.055 no order that opens is accepted.
  assert.ok(desk.account('alice', btcusdt).levelPpm! < 1_070_000)
  desk.world.place('alice', { side: 'buy', price: 47_200, lots: 1, ...isolated('borrow') }).isRefused('BORROW_LIMIT')
  desk.world.place('alice', { side: 'sell', price: 44_000, lots: 1_000, ...isolated('repay') }).isRefused('MARGIN_LEVEL_LOW')
  quotes(desk, [[45_200, 10_000]], [])
  const level = desk.account('alice', btcusdt).levelPpm!
  desk.world
    .place('alice', { side: 'sell', price: 45_200, lots: 1_000, ...isolated('repay') })
    .isAccepted()
    .traded('45200×1000')
  assert.ok(desk.account('alice', btcusdt).levelPpm! >= level - 2_000)
  desk.world.isReplayable()
})

test('MARGIN-POOL-001: all accounts of a user together owe at most a quarter of a pool', () => {
  const desk = open({ ...free, userSharePpm: terms.userSharePpm }).user('alice', { USDT: '600000' })
  desk.enter('alice', 'USDT', '300000').isAccepted()
  desk.enter('alice', 'USDT', '300000', btcusdt).isAccepted()
  desk.borrow('alice', 'USDT', '200000').isAccepted()
  const { borrowable } = desk.balance('alice', 'USDT', btcusdt)
  assert.ok(borrowable > units('USDT', '49990') && borrowable < units('USDT', '50000'), `${borrowable}`)
  const loan = { type: 'margin.borrow', user: desk.world.user('alice'), clientId: '', market: btcusdt, asset: 1 }
  desk.world.do({ ...loan, amount: borrowable + 1 }).isRefused('POOL_SHARE_LIMIT')
  desk.world.do({ ...loan, amount: borrowable }).isAccepted()
  desk.world.isReplayable()
})

test('MARGIN-BORROW-005: loans and supplies are worth at least 10 USDT, and smaller loans for orders are raised to that', () => {
  const desk = open({}).user('alice', { USDT: '1000', BTC: '1' }).user('mm', { BTC: '10', USDT: '10000' })
  desk.enter('alice', 'USDT', '100').isAccepted()
  desk.borrow('alice', 'USDT', '9.999999').isRefused('AMOUNT_TOO_SMALL')
  desk.borrow('alice', 'BTC', '0.00019999').isRefused('AMOUNT_TOO_SMALL')
  desk.supply('alice', 'USDT', '9.999999').isRefused('AMOUNT_TOO_SMALL')
  desk.supply('alice', 'USDT', '10').isAccepted()
  desk.world.sell('mm', 51_000, 2).isAccepted()
  const told = desk.world.buy('alice', 51_000, 2, cross('borrow')).isAccepted()
  assert.deepEqual(
    told
      .of('margin.loan')
      .filter(({ cause }) => cause !== 'interest')
      .map(({ cause, delta }) => [cause, delta]),
    [['auto-borrow', units('USDT', '10')]],
  )
  assert.equal(desk.balance('alice', 'USDT').available, units('USDT', '8'))
  desk.world.isReplayable()
})

test('MARGIN-WEIGHT-001: a cross account that borrows, opens or transfers out counts coins by their weight, its liquidation test in full', () => {
  const desk = open({}).user('alice', { BTC: '1', USDT: '20000' }).user('mm', { BTC: '1000', USDT: '100000000' })
  desk.enter('alice', 'BTC', '1').isAccepted()
  // BTC worth 50,000 counts for 47,500, which at a level of 1.25 allows a loan of 190,000 USDT.
  const { borrowable } = desk.balance('alice', 'USDT')
  assert.ok(borrowable > units('USDT', '189900') && borrowable < units('USDT', '190000'), `${borrowable}`)
  desk.borrow('alice', 'USDT', '40000').isAccepted()
  assert.equal(desk.account('alice').assets, units('USDT', '90000'))
  // After buying BTC with all USDT, the assets count for 90,000 × 0.95.
  desk.world.sell('mm', 50_000, 10_000).isAccepted()
  desk.world.buy('alice', 50_000, 800, cross('none')).isAccepted().traded('50000×800')
  desk.world.isReplayable()
  // In an isolated account everything counts in full.
  desk.enter('alice', 'USDT', '10000', ethusdt).isAccepted()
  assert.ok(desk.balance('alice', 'ETH', ethusdt).borrowable > units('ETH', '35.9'))
})

test('MARGIN-WEIGHT-001: an order that leaves a cross account below its threshold for loans by weights is refused', () => {
  const desk = open({}).user('alice', { USDT: '10000' }).user('mm', { BTC: '1000', USDT: '100000000' })
  desk.enter('alice', 'USDT', '10000').isAccepted()
  desk.borrow('alice', 'USDT', '39000').isAccepted()
  desk.world.sell('mm', 50_000, 10_000).isAccepted()
  // 49,000 × 0.95 ÷ 39,000 is 1.19, below 1.25.
  desk.world.buy('alice', 50_000, 980, cross('none')).isRefused('MARGIN_LEVEL_LOW')
  desk.world.buy('alice', 50_000, 50, cross('none')).isAccepted()
  desk.world.isReplayable()
})

test('MARGIN-TERMS-002: a command changes the later terms, and a dump keeps them', () => {
  const desk = open({})
  const changed = { ...terms, cushionPpm: 30_000, userSharePpm: 100_000, loanMin: 20_000_000, weightPpm: 700_000, weights: [] }
  desk.world.do({ type: 'margin.setTerms', terms: changed }).isAccepted()
  assert.deepEqual(desk.world.exchange.marginTerms(), changed)
  desk.world.isReplayable()
  desk.world.do({ type: 'margin.setTerms', terms: { ...terms, cushionPpm: 900_000 } }).isRefused('FIELD_INVALID')
  assert.ok(free.weightPpm === 1_000_000)
})

test('MARGIN-ORDER-013: an order at the index may borrow as much as the account states, to a lot', () => {
  for (const [market, account, perLot] of [
    [0, cross('borrow'), 50_000_000],
    [btcusdt, isolated('borrow'), 50_000_000],
  ] as const) {
    const desk = open({}).user('alice', { USDT: '10000' }).user('mm', { BTC: '1000' })
    const { world } = desk
    desk.enter('alice', 'USDT', '10000', market).isAccepted()
    const { balances } = world.exchange
      .marginAccounts(world.user('alice') as UserId, btcusdt as MarketId)
      .find((one) => one.market === market)!
    const { available, orderLoan, borrowable } = balances[0]!
    assert.ok(market === 0 ? orderLoan < borrowable : orderLoan <= borrowable)
    const lots = Math.floor((available + orderLoan) / perLot)
    world.sell('mm', 50_000, 10_000).isAccepted()
    const wrong = market === 0 ? 'MARGIN_LEVEL_LOW' : 'BORROW_LIMIT'
    world.buy('alice', 50_000, lots + 1, account).isRefused(wrong)
    world.buy('alice', 50_000, lots, account).isAccepted()
    world.isReplayable()
  }
})

test('MARGIN-ORDER-005: a market order by amount is judged by the amount that it trades', () => {
  const desk = people({})
  const { world } = desk
  desk.enter('alice', 'USDT', '10000').isAccepted()
  quotes(desk, [], [[50_000, 10_000]])
  const spends = (usdt: string): Told =>
    world.place('alice', { side: 'buy', orderType: 'market', timeInForce: 'IOC', spend: units('USDT', usdt), ...cross('borrow') })
  assert.ok(spends('30000').isAccepted().of('traded').length > 0)
  spends('60000').isRefused('BORROW_LIMIT')
  world.isReplayable()
})

test('MARGIN-ORDER-005: an impossible size is refused before anything is computed from it', () => {
  const desk = long({})
  for (const lots of [-(2 ** 53 - 1), 2 ** 53 - 1, 0]) {
    for (const side of ['buy', 'sell'] as const) {
      const order = { side, orderType: 'market', timeInForce: 'IOC', lots, ...isolated('borrow') }
      assert.match(String(desk.world.place('alice', order).outcome.refusal), /QUANTITY/)
    }
  }
})
