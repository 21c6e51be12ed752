/** Loans of orders to the unit: what a margin account repays when an order trades, is amended or ends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BorrowMode } from '../../../protocol/command/margin.ts'
import type { OrderId } from '../../../protocol/ids.ts'
import type { Told } from '../../test/world.ts'
import { restoreState } from '../../dump.ts'
import { free, open, units } from './world.ts'
import type { MarginWorld } from './world.ts'
import { cross, quotes } from './stressed.ts'

const hour = 3_600_000
/** Every loan costs 0.1 % an hour. */
const flat = { ...free, rateZero: 1_000_000_000, rateKink: 1_000_000_000, rateFull: 1_000_000_000 }
/** A cross order whose unused loan is repaid when the order ends. */
const returning = (borrow: BorrowMode): object => ({ margin: { account: 'margin-cross', borrow, repaysAtEnd: true } })

/** Alice has 1,000 USDT and `coins` BTC in her cross account. `others`: orders of others that were placed before. */
function world(others = 0, coins = '0'): MarginWorld {
  const desk = open(flat).user('alice', { USDT: '5000', BTC: '1' }).user('mm', { BTC: '1000', USDT: '100000000' })
  desk.enter('alice', 'USDT', '1000').isAccepted()
  if (coins !== '0') desk.enter('alice', 'BTC', coins).isAccepted()
  for (let n = 0; n < others; n++) desk.world.buy('mm', 40_000, 1).isAccepted()
  return desk
}

/** Number of loans of orders that the exchange remembers. */
const remembered = (desk: MarginWorld): number => restoreState(desk.world.exchange.dump()).margin.loans.size
const causes = (told: Told): readonly string[] => told.of('margin.loan').map(({ cause }) => cause)
const usdt = (desk: MarginWorld) => desk.balance('alice', 'USDT')

test('MARGIN-ORDER-010: only the loan of an order that repays at its end is remembered, until the order ends', () => {
  const desk = world()
  quotes(desk, [], [[50_000, 10]])
  const { world: inner } = desk
  const told = inner.buy('alice', 49_000, 60, cross('borrow')).isAccepted()
  // Nothing is available of a loan that is held, so nothing of it is repaid.
  assert.deepEqual(causes(told), ['auto-borrow', 'interest'])
  inner.cancel('alice', told.order).isAccepted()
  const [, owned] = [inner.buy('alice', 49_000, 10, cross('none')).isAccepted(), inner.buy('alice', 49_000, 10, returning('borrow'))]
  assert.equal(remembered(desk), 0)
  inner.cancel('alice', owned.isAccepted().order).isAccepted()
  const { order } = inner.buy('alice', 49_000, 70, returning('borrow')).isAccepted()
  assert.equal(remembered(desk), 1)
  inner.cancel('alice', order).isAccepted()
  assert.equal(remembered(desk), 0)
  // An order that trades at once is never in the book.
  inner.buy('alice', 50_000, 10, returning('borrow')).isAccepted().traded('50000×10')
  inner.buy('alice', 49_000, 60, { ...returning('borrow'), timeInForce: 'IOC' }).isAccepted()
  assert.equal(remembered(desk), 0)
  inner.isReplayable()
})

test('MARGIN-ORDER-010: a better price repays a part of the loan at once, and the end of the order only the rest', () => {
  const desk = world()
  quotes(desk, [], [[49_000, 30]])
  // 2,000 are borrowed, with interest of 2. The first 30 lots cost 30 less, which repay the interest and 28.
  const { order } = desk.world.buy('alice', 50_000, 60, returning('borrow')).isAccepted().traded('49000×30')
  assert.deepEqual([usdt(desk).principal, usdt(desk).interest], [units('USDT', '1972'), 0])
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.world.cancel('alice', order).isAccepted()
  // Of the 1,470 spent, 1,000 were alice's own.
  assert.deepEqual([usdt(desk).principal, usdt(desk).available], [units('USDT', '470'), units('USDT', '998')])
  desk.world.isReplayable()
})

