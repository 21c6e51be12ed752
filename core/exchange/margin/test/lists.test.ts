import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BorrowMode } from '../../../protocol/command/margin.ts'
import { btcusdt, open, units } from './world.ts'
import type { MarginWorld } from './world.ts'

const cross = (borrow: BorrowMode): object => ({ margin: { account: 'margin-cross', borrow } })
const isolated = (borrow: BorrowMode): object => ({ margin: { account: 'margin-isolated', borrow } })

/** Alice has 1,000 USDT in a margin account and 1,000 USDT in spot; the last price is 50,000. */
function world(market = 0): MarginWorld {
  const desk = open().user('alice', { USDT: '2000' }).user('mm', { BTC: '1000', USDT: '100000000' })
  desk.enter('alice', 'USDT', '1000', market).isAccepted()
  desk.world.prints(50_000)
  return desk
}

test('MARGIN-ORDER-008: both orders of an OCO belong to the margin account, with one hold and one loan', () => {
  for (const [market, flags] of [
    [0, cross('both')],
    [btcusdt, isolated('both')],
  ] as const) {
    const desk = world(market)
    desk.world
      .oco('alice', { side: 'buy', lots: 60, limitPrice: 49_900, stopPrice: 50_100, stopLimit: 50_200 })
      .isRefused('INSUFFICIENT_BALANCE')
    const legs = { side: 'buy', lots: 60, limitPrice: 49_900, stopPrice: 50_100, stopLimit: 50_200 }
    desk.world
      .oco('alice', { ...legs, margin: { ...(flags as { margin: object }).margin, borrow: 'none' } })
      .isRefused('INSUFFICIENT_BALANCE')
    const told = desk.world.oco('alice', { ...legs, ...flags }).isAccepted()
    assert.deepEqual(
      told.of('order.accepted').map(({ margin }) => margin),
      [1, 2].map(() => (flags as { margin: object }).margin),
    )
    // The hold is that of the more expensive leg: 60 lots at 50,200.
    const { available, held, principal } = desk.balance('alice', 'USDT', market)
    assert.deepEqual([available, held, principal], [0, units('USDT', '3012'), units('USDT', '2012')])
    desk.world.has('alice', 'USDT', '1000')
    // When the limit leg trades, the stop leg ends, and the money that only the stop leg needed repays.
    const traded = desk.world.sell('mm', 49_900, 60).isAccepted().traded('49900×60')
    traded.closed(told.order + 2, 'oco').closed(told.order + 1, 'filled')
    assert.deepEqual(desk.balance('alice', 'USDT', market).held, 0)
    assert.equal(desk.balance('alice', 'BTC', market).available, units('BTC', '0.05994'))
    assert.equal(desk.world.open('alice').length, 0)
    desk.world.isReplayable()
  }
})

test('MARGIN-ORDER-008: the stop of an OCO triggers in its margin account, and its proceeds repay', () => {
  const desk = world()
  desk.world.sell('mm', 50_000, 1_000).isAccepted()
  desk.world.market('alice', 'buy', { lots: 60, ...cross('borrow') }).isAccepted()
  const owed = desk.balance('alice', 'USDT').principal
  const lots = 30
  const told = desk.world.oco('alice', { lots, limitPrice: 51_000, stopPrice: 49_500, ...cross('repay') }).isAccepted()
  assert.equal(desk.balance('alice', 'BTC').held, units('BTC', '0.03'))
  desk.world.buy('mm', 49_400, 100).isAccepted()
  desk.world.do({ type: 'spot.cancelAll', user: desk.world.user('mm'), clientId: '', market: 0 }).isAccepted()
  desk.world.buy('mm', 49_450, 1_000).isAccepted()
  const woken = desk.world.sell('taker', 49_450, 10, { timeInForce: 'IOC' }).isAccepted()
  woken.closed(told.order + 1, 'oco')
  assert.deepEqual(
    woken.of('margin.loan').map(({ cause, delta }) => [cause, delta]),
    [['auto-repay', -Math.floor(lots * 49_450 * 1000 * 0.999)]],
  )
  assert.ok(desk.balance('alice', 'USDT').principal < owed)
  desk.world.isReplayable()
})

