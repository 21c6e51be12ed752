import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BorrowMode } from '../../../protocol/command/margin.ts'
import { btcusdt, open, units } from './lever.ts'
import type { Lever } from './lever.ts'

const cross = (borrow: BorrowMode): object => ({ margin: { account: 'margin-cross', borrow } })
const isolated = (borrow: BorrowMode): object => ({ margin: { account: 'margin-isolated', borrow } })

/** Alice has 1,000 USDT in a lever account and as much in spot; the last price is 50,000. */
function world(market = 0): Lever {
  const lever = open().user('alice', { USDT: '2000' }).user('mm', { BTC: '1000', USDT: '100000000' })
  lever.enter('alice', 'USDT', '1000', market).isAccepted()
  lever.world.prints(50_000)
  return lever
}

test('MARGIN-ORDER-008: both orders of an OCO belong to the lever account, with one hold and one loan', () => {
  for (const [market, flags] of [
    [0, cross('both')],
    [btcusdt, isolated('both')],
  ] as const) {
    const lever = world(market)
    lever.world
      .oco('alice', { side: 'buy', lots: 60, limitPrice: 49_900, stopPrice: 50_100, stopLimit: 50_200 })
      .isRefused('INSUFFICIENT_BALANCE')
    const legs = { side: 'buy', lots: 60, limitPrice: 49_900, stopPrice: 50_100, stopLimit: 50_200 }
    lever.world
      .oco('alice', { ...legs, margin: { ...(flags as { margin: object }).margin, borrow: 'none' } })
      .isRefused('INSUFFICIENT_BALANCE')
    const told = lever.world.oco('alice', { ...legs, ...flags }).isAccepted()
    assert.deepEqual(
      told.of('order.accepted').map(({ margin }) => margin),
      [1, 2].map(() => (flags as { margin: object }).margin),
    )
    // The dearer leg is held: 60 lots at 50,200.
    const { available, held, principal } = lever.balance('alice', 'USDT', market)
    assert.deepEqual([available, held, principal], [0, units('USDT', '3012'), units('USDT', '2012')])
    lever.world.has('alice', 'USDT', '1000')
    // The limit leg trades: the stop goes, and what only the stop needed repays.
    const traded = lever.world.sell('mm', 49_900, 60).isAccepted().traded('49900×60')
    traded.closed(told.order + 2, 'oco').closed(told.order + 1, 'filled')
    assert.deepEqual(lever.balance('alice', 'USDT', market).held, 0)
    assert.equal(lever.balance('alice', 'BTC', market).available, units('BTC', '0.05994'))
    assert.equal(lever.world.open('alice').length, 0)
    lever.world.isReplayable()
  }
})

test('MARGIN-ORDER-008: the stop of an OCO wakes in its lever account, and what it brings repays', () => {
  const lever = world()
  lever.world.sell('mm', 50_000, 1_000).isAccepted()
  lever.world.market('alice', 'buy', { lots: 60, ...cross('borrow') }).isAccepted()
  const owed = lever.balance('alice', 'USDT').principal
  const lots = 30
  const told = lever.world.oco('alice', { lots, limitPrice: 51_000, stopPrice: 49_500, ...cross('repay') }).isAccepted()
  assert.equal(lever.balance('alice', 'BTC').held, units('BTC', '0.03'))
  lever.world.buy('mm', 49_400, 100).isAccepted()
  lever.world.do({ type: 'spot.cancelAll', user: lever.world.user('mm'), clientId: '', market: 0 }).isAccepted()
  lever.world.buy('mm', 49_450, 1_000).isAccepted()
  const woken = lever.world.sell('taker', 49_450, 10, { timeInForce: 'IOC' }).isAccepted()
  woken.closed(told.order + 1, 'oco')
  assert.deepEqual(
    woken.of('margin.loan').map(({ cause, delta }) => [cause, delta]),
    [['auto-repay', -Math.floor(lots * 49_450 * 1000 * 0.999)]],
  )
  assert.ok(lever.balance('alice', 'USDT').principal < owed)
  lever.world.isReplayable()
})