test('MARGIN-ORDER-010: an amend that needs less counts the loan as the first money that the order has left', () => {
  for (const others of [0, 1]) {
    const unfilled = world(others)
    const first = unfilled.world.buy('alice', 49_000, 60, returning('borrow')).isAccepted().order
    // 1,940 are borrowed, and the order needs only 1,200 now.
    unfilled.world.amend('alice', first, { price: 40_000, lots: 30 }).isAccepted()
    quotes(unfilled, [], [])
    unfilled.world.sell('mm', 40_000, 10).isAccepted().traded('40000×10')
    unfilled.world.cancel('alice', first).isAccepted()
    // 400 of the loan are spent. The other 1,540 repay the interest of 1.94 first.
    assert.deepEqual([usdt(unfilled).principal, usdt(unfilled).available], [units('USDT', '401.94'), units('USDT', '1000')])
    unfilled.world.isReplayable()

    const filled = world(others)
    const second = filled.world.buy('alice', 50_000, 60, returning('borrow')).isAccepted().order
    filled.world.sell('mm', 50_000, 30).isAccepted().traded('50000×30')
    // 1,500 are spent and 1,470 still needed: 970 more than the loan of 2,000.
    filled.world.amend('alice', second, { price: 49_000 }).isAccepted()
    filled.world.cancel('alice', second).isAccepted()
    // 530 of the loan are spent.
    assert.deepEqual([usdt(filled).principal, usdt(filled).available], [units('USDT', '532'), units('USDT', '30')])
    filled.world.isReplayable()
  }
})

test('MARGIN-ORDER-010: a short sale spends the account’s own coins first, and repays the borrowed ones that it did not sell', () => {
  for (const others of [0, 1]) {
    const desk = world(others, '0.01')
    const { order } = desk.world.sell('alice', 50_000, 60, returning('borrow')).isAccepted()
    desk.enter('alice', 'BTC', '0.02').isAccepted()
    desk.world.buy('mm', 50_000, 30).isAccepted().traded('50000×30')
    desk.world.cancel('alice', order).isAccepted()
    // Of 0.05 borrowed, 0.02 are sold. The other 0.03 repay the interest of 0.00005 first.
    const { principal, available } = desk.balance('alice', 'BTC')
    assert.deepEqual([principal, available], [units('BTC', '0.02005'), units('BTC', '0.02')])
    desk.world.isReplayable()
  }
})

test('MARGIN-ORDER-010: what one order of a list spent counts when the list repays its loan', () => {
  for (const others of [0, 1]) {
    const desk = world(others)
    const legs = { side: 'buy', lots: 60, limitPrice: 49_900, stopPrice: 50_100, stopLimit: 50_200 }
    desk.world.prints(50_000)
    const { order: list } = desk.world.oco('alice', { ...legs, ...returning('borrow') }).isAccepted()
    desk.enter('alice', 'USDT', '1000').isAccepted()
    desk.world.sell('mm', 49_900, 30).isAccepted().traded('49900×30')
    desk.world.cancel('alice', list + 1).isAccepted()
    // 1,497 are spent, 497 of them from the loan of 2,012. The other 1,515 repay the interest of 2.012 first.
    assert.deepEqual([usdt(desk).principal, usdt(desk).available], [units('USDT', '499.012'), units('USDT', '1000')])
    assert.equal(remembered(desk), 0)
    desk.world.isReplayable()
  }
})

/** A pair of buys at 49,900 and, from 50,100 on, at 50,200, of which the second is gone: it could not be filled when it triggered. */
function leftAlone(desk: MarginWorld, margin: object): OrderId {
  const legs = { side: 'buy', lots: 60, limitPrice: 49_900, stopPrice: 50_100, stopLimit: 50_200, stopTimeInForce: 'FOK' }
  desk.world.prints(50_000)
  const list = desk.world.oco('alice', { ...legs, ...margin }).isAccepted().order
  desk.world.sell('mm', 50_100, 1).isAccepted()
  const woken = desk.world.buy('taker', 50_100, 1).isAccepted()
  woken.closed(list + 2, 'fok')
  return (list + 1) as OrderId
}

test('MARGIN-ORDER-016: an order of a list that is back in the book alone adds to the loan of the list, and repays what is unused', () => {
  for (const others of [0, 1]) {
    const desk = world(others)
    const order = leftAlone(desk, returning('borrow'))
    // 2,012 were borrowed for 3,012. 70 lots need 3,493, and 18 of it are available.
    desk.world.amend('alice', order, { lots: 70 }).isAccepted()
    assert.deepEqual([usdt(desk).principal, usdt(desk).held, remembered(desk)], [units('USDT', '2493'), units('USDT', '3493'), 1])
    desk.enter('alice', 'USDT', '10').isAccepted()
    desk.world.isReplayable()
    desk.world.cancel('alice', order).isAccepted()
    assert.deepEqual([desk.account('alice').debt, remembered(desk)], [0, 0])
    // The interest of the first hour is the whole cost.
    assert.equal(usdt(desk).available, units('USDT', '1010') - 2_012_000 - 481_000)
    desk.world.isReplayable()
  }
})