test('MARGIN-ORDER-008: the stop of an OCO is closed when it triggers if its fill would leave the level too low', () => {
  const desk = world()
  desk.world.prints(50_000)
  desk.borrow('alice', 'USDT', '3900').isAccepted()
  const list = { side: 'buy', limitPrice: 49_000, stopPrice: 50_500, ...cross('none') }
  const low = desk.world.oco('alice', { ...list, lots: 10, stopLimit: 50_500 })
  const high = desk.world.oco('alice', { ...list, lots: 50, stopLimit: 60_000 })
  for (const placed of [low, high]) placed.isAccepted()
  desk.world.sell('mm', 50_500, 1_000).isAccepted()
  desk.world.gives('taker', 'USDT', '1000')
  const woken = desk.world.buy('taker', 50_500, 1).isAccepted()
  const told = [woken, desk.world.tick()]
  const reasons = told.flatMap((one) => one.of('order.closed')).filter(({ user }) => user === desk.world.user('alice'))
  assert.deepEqual(
    [low, high].map(({ order }) => reasons.filter((one) => one.order === order + 2).map(({ reason }) => reason)),
    [['filled'], ['margin']],
  )
  desk.world.isReplayable()
})

test('MARGIN-ORDER-009: an amend that needs more borrows the rest if the order was placed to borrow, and otherwise is refused', () => {
  const desk = world()
  const plain = desk.world.buy('alice', 49_900, 10, cross('none')).isAccepted()
  desk.world.amend('alice', plain.order, { lots: 30 }).isRefused('INSUFFICIENT_BALANCE')
  desk.world.cancel('alice', plain.order).isAccepted()
  const { order } = desk.world.buy('alice', 49_900, 10, cross('borrow')).isAccepted()
  const told = desk.world.amend('alice', order, { lots: 40 }).isAccepted()
  // 40 lots need 1,996, and the account has 1,000.
  assert.deepEqual(told.of('margin.loan').map(({ cause, asset, delta }) => [cause, asset, delta])[0], [
    'auto-borrow',
    1,
    units('USDT', '996'),
  ])
  const { available, held, principal } = desk.balance('alice', 'USDT')
  assert.deepEqual([available, held, principal], [0, units('USDT', '1996'), units('USDT', '996')])
  desk.world.amend('alice', order, { lots: 400 }).isRefused('BORROW_LIMIT')
  assert.equal(desk.world.open('alice')[0]!.lots, 40, 'a refused amend leaves the order as it was')
  const dearer = desk.world.amend('alice', order, { price: 50_000 }).isAccepted()
  assert.equal(dearer.of('margin.loan')[0]!.delta, units('USDT', '4'))
  // A cheaper amend releases the difference of the hold, and the loan stays until it is repaid.
  desk.world.amend('alice', order, { lots: 10 }).isAccepted()
  assert.deepEqual(
    [desk.balance('alice', 'USDT').held, desk.balance('alice', 'USDT').principal],
    [units('USDT', '500'), units('USDT', '1000')],
  )
  desk.world.isReplayable()
})

test('MARGIN-ORDER-009: an amend that trades at once repays the unneeded part of its loan', () => {
  const desk = world()
  const { order } = desk.world.buy('alice', 49_900, 10, cross('borrow')).isAccepted()
  desk.world.sell('mm', 50_000, 1_000).isAccepted()
  const told = desk.world.amend('alice', order, { lots: 60, price: 50_500 }).isAccepted().traded('50000×60')
  assert.deepEqual(
    told.of('margin.loan').map(({ cause, delta }) => [cause, cause === 'interest' ? 0 : delta]),
    [
      ['auto-borrow', units('USDT', '2030')],
      ['interest', 0],
      ['auto-repay', -units('USDT', '30')],
    ],
  )
  desk.world.isReplayable()
})

test('MARGIN-ORDER-002: only the unneeded loan of the order is repaid, although an older debt is charged in the same command', () => {
  const desk = world()
  desk.borrow('alice', 'USDT', '1000').isAccepted()
  desk.world.atMs += 3 * 3_600_000
  desk.prices(50_000, 2_500)
  const told = desk.world.buy('alice', 49_900, 50, { timeInForce: 'IOC', ...cross('borrow') }).isAccepted()
  const loans = told.of('margin.loan').map(({ cause, delta }) => [cause, delta] as const)
  assert.deepEqual(
    loans.map(([cause]) => cause),
    ['interest', 'auto-borrow', 'interest', 'auto-repay'],
  )
  const [, borrowed, first, repaid] = loans.map(([, delta]) => delta)
  assert.equal(-repaid!, borrowed! + first!)
  desk.world.isReplayable()
})