test('MARGIN-ORDER-008: the stop of an OCO that would bring its account too low when it wakes is closed', () => {
  const lever = world()
  lever.world.prints(50_000)
  lever.borrow('alice', 'USDT', '3900').isAccepted()
  const list = { side: 'buy', limitPrice: 49_000, stopPrice: 50_500, ...cross('none') }
  const low = lever.world.oco('alice', { ...list, lots: 10, stopLimit: 50_500 })
  const high = lever.world.oco('alice', { ...list, lots: 50, stopLimit: 60_000 })
  for (const placed of [low, high]) placed.isAccepted()
  lever.world.sell('mm', 50_500, 1_000).isAccepted()
  lever.world.gives('taker', 'USDT', '1000')
  const woken = lever.world.buy('taker', 50_500, 1).isAccepted()
  const told = [woken, lever.world.tick()]
  const reasons = told.flatMap((one) => one.of('order.closed')).filter(({ user }) => user === lever.world.user('alice'))
  assert.deepEqual(
    [low, high].map(({ order }) => reasons.filter((one) => one.order === order + 2).map(({ reason }) => reason)),
    [['filled'], ['margin']],
  )
  lever.world.isReplayable()
})

test('MARGIN-ORDER-009: an amend that needs more borrows it when the order was placed to borrow, and else is refused', () => {
  const lever = world()
  const plain = lever.world.buy('alice', 49_900, 10, cross('none')).isAccepted()
  lever.world.amend('alice', plain.order, { lots: 30 }).isRefused('INSUFFICIENT_BALANCE')
  lever.world.cancel('alice', plain.order).isAccepted()
  const { order } = lever.world.buy('alice', 49_900, 10, cross('borrow')).isAccepted()
  const told = lever.world.amend('alice', order, { lots: 40 }).isAccepted()
  // 40 lots need 1,996; 1,000 are there.
  assert.deepEqual(told.of('margin.loan').map(({ cause, asset, delta }) => [cause, asset, delta])[0], [
    'auto-borrow',
    1,
    units('USDT', '996'),
  ])
  const { available, held, principal } = lever.balance('alice', 'USDT')
  assert.deepEqual([available, held, principal], [0, units('USDT', '1996'), units('USDT', '996')])
  lever.world.amend('alice', order, { lots: 400 }).isRefused('BORROW_LIMIT')
  assert.equal(lever.world.open('alice')[0]!.lots, 40, 'a refused amend leaves the order as it was')
  const dearer = lever.world.amend('alice', order, { price: 50_000 }).isAccepted()
  assert.equal(dearer.of('margin.loan')[0]!.delta, units('USDT', '4'))
  // A cheaper one gives back what it held, and the loan stays until it is repaid.
  lever.world.amend('alice', order, { lots: 10 }).isAccepted()
  assert.deepEqual(
    [lever.balance('alice', 'USDT').held, lever.balance('alice', 'USDT').principal],
    [units('USDT', '500'), units('USDT', '1000')],
  )
  lever.world.isReplayable()
})

test('MARGIN-ORDER-009: an amend that trades at once repays what it borrowed and did not need', () => {
  const lever = world()
  const { order } = lever.world.buy('alice', 49_900, 10, cross('borrow')).isAccepted()
  lever.world.sell('mm', 50_000, 1_000).isAccepted()
  const told = lever.world.amend('alice', order, { lots: 60, price: 50_500 }).isAccepted().traded('50000×60')
  assert.deepEqual(
    told.of('margin.loan').map(({ cause, delta }) => [cause, cause === 'interest' ? 0 : delta]),
    [
      ['auto-borrow', units('USDT', '2030')],
      ['interest', 0],
      ['auto-repay', -units('USDT', '30')],
    ],
  )
  lever.world.isReplayable()
})

test('MARGIN-ORDER-002: what an order borrowed and did not need is all that goes back, though an older debt is charged with it', () => {
  const lever = world()
  lever.borrow('alice', 'USDT', '1000').isAccepted()
  lever.world.atMs += 3 * 3_600_000
  lever.prices(50_000, 2_500)
  const told = lever.world.buy('alice', 49_900, 50, { timeInForce: 'IOC', ...cross('borrow') }).isAccepted()
  const loans = told.of('margin.loan').map(({ cause, delta }) => [cause, delta] as const)
  assert.deepEqual(
    loans.map(([cause]) => cause),
    ['interest', 'auto-borrow', 'interest', 'auto-repay'],
  )
  const [, borrowed, first, repaid] = loans.map(([, delta]) => delta)
  assert.equal(-repaid!, borrowed! + first!)
  lever.world.isReplayable()
})

test('MARGIN-ORDER-009: where borrowing is not possible, an amend that needs more is not either', () => {
  const lever = world()
  const { order } = lever.world.buy('alice', 49_900, 10, cross('both')).isAccepted()
  lever.prices(50_000, 2_500, false)
  lever.world.amend('alice', order, { lots: 40 }).isRefused('NO_INDEX_PRICE')
  lever.prices(50_000, 2_500)
  lever.world.do({ type: 'user.certify', user: lever.world.user('alice'), isCertified: false }).isAccepted()
  lever.world.amend('alice', order, { lots: 40 }).isRefused('NOT_CERTIFIED')
  lever.world.amend('alice', order, { lots: 20 }).isAccepted()
  lever.world.isReplayable()
})

