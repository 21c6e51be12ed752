import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BorrowMode } from '../../../protocol/command/margin.ts'
import type { Told } from '../../test/world.ts'
import { btcusdt, open, units } from './world.ts'
import type { MarginWorld } from './world.ts'

const cross = (borrow: BorrowMode): object => ({ margin: { account: 'margin-cross', borrow } })
const isolated = (borrow: BorrowMode): object => ({ margin: { account: 'margin-isolated', borrow } })

/** Alice has 1,000 USDT in a margin account and 1,000 USDT in spot; `mm` has coins and money to trade with her. */
function world(market = 0): MarginWorld {
  const desk = open().user('alice', { USDT: '2000' }).user('mm', { BTC: '1000', USDT: '100000000' })
  desk.enter('alice', 'USDT', '1000', market).isAccepted()
  return desk
}

function loans(told: Told): unknown[] {
  return told.of('margin.loan').map(({ cause, asset, delta }) => [cause, asset, delta])
}

test('MARGIN-ORDER-001: an order of a margin account pays from and receives into that account, and shows it', () => {
  for (const [market, flags] of [
    [0, cross('none')],
    [btcusdt, isolated('none')],
  ] as const) {
    const desk = world(market)
    const told = desk.world.buy('alice', 50_000, 10, flags).isAccepted()
    const { margin } = flags as { margin: object }
    assert.deepEqual(told.of('order.accepted')[0]!.margin, margin)
    assert.deepEqual(desk.world.open('alice')[0]!.margin, margin)
    assert.deepEqual(
      [desk.balance('alice', 'USDT', market).available, desk.balance('alice', 'USDT', market).held],
      [500_000_000, 500_000_000],
    )
    desk.world.has('alice', 'USDT', '1000')
    desk.world.sell('mm', 50_000, 4).isAccepted().traded('50000×4')
    assert.equal(desk.balance('alice', 'BTC', market).available, units('BTC', '0.003996'))
    desk.world.has('alice', 'BTC', '0')
    desk.world.cancel('alice', told.order).isAccepted()
    assert.deepEqual([desk.balance('alice', 'USDT', market).available, desk.balance('alice', 'USDT', market).held], [800_000_000, 0])
    desk.world.buy('mm', 49_900, 10).isAccepted()
    desk.world
      .market('alice', 'sell', { lots: 3, ...flags })
      .isAccepted()
      .traded('49900×3')
    assert.equal(desk.balance('alice', 'USDT', market).available, 800_000_000 + 149_700_000 - 149_700)
    desk.world.isReplayable()
  }
})

test('MARGIN-ORDER-001: spot orders of the same user use the spot account', () => {
  const desk = world()
  desk.world.buy('alice', 50_000, 10).isAccepted()
  desk.world.has('alice', 'USDT', '500', '500')
  assert.equal(desk.world.open('alice')[0]!.margin, undefined)
  desk.world.sell('mm', 50_000, 10).isAccepted()
  desk.world.has('alice', 'BTC', '0.00999')
  assert.equal(desk.balance('alice', 'BTC').available, 0)
})

test('MARGIN-ORDER-002: an order with `borrow` borrows the amount that its account lacks, other orders are refused', () => {
  const desk = world()
  desk.world.buy('alice', 50_000, 60, cross('none')).isRefused('INSUFFICIENT_BALANCE')
  desk.world.buy('alice', 50_000, 60, cross('repay')).isRefused('INSUFFICIENT_BALANCE')
  desk.world.buy('alice', 50_000, 110, cross('borrow')).isRefused('BORROW_LIMIT')
  const told = desk.world.buy('alice', 50_000, 60, cross('borrow')).isAccepted()
  assert.deepEqual(loans(told)[0], ['auto-borrow', 1, units('USDT', '2000')])
  const { available, held, principal } = desk.balance('alice', 'USDT')
  assert.deepEqual([available, held, principal], [0, units('USDT', '3000'), units('USDT', '2000')])
  desk.world.sell('mm', 50_000, 60).isAccepted()
  assert.equal(desk.balance('alice', 'BTC').available, units('BTC', '0.05994'))
  // A short sale borrows the coin.
  const short = desk.world.sell('alice', 50_000, 70, cross('borrow')).isAccepted()
  assert.deepEqual(loans(short)[0], ['auto-borrow', 2, units('BTC', '0.01006')])
  desk.world.isReplayable()
})