test('MARGIN-ORDER-009: an amend that would have to borrow is refused where borrowing is not possible', () => {
  const desk = world()
  const { order } = desk.world.buy('alice', 49_900, 10, cross('both')).isAccepted()
  desk.prices(50_000, 2_500, false)
  desk.world.amend('alice', order, { lots: 40 }).isRefused('NO_INDEX_PRICE')
  desk.prices(50_000, 2_500)
  desk.world.do({ type: 'user.certify', user: desk.world.user('alice'), isCertified: false }).isAccepted()
  desk.world.amend('alice', order, { lots: 40 }).isRefused('NOT_CERTIFIED')
  desk.world.amend('alice', order, { lots: 5 }).isAccepted()
  desk.world.isReplayable()
})

test('SPOT-CANCEL-003: cancel-all of the spot account leaves margin orders, and cancel-all of margin accounts leaves spot orders', () => {
  const desk = world()
  const all = (only?: string, market = 0): readonly boolean[] => {
    const named = only === undefined ? {} : { only }
    desk.world.do({ type: 'spot.cancelAll', user: desk.world.user('alice'), clientId: '', market, ...named }).isAccepted()
    return desk.world.open('alice').map(({ margin }) => margin !== undefined)
  }
  const place = (): void => {
    desk.world.buy('alice', 49_900, 4).isAccepted()
    desk.world.buy('alice', 49_900, 4, cross('none')).isAccepted()
  }
  place()
  assert.deepEqual(all('spot', 3), [false, true])
  assert.deepEqual(all('spot'), [true])
  place()
  assert.deepEqual(all('margin', btcusdt), [false])
  place()
  assert.deepEqual(all(), [])
  desk.world.isReplayable()
})

test('SPOT-CANCEL-003: a cancel-all repeated for other accounts is a different request', () => {
  const desk = world()
  const user = desk.world.user('alice')
  const asked = { type: 'spot.cancelAll', user, clientId: 'sweep', market: 0 }
  desk.world.do({ ...asked, only: 'spot' }).isAccepted()
  desk.world.do(asked).isRefused('CLIENT_ID_REUSED')
  desk.world.do({ ...asked, only: 'margin' }).isRefused('CLIENT_ID_REUSED')
  assert.equal(desk.world.do({ ...asked, only: 'spot' }).isAccepted().outcome.isRepeat, true)
})

test('SPOT-CANCEL-003: the part of a cancel-all that is left to the clock keeps its account', () => {
  const desk = world()
  desk.user('bob', { USDT: '100000' })
  desk.enter('bob', 'USDT', '50000').isAccepted()
  for (let n = 0; n < 100; n++) desk.world.buy('bob', 49_000 + n, 1).isAccepted()
  for (let n = 0; n < 100; n++) desk.world.buy('bob', 48_000 + n, 1, cross('none')).isAccepted()
  const user = desk.world.user('bob')
  const rest = desk.world.do({ type: 'market.list', symbol: 'BTCX', base: 2, quote: 1, tick: '1', lot: '0.001', terms: listed })
  const other = rest.isAccepted().of('market.listed')[0]!.market.id
  for (let n = 0; n < 150; n++) desk.world.buy('bob', 49_000 + n, 1, { market: other }).isAccepted()
  desk.world.do({ type: 'spot.cancelAll', user, clientId: '', market: 0, only: 'spot' }).isAccepted()
  assert.equal(desk.world.open('bob').length, 150)
  desk.world.isReplayable()
  desk.world.tick().isAccepted()
  assert.deepEqual([desk.world.open('bob').length, desk.world.open('bob').every(({ margin }) => margin !== undefined)], [100, true])
  desk.world.isReplayable()
})

const fees = { makerFeePpm: 1000, takerFeePpm: 1000, notionalMin: 5_000_000, lotsMin: 1, lotsMax: 1_000_000_000 }
const listed = { ...fees, bandPpm: 200_000, slippagePpm: 50_000, openOrdersMax: 200, isTrading: true }