test('SPOT-CANCEL-003: cancel-all of the spot account leaves lever orders, and the other way round', () => {
  const lever = world()
  const all = (only?: string, market = 0): readonly boolean[] => {
    const named = only === undefined ? {} : { only }
    lever.world.do({ type: 'spot.cancelAll', user: lever.world.user('alice'), clientId: '', market, ...named }).isAccepted()
    return lever.world.open('alice').map(({ margin }) => margin !== undefined)
  }
  const place = (): void => {
    lever.world.buy('alice', 49_900, 4).isAccepted()
    lever.world.buy('alice', 49_900, 4, cross('none')).isAccepted()
  }
  place()
  assert.deepEqual(all('spot', 3), [false, true])
  assert.deepEqual(all('spot'), [true])
  place()
  assert.deepEqual(all('margin', btcusdt), [false])
  place()
  assert.deepEqual(all(), [])
  lever.world.isReplayable()
})

test('SPOT-CANCEL-003: a cancel-all that comes again for other accounts is another request', () => {
  const lever = world()
  const user = lever.world.user('alice')
  const asked = { type: 'spot.cancelAll', user, clientId: 'sweep', market: 0 }
  lever.world.do({ ...asked, only: 'spot' }).isAccepted()
  lever.world.do(asked).isRefused('CLIENT_ID_REUSED')
  lever.world.do({ ...asked, only: 'margin' }).isRefused('CLIENT_ID_REUSED')
  assert.equal(lever.world.do({ ...asked, only: 'spot' }).isAccepted().outcome.isRepeat, true)
})

test('SPOT-CANCEL-003: what cancel-all leaves to the clock is of the same account', () => {
  const lever = world()
  lever.user('bob', { USDT: '100000' })
  lever.enter('bob', 'USDT', '50000').isAccepted()
  for (let n = 0; n < 100; n++) lever.world.buy('bob', 49_000 + n, 1).isAccepted()
  for (let n = 0; n < 100; n++) lever.world.buy('bob', 48_000 + n, 1, cross('none')).isAccepted()
  const user = lever.world.user('bob')
  const rest = lever.world.do({ type: 'market.list', symbol: 'BTCX', base: 2, quote: 1, tick: '1', lot: '0.001', terms: listed })
  const other = rest.isAccepted().of('market.listed')[0]!.market.id
  for (let n = 0; n < 150; n++) lever.world.buy('bob', 49_000 + n, 1, { market: other }).isAccepted()
  lever.world.do({ type: 'spot.cancelAll', user, clientId: '', market: 0, only: 'spot' }).isAccepted()
  assert.equal(lever.world.open('bob').length, 150)
  lever.world.isReplayable()
  lever.world.tick().isAccepted()
  assert.deepEqual([lever.world.open('bob').length, lever.world.open('bob').every(({ margin }) => margin !== undefined)], [100, true])
  lever.world.isReplayable()
})

const fees = { makerFeePpm: 1000, takerFeePpm: 1000, notionalMin: 5_000_000, lotsMin: 1, lotsMax: 1_000_000_000 }
const listed = { ...fees, bandPpm: 200_000, slippagePpm: 50_000, openOrdersMax: 200, isTrading: true }

/** The same, and what was borrowed and not used goes back when the order ends. */
const returning = (borrow: BorrowMode): object => ({ margin: { account: 'margin-cross', borrow, repaysAtEnd: true } })

test('MARGIN-ORDER-010: what was borrowed for an order is repaid when it is cancelled, with the interest of its first hour', () => {
  for (const borrow of ['borrow', 'both'] as const) {
    const lever = world()
    const told = lever.world.buy('alice', 49_000, 60, returning(borrow)).isAccepted()
    assert.deepEqual(told.of('order.accepted')[0]?.margin, { account: 'margin-cross', borrow, repaysAtEnd: true })
    assert.equal(lever.balance('alice', 'USDT').principal, units('USDT', '1940'))
    const { interest } = lever.balance('alice', 'USDT')
    lever.world.isReplayable()
    lever.world.cancel('alice', told.order).isAccepted()
    assert.equal(lever.account('alice').debt, 0)
    assert.equal(lever.balance('alice', 'USDT').available, units('USDT', '1000') - interest)
    lever.world.isReplayable()
  }
  // Without it the loan stays.
  const lever = world()
  const { order } = lever.world.buy('alice', 49_000, 60, cross('borrow')).isAccepted()
  lever.world.cancel('alice', order).isAccepted()
  assert.equal(lever.balance('alice', 'USDT').principal, units('USDT', '1940'))
})