test('MARGIN-ORDER-002: the unneeded part of an order’s loan is repaid at once', () => {
  const desk = world()
  desk.world.sell('mm', 50_000, 1_000).isAccepted()
  const told = desk.world.market('alice', 'buy', { lots: 60, ...cross('borrow') }).isAccepted()
  // The order borrows for a price of 52,500 and trades at 50,000: 150 USDT more than needed.
  assert.deepEqual(
    told.of('margin.loan').map(({ cause, delta }) => [cause, cause === 'interest' ? 0 : delta]),
    [
      ['auto-borrow', units('USDT', '2150')],
      ['interest', 0],
      ['auto-repay', -units('USDT', '150')],
    ],
  )
  assert.equal(desk.balance('alice', 'USDT').available, 0)
  desk.world.isReplayable()
})

test('MARGIN-ORDER-002: the loan of an order that did not trade is repaid in full, its interest from the account', () => {
  const desk = world()
  desk.world.sell('mm', 50_100, 1_000).isAccepted()
  desk.world
    .buy('alice', 50_000, 60, { ...cross('borrow'), timeInForce: 'IOC' })
    .isAccepted()
    .traded()
  assert.equal(desk.account('alice').debt, 0)
  // With 2,000 of 1,000,000 lent, the rate of the hour is 0.00050375 %.
  assert.equal(desk.balance('alice', 'USDT').available, units('USDT', '1000') - 10_075)
  desk.world.isReplayable()
})

test('MARGIN-ORDER-003: the proceeds of an order repay the debt in that asset, also when the order was the maker', () => {
  const desk = world()
  desk.world.sell('mm', 50_000, 1_000).isAccepted()
  desk.world.market('alice', 'buy', { lots: 60, ...cross('borrow') }).isAccepted()
  const ask = desk.world.sell('alice', 50_010, 30, cross('repay')).isAccepted()
  const told = desk.world.buy('mm', 50_010, 10_000, { selfTrade: 'expire-maker' }).isAccepted()
  told.closed(ask.order, 'filled')
  const [[cause, asset, delta]] = loans(told) as [[string, number, number]]
  assert.deepEqual([cause, asset, delta], ['auto-repay', 1, -Math.floor(30 * 50_010 * 1000 * 0.999)])
  assert.equal(desk.balance('alice', 'USDT').available, 0)
  // Proceeds beyond the debt stay in the account.
  desk.world.cancel('mm', told.order)
  desk.world.buy('mm', 50_000, 10_000).isAccepted()
  desk.world.market('alice', 'sell', { lots: 29, ...cross('both') }).isAccepted()
  assert.equal(desk.balance('alice', 'USDT').principal, 0)
  assert.ok(desk.balance('alice', 'USDT').available > 0)
  desk.world.isReplayable()
})

test('MARGIN-ORDER-004: margin orders need a verified user, open margin trading and a market that has it', () => {
  const desk = world()
  desk.world.gives('eve', 'USDT', '1000')
  desk.world.buy('eve', 50_000, 1, cross('borrow')).isRefused('NOT_CERTIFIED')
  desk.world.buy('eve', 50_000, 1, cross('none')).isRefused('INSUFFICIENT_BALANCE')
  for (const account of [isolated('none'), cross('both')])
    desk.world.place('alice', { market: 2, side: 'sell', price: 5_000, lots: 1, ...account }).isRefused('MARKET_WITHOUT_MARGIN')
  desk.enter('alice', 'BTC', '0', 2).isRefused('AMOUNT_NOT_POSITIVE')
  desk.borrow('alice', 'BTC', '1', 2).isRefused('MARKET_WITHOUT_MARGIN')
  desk.world.gives('alice', 'BTC', '1')
  desk.enter('alice', 'BTC', '1', 2).isRefused('MARKET_WITHOUT_MARGIN')
  desk.borrow('alice', 'BTC', '0.01').isAccepted()
  desk.world.do({ type: 'margin.setTerms', terms: { ...desk.world.exchange.marginTerms(), isOpen: false } }).isAccepted()
  desk.world.buy('alice', 50_000, 60, cross('borrow')).isRefused('PRODUCT_CLOSED')
  // A user with debt may still close.
  desk.world.buy('alice', 50_000, 1, cross('repay')).isAccepted()
  desk.world.isReplayable()
})