/** A cross order whose unused loan is repaid when the order ends. */
const returning = (borrow: BorrowMode): object => ({ margin: { account: 'margin-cross', borrow, repaysAtEnd: true } })

test('MARGIN-ORDER-010: the loan of an order is repaid when the order is cancelled, with the interest of its first hour', () => {
  for (const borrow of ['borrow', 'both'] as const) {
    const desk = world()
    const told = desk.world.buy('alice', 49_000, 60, returning(borrow)).isAccepted()
    assert.deepEqual(told.of('order.accepted')[0]?.margin, { account: 'margin-cross', borrow, repaysAtEnd: true })
    assert.equal(desk.balance('alice', 'USDT').principal, units('USDT', '1940'))
    const { interest } = desk.balance('alice', 'USDT')
    desk.world.isReplayable()
    desk.world.cancel('alice', told.order).isAccepted()
    assert.equal(desk.account('alice').debt, 0)
    assert.equal(desk.balance('alice', 'USDT').available, units('USDT', '1000') - interest)
    desk.world.isReplayable()
  }
  // Without `repaysAtEnd` the loan stays.
  const desk = world()
  const { order } = desk.world.buy('alice', 49_000, 60, cross('borrow')).isAccepted()
  desk.world.cancel('alice', order).isAccepted()
  assert.equal(desk.balance('alice', 'USDT').principal, units('USDT', '1940'))
})

test('MARGIN-ORDER-010: an order that traded in part repays only the unused part of its loan; the account’s own money is spent first', () => {
  const desk = world()
  const { order } = desk.world.buy('alice', 50_000, 60, returning('borrow')).isAccepted()
  desk.world.sell('mm', 50_000, 30).isAccepted().traded('50000×30')
  // The order spent the account's own 1,000 and 500 of the 2,000 borrowed.
  desk.world.cancel('alice', order).isAccepted()
  const { principal, interest, available } = desk.balance('alice', 'USDT')
  // The released money repaid the loan, interest first.
  assert.deepEqual([available, interest], [0, 0])
  assert.ok(principal >= units('USDT', '500') && principal < units('USDT', '500.1'))
  desk.world.isReplayable()
})

test('MARGIN-ORDER-010: a filled order leaves its loan, and no other money of the account repays it', () => {
  const desk = world()
  desk.world.buy('alice', 50_000, 60, returning('borrow')).isAccepted()
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.world.sell('mm', 50_000, 60).isAccepted().traded('50000×60')
  assert.equal(desk.balance('alice', 'USDT').principal, units('USDT', '2000'))
  assert.equal(desk.balance('alice', 'USDT').available, units('USDT', '1000'))
  desk.world.isReplayable()
})

test('MARGIN-ORDER-010: no more than the available balance repays, and an amount that was already repaid is not repaid twice', () => {
  const desk = world()
  const { order } = desk.world.buy('alice', 50_000, 60, returning('borrow')).isAccepted()
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.repay('alice', 'USDT', '1000').isAccepted()
  desk.world.cancel('alice', order).isAccepted()
  assert.equal(desk.account('alice').debt, 0)
  assert.ok(desk.balance('alice', 'USDT').available > units('USDT', '1999'))
  desk.world.isReplayable()
})

test('MARGIN-ORDER-010: the loan of an amend is included, and an order that expires repays its unused loan too', () => {
  const desk = world()
  const { order } = desk.world.buy('alice', 49_000, 60, returning('borrow')).isAccepted()
  desk.world.amend('alice', order, { lots: 80 }).isAccepted()
  assert.equal(desk.balance('alice', 'USDT').principal, units('USDT', '2920'))
  desk.world.isReplayable()
  desk.world.sell('alice', 49_000, 1, { margin: undefined, selfTrade: 'expire-maker' }).isRefused('INSUFFICIENT_BALANCE')
  desk.world.gives('alice', 'BTC', '1')
  desk.world.sell('alice', 49_000, 100, { selfTrade: 'expire-maker' }).isAccepted().closed(order, 'self-trade')
  assert.equal(desk.account('alice').debt, 0)
  // The same for a sleeping order that a cancel-all cancels.
  const stop = { kind: 'stop', price: 50_100, direction: 'rises-to' }
  desk.world.buy('alice', 50_200, 60, { ...returning('both'), trigger: stop }).isAccepted()
  assert.ok(desk.account('alice').debt > 0)
  desk.world.do({ type: 'spot.cancelAll', user: desk.world.user('alice'), clientId: '', market: 0 }).isAccepted()
  assert.equal(desk.account('alice').debt, 0)
  desk.world.isReplayable()
})

