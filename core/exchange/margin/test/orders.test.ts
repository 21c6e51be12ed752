import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BorrowMode } from '../../../protocol/command/margin.ts'
import type { Told } from '../../test/world.ts'
import { btcusdt, open, units } from './lever.ts'
import type { Lever } from './lever.ts'

const cross = (borrow: BorrowMode): object => ({ margin: { account: 'margin-cross', borrow } })
const isolated = (borrow: BorrowMode): object => ({ margin: { account: 'margin-isolated', borrow } })

/** Alice has 1,000 USDT in a lever account and as much in spot; a stranger has coins and money. */
function world(market = 0): Lever {
  const lever = open().user('alice', { USDT: '2000' }).user('mm', { BTC: '1000', USDT: '100000000' })
  lever.enter('alice', 'USDT', '1000', market).isAccepted()
  return lever
}

function loans(told: Told): unknown[] {
  return told.of('margin.loan').map(({ cause, asset, delta }) => [cause, asset, delta])
}

test('MARGIN-ORDER-001: an order of a lever account pays from it and is paid into it, and says so', () => {
  for (const [market, flags] of [
    [0, cross('none')],
    [btcusdt, isolated('none')],
  ] as const) {
    const lever = world(market)
    const told = lever.world.buy('alice', 50_000, 10, flags).isAccepted()
    const { margin } = flags as { margin: object }
    assert.deepEqual(told.of('order.accepted')[0]!.margin, margin)
    assert.deepEqual(lever.world.open('alice')[0]!.margin, margin)
    assert.deepEqual(
      [lever.balance('alice', 'USDT', market).available, lever.balance('alice', 'USDT', market).held],
      [500_000_000, 500_000_000],
    )
    lever.world.has('alice', 'USDT', '1000')
    lever.world.sell('mm', 50_000, 4).isAccepted().traded('50000×4')
    assert.equal(lever.balance('alice', 'BTC', market).available, units('BTC', '0.003996'))
    lever.world.has('alice', 'BTC', '0')
    lever.world.cancel('alice', told.order).isAccepted()
    assert.deepEqual([lever.balance('alice', 'USDT', market).available, lever.balance('alice', 'USDT', market).held], [800_000_000, 0])
    lever.world.buy('mm', 49_900, 10).isAccepted()
    lever.world
      .market('alice', 'sell', { lots: 3, ...flags })
      .isAccepted()
      .traded('49900×3')
    assert.equal(lever.balance('alice', 'USDT', market).available, 800_000_000 + 149_700_000 - 149_700)
    lever.world.isReplayable()
  }
})

test('MARGIN-ORDER-001: spot orders of the same user stay with the spot account', () => {
  const lever = world()
  lever.world.buy('alice', 50_000, 10).isAccepted()
  lever.world.has('alice', 'USDT', '500', '500')
  assert.equal(lever.world.open('alice')[0]!.margin, undefined)
  lever.world.sell('mm', 50_000, 10).isAccepted()
  lever.world.has('alice', 'BTC', '0.00999')
  assert.equal(lever.balance('alice', 'BTC').available, 0)
})

test('MARGIN-ORDER-002: an order borrows what its account lacks when it asks for that, else is refused', () => {
  const lever = world()
  lever.world.buy('alice', 50_000, 60, cross('none')).isRefused('INSUFFICIENT_BALANCE')
  lever.world.buy('alice', 50_000, 60, cross('repay')).isRefused('INSUFFICIENT_BALANCE')
  lever.world.buy('alice', 50_000, 110, cross('borrow')).isRefused('BORROW_LIMIT')
  const told = lever.world.buy('alice', 50_000, 60, cross('borrow')).isAccepted()
  assert.deepEqual(loans(told)[0], ['auto-borrow', 1, units('USDT', '2000')])
  const { available, held, principal } = lever.balance('alice', 'USDT')
  assert.deepEqual([available, held, principal], [0, units('USDT', '3000'), units('USDT', '2000')])
  lever.world.sell('mm', 50_000, 60).isAccepted()
  assert.equal(lever.balance('alice', 'BTC').available, units('BTC', '0.05994'))
  // Short: the coin is borrowed to be sold.
  const short = lever.world.sell('alice', 50_000, 70, cross('borrow')).isAccepted()
  assert.deepEqual(loans(short)[0], ['auto-borrow', 2, units('BTC', '0.01006')])
  lever.world.isReplayable()
})

test('MARGIN-ORDER-002: what an order borrowed and did not need is repaid at once', () => {
  const lever = world()
  lever.world.sell('mm', 50_000, 1_000).isAccepted()
  const told = lever.world.market('alice', 'buy', { lots: 60, ...cross('borrow') }).isAccepted()
  // Foreseen up to 52,500, traded at 50,000: 150 USDT more than needed.
  assert.deepEqual(
    told.of('margin.loan').map(({ cause, delta }) => [cause, cause === 'interest' ? 0 : delta]),
    [
      ['auto-borrow', units('USDT', '2150')],
      ['interest', 0],
      ['auto-repay', -units('USDT', '150')],
    ],
  )
  assert.equal(lever.balance('alice', 'USDT').available, 0)
  lever.world.isReplayable()
})