test('MARGIN-ORDER-010: of an order that traded in part only what it did not use goes back, its own money spent first', () => {
  const lever = world()
  const { order } = lever.world.buy('alice', 50_000, 60, returning('borrow')).isAccepted()
  lever.world.sell('mm', 50_000, 30).isAccepted().traded('50000×30')
  // 1,000 of its own and 500 of the 2,000 borrowed were spent.
  lever.world.cancel('alice', order).isAccepted()
  const { principal, interest, available } = lever.balance('alice', 'USDT')
  // What it freed repaid, interest first.
  assert.deepEqual([available, interest], [0, 0])
  assert.ok(principal >= units('USDT', '500') && principal < units('USDT', '500.1'))
  lever.world.isReplayable()
})

test('MARGIN-ORDER-010: an order that is filled leaves its loan, and nothing else of the account repays it', () => {
  const lever = world()
  lever.world.buy('alice', 50_000, 60, returning('borrow')).isAccepted()
  lever.enter('alice', 'USDT', '1000').isAccepted()
  lever.world.sell('mm', 50_000, 60).isAccepted().traded('50000×60')
  assert.equal(lever.balance('alice', 'USDT').principal, units('USDT', '2000'))
  assert.equal(lever.balance('alice', 'USDT').available, units('USDT', '1000'))
  lever.world.isReplayable()
})

test('MARGIN-ORDER-010: no more goes back than is free, and what was repaid meanwhile is not repaid twice', () => {
  const lever = world()
  const { order } = lever.world.buy('alice', 50_000, 60, returning('borrow')).isAccepted()
  lever.enter('alice', 'USDT', '1000').isAccepted()
  lever.repay('alice', 'USDT', '1000').isAccepted()
  lever.world.cancel('alice', order).isAccepted()
  assert.equal(lever.account('alice').debt, 0)
  assert.ok(lever.balance('alice', 'USDT').available > units('USDT', '1999'))
  lever.world.isReplayable()
})

test('MARGIN-ORDER-010: an amend counts with what it borrows more; the rest goes back when the order expires as well', () => {
  const lever = world()
  const { order } = lever.world.buy('alice', 49_000, 60, returning('borrow')).isAccepted()
  lever.world.amend('alice', order, { lots: 80 }).isAccepted()
  assert.equal(lever.balance('alice', 'USDT').principal, units('USDT', '2920'))
  lever.world.isReplayable()
  lever.world.sell('alice', 49_000, 1, { margin: undefined, selfTrade: 'expire-maker' }).isRefused('INSUFFICIENT_BALANCE')
  lever.world.gives('alice', 'BTC', '1')
  lever.world.sell('alice', 49_000, 100, { selfTrade: 'expire-maker' }).isAccepted().closed(order, 'self-trade')
  assert.equal(lever.account('alice').debt, 0)
  // Asleep, and cancelled with all others.
  const stop = { kind: 'stop', price: 50_100, direction: 'rises-to' }
  lever.world.buy('alice', 50_200, 60, { ...returning('both'), trigger: stop }).isAccepted()
  assert.ok(lever.account('alice').debt > 0)
  lever.world.do({ type: 'spot.cancelAll', user: lever.world.user('alice'), clientId: '', market: 0 }).isAccepted()
  assert.equal(lever.account('alice').debt, 0)
  lever.world.isReplayable()
})

test('MARGIN-ORDER-010: the loan of a list goes back when both its orders have ended', () => {
  const lever = world()
  const legs = { side: 'buy', lots: 60, limitPrice: 49_900, stopPrice: 50_100, stopLimit: 50_200 }
  const list = lever.world.oco('alice', { ...legs, ...returning('borrow') }).isAccepted().order
  assert.equal(lever.balance('alice', 'USDT').principal, units('USDT', '2012'))
  lever.world.isReplayable()
  lever.world
    .sell('mm', 49_900, 10)
    .isAccepted()
    .closed(list + 2, 'oco')
  assert.equal(lever.balance('alice', 'USDT').principal, units('USDT', '2012'))
  lever.world.cancel('alice', list + 1).isAccepted()
  // 499 of its own money were spent: all that was borrowed is there.
  assert.equal(lever.account('alice').debt, 0)
  const waiting = { ...legs, limitTrigger: 49_800, limitPrice: 49_800, stopLimit: 50_200 }
  const other = lever.world.oco('alice', { ...waiting, ...returning('borrow') }).isAccepted().order
  assert.ok(lever.account('alice').debt > 0)
  lever.world.cancel('alice', other).isAccepted()
  assert.equal(lever.account('alice').debt, 0)
  lever.world.isReplayable()
})