test('MARGIN-ORDER-010: the unused loan of a list is repaid when both its orders have ended', () => {
  const desk = world()
  const legs = { side: 'buy', lots: 60, limitPrice: 49_900, stopPrice: 50_100, stopLimit: 50_200 }
  const list = desk.world.oco('alice', { ...legs, ...returning('borrow') }).isAccepted().order
  assert.equal(desk.balance('alice', 'USDT').principal, units('USDT', '2012'))
  desk.world.isReplayable()
  desk.world
    .sell('mm', 49_900, 10)
    .isAccepted()
    .closed(list + 2, 'oco')
  assert.equal(desk.balance('alice', 'USDT').principal, units('USDT', '2012'))
  desk.world.cancel('alice', list + 1).isAccepted()
  // The list spent 499 of the account's own money, so the whole loan is unused.
  assert.equal(desk.account('alice').debt, 0)
  const waiting = { ...legs, limitTrigger: 49_800, limitPrice: 49_800, stopLimit: 50_200 }
  const other = desk.world.oco('alice', { ...waiting, ...returning('borrow') }).isAccepted().order
  assert.ok(desk.account('alice').debt > 0)
  desk.world.cancel('alice', other).isAccepted()
  assert.equal(desk.account('alice').debt, 0)
  desk.world.isReplayable()
})

test('MARGIN-ORDER-015: a stop that is amended to need more borrows the rest if it was placed to borrow, and otherwise is refused', () => {
  const desk = world()
  const trigger = { kind: 'stop', price: 50_500, direction: 'rises-to' }
  const dearer = { triggerPrice: 51_000, price: 51_000, lots: 40 }
  const plain = desk.world.buy('alice', 50_500, 10, { ...cross('none'), trigger }).isAccepted()
  desk.world.amend('alice', plain.order, dearer).isRefused('INSUFFICIENT_BALANCE')
  desk.world.cancel('alice', plain.order).isAccepted()
  const { order } = desk.world.buy('alice', 50_500, 10, { ...cross('borrow'), trigger }).isAccepted()
  const told = desk.world.amend('alice', order, dearer).isAccepted()
  assert.deepEqual(told.of('margin.loan').map(({ cause, delta }) => [cause, delta])[0], ['auto-borrow', units('USDT', '1040')])
  const { available, held, principal } = desk.balance('alice', 'USDT')
  assert.deepEqual([available, held, principal], [0, units('USDT', '2040'), units('USDT', '1040')])
  desk.world.amend('alice', order, { ...dearer, lots: 400 }).isRefused('BORROW_LIMIT')
  desk.world.amend('alice', order, { triggerPrice: 50_600, price: 50_600, lots: 10 }).isAccepted()
  assert.deepEqual([desk.balance('alice', 'USDT').held, desk.balance('alice', 'USDT').principal], [units('USDT', '506'), principal])
  desk.world.isReplayable()
})

test('MARGIN-ORDER-015: the loan of a pair grows with its leg, and its unused part is repaid when the pair ends', () => {
  const desk = world()
  const margin = { account: 'margin-cross', borrow: 'borrow', repaysAtEnd: true }
  const legs = { side: 'buy', lots: 20, limitPrice: 49_000, stopPrice: 50_500, stopLimit: 50_500, margin }
  const { order } = desk.world.oco('alice', legs).isAccepted()
  const first = desk.balance('alice', 'USDT').principal
  desk.world.amend('alice', order + 2, { triggerPrice: 54_000, price: 54_000 }).isAccepted()
  const { held, principal } = desk.balance('alice', 'USDT')
  assert.equal(held, units('USDT', '1080'))
  assert.ok(principal > first, `${principal} is more than ${first}`)
  const ended = desk.world.cancel('alice', order + 2).isAccepted()
  assert.ok(ended.of('margin.loan').some(({ cause }) => cause === 'auto-repay'))
  assert.deepEqual([desk.balance('alice', 'USDT').held, desk.balance('alice', 'USDT').principal], [0, 0])
  desk.world.isReplayable()
})