test('MARGIN-ORDER-016: an amend of such an order counts what the order has spent', () => {
  for (const others of [0, 1]) {
    const desk = world(others)
    const order = leftAlone(desk, returning('borrow'))
    desk.world.sell('mm', 49_900, 30).isAccepted().traded('49900×30')
    // 1,497 are spent and 1,494 still needed: 979 more than the loan of 2,012.
    desk.world.amend('alice', order, { price: 49_800 }).isAccepted()
    desk.enter('alice', 'USDT', '1000').isAccepted()
    desk.world.cancel('alice', order).isAccepted()
    // 518 of the loan are spent. The other 1,494 repay the interest of 2.012 first.
    assert.deepEqual([usdt(desk).principal, remembered(desk)], [units('USDT', '520.012'), 0])
    desk.world.isReplayable()
  }
})

test('MARGIN-ORDER-010: a list that is filled repays what only its dearer order needed, once', () => {
  const desk = world()
  const legs = { side: 'buy', lots: 60, limitPrice: 49_900, stopPrice: 50_100, stopLimit: 50_200 }
  desk.world.prints(50_000)
  desk.world.oco('alice', { ...legs, ...returning('borrow') }).isAccepted()
  desk.enter('alice', 'USDT', '1000').isAccepted()
  // Both orders end with the trade. It costs 2,994 of the 3,012 that were held: 18 of the loan of 2,012 are unused.
  const told = desk.world.sell('mm', 49_900, 60).isAccepted().traded('49900×60')
  assert.deepEqual(
    told.of('margin.loan').map(({ cause, delta }) => [cause, delta]),
    [['auto-repay', -units('USDT', '18')]],
  )
  assert.deepEqual([usdt(desk).available, remembered(desk)], [units('USDT', '1000'), 0])
  desk.world.isReplayable()
})

test('MARGIN-INTEREST-002: proceeds in a new hour repay a debt after its interest; proceeds that stay leave it to the clock', () => {
  const desk = open(flat).user('alice', { BTC: '2' }).user('mm', { USDT: '1000000' })
  desk.enter('alice', 'BTC', '1').isAccepted()
  desk.borrow('alice', 'USDT', '10000').isAccepted()
  desk.world.atMs = (Math.floor(desk.world.atMs / hour) + 1) * hour
  desk.world.buy('mm', 50_000, 100).isAccepted()
  assert.deepEqual(causes(desk.world.sell('alice', 50_000, 10, cross('none')).isAccepted().traded('50000×10')), [])
  const told = desk.world.sell('alice', 50_000, 10, cross('repay')).isAccepted().traded('50000×10')
  assert.deepEqual(
    told.of('margin.loan').map(({ cause, delta }) => [cause, delta]),
    [
      ['interest', units('USDT', '10')],
      ['auto-repay', -units('USDT', '499.5')],
    ],
  )
  desk.world.isReplayable()
})

test('MARGIN-LEVEL-001: an order whose proceeds bring the level back above the warning reports it', () => {
  const desk = open(flat).user('alice', { BTC: '2' }).user('mm', { USDT: '1000000' })
  desk.enter('alice', 'BTC', '1').isAccepted()
  desk.borrow('alice', 'USDT', '40000').isAccepted()
  const states = (told: Told): readonly string[] => told.of('margin.level').map(({ state }) => state)
  // 46,400 against 40,040: 1.1588.
  assert.deepEqual(states(desk.prices(6_400, 2_500)), ['watch'])
  desk.world.buy('mm', 6_400, 1_000).isAccepted()
  const told = desk.world.sell('alice', 6_400, 1_000, cross('repay')).isAccepted().traded('6400×1000')
  // 40,000 against 33,646.40: 1.1888.
  assert.deepEqual([states(told), desk.account('alice').debt], [['safe'], units('USDT', '33646.4')])
})