test('MARGIN-ORDER-005: an account with debt can’t trade its money away', () => {
  const desk = world(btcusdt)
  desk.borrow('alice', 'USDT', '9000', btcusdt).isRefused('BORROW_LIMIT')
  desk.borrow('alice', 'USDT', '8900', btcusdt).isAccepted()
  // 55,000 is within the market's band, and a tenth above the index.
  desk.world.prints(50_000)
  desk.world.buy('alice', 55_000, 175, isolated('none')).isRefused('MARGIN_LEVEL_LOW')
  // Ten smaller orders together lose as much as one large order.
  const asked = Array.from({ length: 10 }, () => desk.world.buy('alice', 55_000, 17, isolated('none')).outcome.refusal)
  assert.ok(asked.includes('MARGIN_LEVEL_LOW'))
  assert.equal(asked[0], undefined)
  const level = desk.account('alice', btcusdt).levelPpm!
  assert.ok(level > 1_050_000)
  desk.world.sell('mm', 54_000, 1_000).isAccepted()
  assert.ok(desk.account('alice', btcusdt).levelPpm! > 1_049_000)
  // At a price close to the index everything may be sold, however low the level is.
  desk.world.do({ type: 'spot.cancelAll', user: desk.world.user('alice'), clientId: '', market: 0 }).isAccepted()
  const { available } = desk.balance('alice', 'BTC', btcusdt)
  const all = Math.floor(available / 100_000)
  desk.world.sell('alice', 46_000, all, isolated('repay')).isRefused('MARGIN_LEVEL_LOW')
  desk.world.sell('alice', 49_600, all, isolated('repay')).isAccepted()
  desk.world.isReplayable()
})

test('MARGIN-ORDER-005: a market order of a margin account stays near the index, wherever the book is', () => {
  const desk = world()
  desk.borrow('alice', 'USDT', '3000').isAccepted()
  // The last trades were a tenth above the index, and so are the asks.
  desk.world.prints(55_000)
  desk.world.sell('mm', 55_000, 1_000).isAccepted()
  desk.world
    .market('alice', 'buy', { lots: 20, ...cross('none') })
    .isAccepted()
    .traded()
  desk.world.sell('mm', 52_000, 5).isAccepted()
  desk.world
    .market('alice', 'buy', { lots: 20, ...cross('none') })
    .isAccepted()
    .traded('52000×5')
  desk.prices(50_000, 2_500, false)
  desk.world.buy('alice', 50_000, 1, cross('none')).isRefused('NO_INDEX_PRICE')
})

test('MARGIN-ORDER-006: an order of a margin account can sleep, and uses that account when it triggers', () => {
  const desk = world()
  desk.world.prints(50_000)
  const stop = { trigger: { kind: 'stop', price: 51_000, direction: 'rises-to' } }
  const told = desk.world.buy('alice', 51_000, 60, { ...stop, ...cross('both') }).isAccepted()
  assert.deepEqual(loans(told)[0], ['auto-borrow', 1, units('USDT', '2060')])
  assert.equal(desk.balance('alice', 'USDT').held, units('USDT', '3060'))
  desk.world.prints(51_000)
  desk.world.sell('mm', 51_000, 60).isAccepted().traded('51000×60')
  assert.equal(desk.balance('alice', 'BTC').available, units('BTC', '0.05994'))
  const down = desk.world.place('alice', {
    side: 'sell',
    orderType: 'market',
    timeInForce: 'IOC',
    lots: 50,
    trigger: { kind: 'stop', price: 50_500, direction: 'falls-to' },
    ...cross('repay'),
  })
  desk.world.buy('mm', 50_400, 1_000).isAccepted()
  const woken = desk.world.sell('maker', 50_400, 100).isAccepted()
  woken.closed(down.isAccepted().order, 'filled')
  // The order brought in 2,520 USDT, enough for the whole debt with its first interest.
  assert.deepEqual(loans(woken), [['auto-repay', 1, -units('USDT', '2060.01038')]])
  desk.world.isReplayable()
})

test('MARGIN-ORDER-006: a triggered market order borrows nothing more, so no loan bounds its price', () => {
  const desk = world()
  desk.world.prints(50_000).gives('taker', 'USDT', '1000000')
  const trigger = { kind: 'stop', price: 51_000, direction: 'rises-to' }
  const placed = desk.world.market('alice', 'buy', { lots: 18, trigger, ...cross('borrow') }).isAccepted()
  assert.deepEqual([loans(placed), desk.balance('alice', 'USDT').held], [[], units('USDT', '963.9')])
  desk.prices(500_000, 25_000)
  desk.world.sell('mm', 500_000, 100).isAccepted()
  desk.world.sell('mm', 500_001, 100).isAccepted()
  // The hold pays for one of the 18 lots; a loan for the others would be too large for the account.
  const woken = desk.world.buy('taker', 500_000, 100).isAccepted().traded('500000×100', '500001×1')
  woken.closed(placed.order, 'balance')
  assert.deepEqual(loans(woken), [])
  desk.world.isReplayable()
})