test('MARGIN-ORDER-002: a loan for an order that found nobody is repaid whole, its interest from the account', () => {
  const lever = world()
  lever.world.sell('mm', 50_100, 1_000).isAccepted()
  lever.world
    .buy('alice', 50_000, 60, { ...cross('borrow'), timeInForce: 'IOC' })
    .isAccepted()
    .traded()
  assert.equal(lever.account('alice').debt, 0)
  // 2,000 of 1,000,000 lent for an hour: 0.00050375 %.
  assert.equal(lever.balance('alice', 'USDT').available, units('USDT', '1000') - 10_075)
  lever.world.isReplayable()
})

test('MARGIN-ORDER-003: what an order brings in repays the debt in it, also when others take it', () => {
  const lever = world()
  lever.world.sell('mm', 50_000, 1_000).isAccepted()
  lever.world.market('alice', 'buy', { lots: 60, ...cross('borrow') }).isAccepted()
  const ask = lever.world.sell('alice', 50_010, 30, cross('repay')).isAccepted()
  const told = lever.world.buy('mm', 50_010, 10_000, { selfTrade: 'expire-maker' }).isAccepted()
  told.closed(ask.order, 'filled')
  const [[cause, asset, delta]] = loans(told) as [[string, number, number]]
  assert.deepEqual([cause, asset, delta], ['auto-repay', 1, -Math.floor(30 * 50_010 * 1000 * 0.999)])
  assert.equal(lever.balance('alice', 'USDT').available, 0)
  // More than is owed stays.
  lever.world.cancel('mm', told.order)
  lever.world.buy('mm', 50_000, 10_000).isAccepted()
  lever.world.market('alice', 'sell', { lots: 29, ...cross('both') }).isAccepted()
  assert.equal(lever.balance('alice', 'USDT').principal, 0)
  assert.ok(lever.balance('alice', 'USDT').available > 0)
  lever.world.isReplayable()
})

test('MARGIN-ORDER-004: lever orders are for the certified, while the product is open, in its accounts', () => {
  const lever = world()
  lever.world.gives('eve', 'USDT', '1000')
  lever.world.buy('eve', 50_000, 1, cross('borrow')).isRefused('NOT_CERTIFIED')
  lever.world.buy('eve', 50_000, 1, cross('none')).isRefused('INSUFFICIENT_BALANCE')
  for (const account of [isolated('none'), cross('both')])
    lever.world.place('alice', { market: 2, side: 'sell', price: 5_000, lots: 1, ...account }).isRefused('MARKET_WITHOUT_MARGIN')
  lever.enter('alice', 'BTC', '0', 2).isRefused('AMOUNT_NOT_POSITIVE')
  lever.borrow('alice', 'BTC', '1', 2).isRefused('MARKET_WITHOUT_MARGIN')
  lever.world.gives('alice', 'BTC', '1')
  lever.enter('alice', 'BTC', '1', 2).isRefused('MARKET_WITHOUT_MARGIN')
  lever.borrow('alice', 'BTC', '0.01').isAccepted()
  lever.world.do({ type: 'margin.setTerms', terms: { ...lever.world.exchange.marginTerms(), isOpen: false } }).isAccepted()
  lever.world.buy('alice', 50_000, 60, cross('borrow')).isRefused('PRODUCT_CLOSED')
  // Who owes may close.
  lever.world.buy('alice', 50_000, 1, cross('repay')).isAccepted()
  lever.world.isReplayable()
})

test('MARGIN-ORDER-005: an account that owes may not trade its money away', () => {
  const lever = world(btcusdt)
  lever.borrow('alice', 'USDT', '9000', btcusdt).isRefused('BORROW_LIMIT')
  lever.borrow('alice', 'USDT', '8900', btcusdt).isAccepted()
  // 55,000 is within the band of the market, and a tenth above the index.
  lever.world.prints(50_000)
  lever.world.buy('alice', 55_000, 175, isolated('none')).isRefused('MARGIN_LEVEL_LOW')
  // Ten such orders lose as much as one.
  const asked = Array.from({ length: 10 }, () => lever.world.buy('alice', 55_000, 17, isolated('none')).outcome.refusal)
  assert.ok(asked.includes('MARGIN_LEVEL_LOW'))
  assert.equal(asked[0], undefined)
  const level = lever.account('alice', btcusdt).levelPpm!
  assert.ok(level > 1_050_000)
  lever.world.sell('mm', 54_000, 1_000).isAccepted()
  assert.ok(lever.account('alice', btcusdt).levelPpm! > 1_049_000)
  // Next to the index everything may be sold, however low the level is.
  lever.world.do({ type: 'spot.cancelAll', user: lever.world.user('alice'), clientId: '', market: 0 }).isAccepted()
  const { available } = lever.balance('alice', 'BTC', btcusdt)
  const all = Math.floor(available / 100_000)
  lever.world.sell('alice', 46_000, all, isolated('repay')).isRefused('MARGIN_LEVEL_LOW')
  lever.world.sell('alice', 49_600, all, isolated('repay')).isAccepted()
  lever.world.isReplayable()
})