test('MARGIN-ORDER-006: a triggered market purchase is bound by what the lots that its hold pays for would lose', () => {
  const desk = world()
  desk.borrow('alice', 'USDT', '2000').isAccepted()
  desk.world.prints(50_000).gives('taker', 'USDT', '1000000')
  const trigger = { kind: 'stop', price: 51_000, direction: 'rises-to' }
  desk.world.market('alice', 'buy', { lots: 50, trigger, ...cross('none') }).isAccepted()
  assert.equal(desk.balance('alice', 'USDT').held, units('USDT', '2677.5'))
  desk.prices(500_000, 25_000)
  desk.world.sell('mm', 500_000, 100).isAccepted()
  desk.world.sell('mm', 520_000, 100).isAccepted()
  // Five lots lose 100 USDT against the index; fifty would lose all that the account has.
  desk.world.buy('taker', 500_000, 100).isAccepted().traded('500000×100', '520000×5')
  desk.world.isReplayable()
})

test('MARGIN-ORDER-007: an amended order stays with its account and is checked like a new one', () => {
  const desk = world()
  const order = desk.world.buy('alice', 49_000, 10, cross('none')).isAccepted().order
  desk.world.amend('alice', order, { lots: 20 }).isAccepted()
  assert.equal(desk.balance('alice', 'USDT').held, units('USDT', '980'))
  desk.world.amend('alice', order, { lots: 25 }).isRefused('INSUFFICIENT_BALANCE')
  desk.borrow('alice', 'BTC', '0.07').isAccepted()
  desk.world.amend('alice', order, { price: 58_000, lots: 17 }).isRefused('MARGIN_LEVEL_LOW')
  desk.world.amend('alice', order, { price: 55_000, lots: 17 }).isAccepted()
  desk.borrow('alice', 'BTC', '0.02').isRefused('BORROW_LIMIT')
  desk.world.cancel('alice', order).isAccepted()
  assert.equal(desk.balance('alice', 'USDT').held, 0)
  desk.world.has('alice', 'USDT', '1000')
  desk.world.isReplayable()
})

test('MARGIN-ORDER-007: self-trade prevention treats a margin order and a spot order of one user as orders of one owner', () => {
  const desk = world()
  desk.world.gives('alice', 'BTC', '1')
  const ask = desk.world.sell('alice', 50_000, 10).isAccepted()
  desk.world
    .buy('alice', 50_000, 10, { ...cross('none'), selfTrade: 'expire-taker' })
    .isAccepted()
    .traded()
  desk.world
    .buy('alice', 50_000, 10, { ...cross('none'), selfTrade: 'expire-maker' })
    .isAccepted()
    .closed(ask.order, 'self-trade')
  desk.world.has('alice', 'BTC', '1')
  assert.equal(desk.balance('alice', 'USDT').held, units('USDT', '500'))
})

test('MARGIN-ORDER-014: without verification, an account with debts sells and repays, and trades no more than that', () => {
  const desk = world()
  desk.borrow('alice', 'BTC', '0.01').isAccepted()
  const { order } = desk.world.buy('alice', 45_000, 5, cross('none')).isAccepted()
  desk.world.do({ type: 'user.certify', user: desk.world.user('alice'), isCertified: false }).isAccepted()
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.world.prints(50_000, 1)
  desk.world.sell('mm', 50_000, 1000).isAccepted()
  desk.world.buy('mm', 49_000, 1000).isAccepted()
  desk.world.buy('alice', 50_000, 10, cross('none')).isRefused('NOT_CERTIFIED')
  desk.world.buy('alice', 50_000, 20, cross('repay')).isRefused('NOT_CERTIFIED')
  desk.world.market('alice', 'buy', { spend: 100_000_000, ...cross('repay') }).isRefused('NOT_CERTIFIED')
  const stop = { kind: 'stop', price: 51_000, direction: 'rises-to' }
  desk.world.place('alice', { side: 'buy', price: 51_000, lots: 10, trigger: stop, ...cross('none') }).isRefused('NOT_CERTIFIED')
  const list = { side: 'buy', lots: 5, limitPrice: 45_000, stopPrice: 55_000, ...cross('none') }
  desk.world.oco('alice', list).isRefused('NOT_CERTIFIED')
  desk.world.amend('alice', order, { price: 50_000 }).isRefused('NOT_CERTIFIED')
  desk.world.amend('alice', order, { lots: 15 }).isRefused('NOT_CERTIFIED')
  desk.world.amend('alice', order, { lots: 4 }).isAccepted()
  desk.world.cancel('alice', order).isAccepted()
  desk.world.buy('alice', 50_000, 10, cross('repay')).isAccepted()
  assert.ok(desk.balance('alice', 'BTC').principal < 10_000)
})