test('MARGIN-ORDER-005: a market order of a lever account stays near the index, wherever the book is', () => {
  const lever = world()
  lever.borrow('alice', 'USDT', '3000').isAccepted()
  // The last trades were a tenth above the index, and asks stand there.
  lever.world.prints(55_000)
  lever.world.sell('mm', 55_000, 1_000).isAccepted()
  lever.world
    .market('alice', 'buy', { lots: 20, ...cross('none') })
    .isAccepted()
    .traded()
  lever.world.sell('mm', 52_000, 5).isAccepted()
  lever.world
    .market('alice', 'buy', { lots: 20, ...cross('none') })
    .isAccepted()
    .traded('52000×5')
  lever.prices(50_000, 2_500, false)
  lever.world.buy('alice', 50_000, 1, cross('none')).isRefused('NO_INDEX_PRICE')
})

test('MARGIN-ORDER-006: an order of a lever account can sleep, and acts from it when it wakes', () => {
  const lever = world()
  lever.world.prints(50_000)
  const stop = { trigger: { kind: 'stop', price: 51_000, direction: 'rises-to' } }
  const told = lever.world.buy('alice', 51_000, 60, { ...stop, ...cross('both') }).isAccepted()
  assert.deepEqual(loans(told)[0], ['auto-borrow', 1, units('USDT', '2060')])
  assert.equal(lever.balance('alice', 'USDT').held, units('USDT', '3060'))
  lever.world.prints(51_000)
  lever.world.sell('mm', 51_000, 60).isAccepted().traded('51000×60')
  assert.equal(lever.balance('alice', 'BTC').available, units('BTC', '0.05994'))
  const down = lever.world.place('alice', {
    side: 'sell',
    orderType: 'market',
    timeInForce: 'IOC',
    lots: 50,
    trigger: { kind: 'stop', price: 50_500, direction: 'falls-to' },
    ...cross('repay'),
  })
  lever.world.buy('mm', 50_400, 1_000).isAccepted()
  const woken = lever.world.sell('maker', 50_400, 100).isAccepted()
  woken.closed(down.isAccepted().order, 'filled')
  // It brought 2,520 USDT: all of the debt, its first interest included.
  assert.deepEqual(loans(woken), [['auto-repay', 1, -units('USDT', '2060.01038')]])
  lever.world.isReplayable()
})

test('MARGIN-ORDER-007: an amended order stays with its account, and within its bounds', () => {
  const lever = world()
  const order = lever.world.buy('alice', 49_000, 10, cross('none')).isAccepted().order
  lever.world.amend('alice', order, { lots: 20 }).isAccepted()
  assert.equal(lever.balance('alice', 'USDT').held, units('USDT', '980'))
  lever.world.amend('alice', order, { lots: 25 }).isRefused('INSUFFICIENT_BALANCE')
  lever.borrow('alice', 'BTC', '0.07').isAccepted()
  lever.world.amend('alice', order, { price: 58_000, lots: 17 }).isRefused('MARGIN_LEVEL_LOW')
  lever.world.amend('alice', order, { price: 55_000, lots: 17 }).isAccepted()
  lever.borrow('alice', 'BTC', '0.02').isRefused('BORROW_LIMIT')
  lever.world.cancel('alice', order).isAccepted()
  assert.equal(lever.balance('alice', 'USDT').held, 0)
  lever.world.has('alice', 'USDT', '1000')
  lever.world.isReplayable()
})

test('MARGIN-ORDER-007: two orders of one user, one of them on lever, meet as one owner’s', () => {
  const lever = world()
  lever.world.gives('alice', 'BTC', '1')
  const ask = lever.world.sell('alice', 50_000, 10).isAccepted()
  lever.world
    .buy('alice', 50_000, 10, { ...cross('none'), selfTrade: 'expire-taker' })
    .isAccepted()
    .traded()
  lever.world
    .buy('alice', 50_000, 10, { ...cross('none'), selfTrade: 'expire-maker' })
    .isAccepted()
    .closed(ask.order, 'self-trade')
  lever.world.has('alice', 'BTC', '1')
  assert.equal(lever.balance('alice', 'USDT').held, units('USDT', '500'))
})