test('MARGIN-ORDER-014: without verification, no coins are moved in to be sold, again and again', () => {
  const desk = world().user('alice', { BTC: '1', ETH: '10' })
  desk.borrow('alice', 'BTC', '0.01').isAccepted()
  desk.enter('alice', 'ETH', '1').isAccepted()
  desk.world.buy('mm', 49_000, 1000).isAccepted()
  desk.world.do({ type: 'user.certify', user: desk.world.user('alice'), isCertified: false }).isAccepted()
  desk.enter('alice', 'ETH', '1').isRefused('NOT_CERTIFIED')
  desk.enter('alice', 'BTC', '0.001').isRefused('NOT_CERTIFIED')
  desk.world.sell('alice', 49_000, 5, cross('none')).isRefused('NOT_CERTIFIED')
  desk.world.sell('alice', 250_000, 100, { market: 3, ...cross('none') }).isAccepted()
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.leave('alice', 'BTC', '0.004').isAccepted()
  desk.enter('alice', 'BTC', '0.005').isRefused('NOT_CERTIFIED')
  desk.enter('alice', 'BTC', '0.004').isAccepted()
  desk.repay('alice', 'BTC', '0.01').isAccepted()
})

test('MARGIN-ORDER-014: without verification, no amend makes an order sell a coin that is owed, in the book or asleep', () => {
  const desk = world()
  desk.borrow('alice', 'BTC', '0.01').isAccepted()
  desk.world.prints(50_000)
  const resting = desk.world.sell('alice', 55_000, 2, cross('none')).isAccepted().order
  const trigger = { kind: 'stop', price: 45_000, direction: 'falls-to' }
  const asleep = desk.world.sell('alice', 45_000, 2, { trigger, ...cross('none') }).isAccepted().order
  desk.world.buy('mm', 49_000, 1000).isAccepted()
  desk.world.do({ type: 'user.certify', user: desk.world.user('alice'), isCertified: false }).isAccepted()
  for (const change of [{ lots: 5 }, { price: 49_000 }, { lots: 1, price: 49_000 }])
    desk.world.amend('alice', resting, change).isRefused('NOT_CERTIFIED')
  for (const change of [{ lots: 5 }, { price: 46_000 }, { triggerPrice: 49_900 }, { lots: 1, price: 46_000 }])
    desk.world.amend('alice', asleep, { triggerPrice: 45_000, ...change }).isRefused('NOT_CERTIFIED')
  // Smaller, and nothing else, is fine.
  desk.world.amend('alice', resting, { lots: 1 }).isAccepted()
  desk.world.amend('alice', asleep, { triggerPrice: 45_000, lots: 1 }).isAccepted()
  assert.equal(desk.balance('alice', 'BTC').held, units('BTC', '0.002'))
  desk.world.isReplayable()
})

test('MARGIN-ORDER-014: without verification, an order that only sells or repays is amended as a new one would be', () => {
  const desk = world().user('alice', { BTC: '1' })
  desk.borrow('alice', 'BTC', '0.01').isAccepted()
  desk.world.prints(50_000)
  const trigger = { kind: 'stop', price: 51_000, direction: 'rises-to' }
  const buys = desk.world.buy('alice', 51_000, 5, { trigger, ...cross('repay') }).isAccepted().order
  desk.world.do({ type: 'user.certify', user: desk.world.user('alice'), isCertified: false }).isAccepted()
  desk.world.amend('alice', buys, { triggerPrice: 52_000, price: 52_000, lots: 12 }).isRefused('NOT_CERTIFIED')
  desk.world.amend('alice', buys, { triggerPrice: 52_000, price: 52_000, lots: 10 }).isAccepted()
  desk.world.cancel('alice', buys).isAccepted()
  desk.world.isReplayable()
})
