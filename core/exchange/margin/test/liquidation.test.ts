import assert from 'node:assert/strict'
import { test } from 'node:test'
import { btcusdt, ethusdt, open, terms, units } from './world.ts'
import type { MarginWorld } from './world.ts'

/** Replaces the market maker's bids and asks on BTCUSDT: `[price, lots]` with lots of 0.001 BTC. */
function quotes(desk: MarginWorld, bids: readonly (readonly [number, number])[], asks: readonly (readonly [number, number])[]): void {
  const { world } = desk
  world.do({ type: 'spot.cancelAll', user: world.user('mm'), clientId: '', market: 0 }).isAccepted()
  for (const [price, lots] of bids) world.buy('mm', price, lots).isAccepted()
  for (const [price, lots] of asks) world.sell('mm', price, lots).isAccepted()
}

/** Alice is long with ten times her 10,000 USDT in an isolated account; `mm` makes the market. */
function long(insurance = '0'): MarginWorld {
  const desk = open().user('alice', { USDT: '10000' }).user('mm', { BTC: '1000', ETH: '1000', USDT: '100000000' })
  if (insurance !== '0')
    desk.world.do({ type: 'funds.system', account: 'insurance-margin', asset: 1, amount: units('USDT', insurance) }).isAccepted()
  desk.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
  quotes(desk, [[49_900, 10_000]], [[50_000, 10_000]])
  desk.world
    .place('alice', { side: 'buy', price: 50_000, lots: 1_900, margin: { account: 'margin-isolated', borrow: 'borrow' } })
    .isAccepted()
  return desk
}

/** Events of all liquidation steps within `ms`. */
function liquidations(desk: MarginWorld, ms = 1000) {
  const told: { fee: number; insured: number; levelPpm: number; order: number }[] = []
  desk.waits(ms, (one) => told.push(...one.of('margin.liquidated')))
  return told
}

test('MARGIN-LIQ-001: at the liquidation threshold assets are sold in the book until the level is back at the warning threshold', () => {
  const desk = long()
  const price = desk.account('alice', btcusdt).liquidationPrice / 1e8
  assert.ok(price > 46_900 && price < 47_100, `${price}`)
  quotes(desk, [[47_000, 10_000]], [[47_100, 10_000]])
  desk.prices(price + 0.01, 2_500)
  assert.equal(desk.account('alice', btcusdt).state, 'watch')
  const told = desk.prices(price, 2_500)
  const steps = [...told.of('margin.liquidated'), ...liquidations(desk)]
  assert.ok(steps.length >= 1 && steps.length <= 4, `${steps.length} steps`)
  const after = desk.account('alice', btcusdt)
  assert.ok(after.levelPpm! >= 1_100_000 && after.levelPpm! < 1_115_000, `${after.levelPpm}`)
  assert.equal(after.state === 'liquidating', false)
  // No more was sold than needed, and 0.5 % of the proceeds went to the fund.
  const sold = 189_810_000 - desk.balance('alice', 'BTC', btcusdt).available
  assert.ok(sold > 80_000_000 && sold < 110_000_000, `${sold}`)
  const fees = steps.reduce((sum, { fee }) => sum + fee, 0)
  const proceeds = (sold / 1e8) * 47_000 * 0.999
  assert.ok(Math.abs(fees / 1e6 / proceeds - 0.005) < 0.00001, `${fees} of ${proceeds}`)
  desk.world.isReplayable()
})

test('MARGIN-LIQ-002: cancelling orders that could lose too much makes the account safe again', () => {
  const desk = open().user('alice', { USDT: '10000' }).user('mm', { BTC: '1000', USDT: '100000000' })
  desk.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
  desk.borrow('alice', 'USDT', '80000', btcusdt).isAccepted()
  const bid = desk.world.place('alice', {
    side: 'buy',
    price: 50_000,
    lots: 1_700,
    margin: { account: 'margin-isolated', borrow: 'none' },
  })
  bid.isAccepted()
  const told = desk.prices(46_000, 2_500)
  assert.deepEqual(
    told.of('margin.level').map(({ state }) => state),
    ['liquidating', 'safe'],
  )
  told.closed(bid.order, 'liquidation')
  assert.deepEqual(told.of('margin.liquidated'), [])
  assert.equal(desk.balance('alice', 'USDT', btcusdt).held, 0)
  desk.world.isReplayable()
})

test('MARGIN-LIQ-003: an owed coin is bought back', () => {
  const desk = open().user('alice', { USDT: '10000' }).user('mm', { BTC: '1000', USDT: '100000000' })
  desk.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
  quotes(desk, [[50_000, 10_000]], [[50_100, 10_000]])
  desk.world
    .place('alice', { side: 'sell', price: 50_000, lots: 1_700, margin: { account: 'margin-isolated', borrow: 'both' } })
    .isAccepted()
  const price = desk.account('alice', btcusdt).liquidationPrice / 1e8
  assert.ok(price > 52_500 && price < 54_500, `${price}`)
  quotes(
    desk,
    [[53_000, 10_000]],
    [[price + 30, 10_000]].map(([p, n]) => [Math.round(p!), n!] as const),
  )
  desk.prices(price - 0.01, 2_500)
  assert.equal(desk.account('alice', btcusdt).state, 'watch')
  const told = desk.prices(price, 2_500)
  const steps = [...told.of('margin.liquidated'), ...liquidations(desk)]
  assert.ok(steps.length >= 1)
  assert.ok(desk.account('alice', btcusdt).levelPpm! >= 1_100_000)
  assert.ok(desk.balance('alice', 'BTC', btcusdt).principal < 170_000_000)
  desk.world.isReplayable()
})

test('MARGIN-LIQ-004: a cross account gives its most valuable assets first, through USDT where no market leads to the debt', () => {
  const desk = open().user('alice', { BTC: '1', ETH: '4' }).user('mm', { BTC: '1000', ETH: '10000', USDT: '100000000' })
  desk.enter('alice', 'BTC', '1').isAccepted()
  desk.enter('alice', 'ETH', '4').isAccepted()
  desk.borrow('alice', 'ETH', '60').isAccepted()
  // The borrowed ETH are exchanged for BTC: the account is short ETH and long BTC, with some USDT left.
  quotes(desk, [[49_900, 20_000]], [[50_000, 20_000]])
  desk.world.buy('mm', 249_900, 200_000, { market: ethusdt }).isAccepted()
  const cross = { margin: { account: 'margin-cross', borrow: 'none' } }
  desk.world
    .place('alice', { market: ethusdt, side: 'sell', price: 249_900, lots: 64_000, ...cross })
    .isAccepted()
    .traded('249900×64000')
  desk.world
    .place('alice', { side: 'buy', price: 50_000, lots: 3_000, ...cross })
    .isAccepted()
    .traded('50000×3000')
  assert.equal(desk.account('alice').state, 'safe')
  desk.world.atMs += 360_000
  desk.prices(50_000, 3_150)
  quotes(desk, [[49_950, 20_000]], [])
  desk.world.sell('mm', 319_500, 200_000, { market: ethusdt }).isAccepted()
  const told = [desk.prices(50_000, 3_190)]
  desk.waits(1000, (one) => told.push(one))
  const orders = told.flatMap((one) => one.of('order.accepted').map(({ market, side }) => `${side} ${market}`))
  assert.deepEqual(orders.slice(0, 3), ['buy 3', 'sell 1', 'buy 3'])
  const steps = told.flatMap((one) => one.of('margin.liquidated'))
  assert.ok(orders.length < 8, orders.join())
  // The fee is paid once, on the amount that repays.
  steps.forEach(({ fee }, n) => assert.equal(fee > 0, orders[n] === 'buy 3'))
  const { levelPpm, state } = desk.account('alice')
  assert.ok(levelPpm! >= 1_160_000 && state !== 'liquidating', `${levelPpm}`)
  desk.world.isReplayable()
})

test('MARGIN-LIQ-005: without a buyer the liquidation waits, and it continues when there is one', () => {
  const desk = long()
  quotes(desk, [], [[50_000, 10]])
  const told = desk.prices(46_000, 2_500)
  assert.deepEqual(
    told.of('margin.level').map(({ state }) => state),
    ['liquidating'],
  )
  assert.deepEqual(liquidations(desk), [])
  assert.ok(desk.world.exchange.nextDueAtMs > desk.world.atMs + 1000, 'nothing to do until something changes')
  assert.deepEqual(desk.prices(46_000, 2_500).of('margin.liquidated'), [])
  desk.world.buy('mm', 45_990, 5_000).isAccepted()
  assert.equal(desk.prices(46_000, 2_500).of('margin.liquidated').length >= 1, true)
  desk.world.isReplayable()
})

test('MARGIN-LIQ-006: an index price that is not good liquidates nothing', () => {
  const desk = long()
  quotes(desk, [[46_000, 10_000]], [])
  assert.deepEqual(desk.prices(46_000, 2_500, false).of('margin.level'), [])
  assert.deepEqual(liquidations(desk), [])
  assert.ok(desk.prices(46_000, 2_500).of('margin.liquidated').length > 0)
  desk.world.isReplayable()
})

test('MARGIN-LIQ-007: a loss by a price gap takes all assets of the account, then money of the fund, and nothing from others', () => {
  const desk = long('50000')
  const fund = desk.system('insurance-margin', 'USDT')
  const owed = desk.account('alice', btcusdt).debt
  quotes(desk, [[40_000, 10_000]], [])
  const told = desk.prices(40_000, 2_500)
  const steps = [...told.of('margin.liquidated'), ...liquidations(desk)]
  const [last] = steps.slice(-1)
  assert.ok(last!.insured > 0)
  const { balances, debt, state } = desk.account('alice', btcusdt)
  assert.deepEqual([balances.every((one) => one.available === 0 && one.held === 0), debt, state], [true, 0, 'safe'])
  // The proceeds of the BTC, less fees, repaid the debt, and the fund paid exactly the difference.
  const proceeds = 1_898 * 40_000 * 1000 * 0.999
  const paid = fund - desk.system('insurance-margin', 'USDT')
  const dust = 189_810_000 - 1_898 * 100_000
  assert.equal(desk.system('insurance-margin', 'BTC'), dust)
  assert.ok(Math.abs(owed - proceeds - paid) <= 2, `${owed} − ${proceeds} − ${paid}`)
  assert.equal(desk.system('outside:loans', 'USDT'), 0)
  desk.world.isReplayable()
})

test('MARGIN-LIQ-008: a debt that the fund can’t repay stays owed without interest until the fund can', () => {
  const desk = long()
  quotes(desk, [[40_000, 10_000]], [])
  desk.prices(40_000, 2_500)
  liquidations(desk)
  const left = desk.account('alice', btcusdt)
  assert.ok(left.debt > 9_000_000_000 && left.state === 'liquidating')
  assert.equal(desk.system('insurance-margin', 'USDT'), 0)
  desk.waits(3 * 3_600_000)
  assert.equal(desk.account('alice', btcusdt).debt, left.debt)
  desk.world.do({ type: 'funds.system', account: 'insurance-margin', asset: 1, amount: units('USDT', '5000') }).isAccepted()
  const [paid] = desk.prices(40_000, 2_500).of('margin.liquidated')
  assert.equal(paid!.insured, 5_000_000_000)
  assert.equal(desk.account('alice', btcusdt).debt, left.debt - 5_000_000_000)
  desk.world.isReplayable()
})

test('MARGIN-LIQ-009: an account in liquidation can’t borrow, place or transfer out, and its owner can save it', () => {
  const desk = long()
  quotes(desk, [], [])
  desk.prices(46_500, 2_500)
  assert.equal(desk.account('alice', btcusdt).state, 'liquidating')
  desk.borrow('alice', 'USDT', '1', btcusdt).isRefused('ACCOUNT_LIQUIDATING')
  desk.leave('alice', 'BTC', '0.1', btcusdt).isRefused('ACCOUNT_LIQUIDATING')
  desk.world
    .place('alice', { side: 'sell', price: 46_500, lots: 1, margin: { account: 'margin-isolated', borrow: 'none' } })
    .isRefused('ACCOUNT_LIQUIDATING')
  desk.world.gives('alice', 'USDT', '20000')
  const saved = desk.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
  assert.deepEqual(
    saved.of('margin.level').map(({ state }) => state),
    ['safe'],
  )
  desk.repay('alice', 'USDT', '10000', btcusdt).isAccepted()
  desk.borrow('alice', 'USDT', '1', btcusdt).isAccepted()
  desk.world.isReplayable()
})

test('MARGIN-LIQ-009: an order that waits to be cancelled by a liquidation can’t be amended', () => {
  const desk = long()
  const { world } = desk
  desk.prices(47_300, 2_500)
  const { order } = world
    .place('alice', { side: 'sell', price: 50_000, lots: 100, margin: { account: 'margin-isolated', borrow: 'none' } })
    .isAccepted()
  const [first, ...rest] = terms.tiers
  world.do({ type: 'margin.setTerms', terms: { ...terms, tiers: [{ ...first, liquidationPpm: 1_060_000 }, ...rest] } }).isAccepted()
  assert.equal(desk.account('alice', btcusdt).state, 'liquidating')
  world.amend('alice', order, { price: 49_900 }).isRefused('ACCOUNT_LIQUIDATING')
  world.cancel('alice', order).isAccepted()
  world.isReplayable()
})

test('MARGIN-LIQ-010: one command takes at most sixteen liquidation steps, and the clock continues', () => {
  const desk = open().user('mm', { BTC: '1000', USDT: '100000000' })
  const names = Array.from({ length: 40 }, (_, n) => `user${n}`)
  quotes(desk, [[49_900, 10_000]], [[50_000, 20_000]])
  for (const name of names) {
    desk.user(name, { USDT: '1000' }).enter(name, 'USDT', '1000', btcusdt).isAccepted()
    desk.world.place(name, { side: 'buy', price: 50_000, lots: 190, margin: { account: 'margin-isolated', borrow: 'both' } }).isAccepted()
  }
  quotes(desk, [[46_500, 100_000]], [])
  const told = desk.prices(46_500, 2_500)
  assert.equal(told.of('margin.liquidated').length, 16)
  assert.equal(desk.world.exchange.nextDueAtMs, desk.world.atMs)
  // Between the steps the state is complete, so that replay and restore agree.
  desk.world.isReplayable()
  assert.ok(liquidations(desk).length >= 24)
  for (const name of names) assert.notEqual(desk.account(name, btcusdt).state, 'liquidating')
  desk.world.isReplayable()
})

test('MARGIN-LIQ-011: when the fund lacks the owed coin, it buys the coin back with its USDT', () => {
  const desk = open().user('alice', { USDT: '10000' }).user('mm', { BTC: '1000', USDT: '100000000' })
  desk.world.do({ type: 'funds.system', account: 'insurance-margin', asset: 1, amount: units('USDT', '50000') }).isAccepted()
  desk.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
  quotes(desk, [[50_000, 10_000]], [[50_100, 10_000]])
  desk.world
    .place('alice', { side: 'sell', price: 50_000, lots: 1_700, margin: { account: 'margin-isolated', borrow: 'both' } })
    .isAccepted()
  quotes(desk, [], [])
  desk.world.atMs += 360_000
  desk.prices(60_000, 2_500)
  quotes(desk, [], [[60_000, 10_000]])
  const told = desk.prices(60_000, 2_500)
  const steps = [...told.of('margin.liquidated'), ...liquidations(desk)]
  assert.ok(steps.at(-1)!.insured > 0)
  assert.deepEqual([desk.account('alice', btcusdt).debt, desk.system('outside:loans', 'BTC')], [0, 0])
  assert.ok(desk.system('insurance-margin', 'USDT') < units('USDT', '44000'))
  desk.world.isReplayable()
})

test('MARGIN-LIQ-017: an order of a liquidation ends orders of the account’s owner that it meets, in its mode, and trades on', () => {
  const desk = long()
  const { world } = desk
  const price = desk.account('alice', btcusdt).liquidationPrice / 1e8
  quotes(desk, [[47_000, 10_000]], [])
  world.gives('alice', 'USDT', '20000')
  desk.enter('alice', 'USDT', '10000').isAccepted()
  const spot = world.buy('alice', 47_200, 30).isAccepted().order
  const cross = world.buy('alice', 47_100, 20, { margin: { account: 'margin-cross', borrow: 'none' } }).isAccepted().order
  const told = desk.prices(price, 2_500)
  const [step] = told.of('order.accepted')
  assert.deepEqual([step!.selfTrade, step!.margin?.account], ['expire-maker', 'margin-isolated'])
  assert.deepEqual(
    told.of('match.prevented').map(({ type: _, ...match }) => match),
    [
      [spot, 47_200, 30],
      [cross, 47_100, 20],
    ].map(([makerOrder, at, makerLots], n) => ({
      ...{ market: btcusdt, match: n + 1, user: world.user('alice'), mode: 'expire-maker', price: at },
      ...{ makerOrder, makerLots, takerOrder: step!.order, takerLots: 0 },
    })),
  )
  told.closed(spot, 'self-trade').closed(cross, 'self-trade').closed(step!.order, 'filled')
  assert.deepEqual([...new Set(told.of('traded').map((trade) => trade.price))], [47_000])
  // Their money is back, and the account was made safe by the bid of another user.
  assert.deepEqual([desk.spot('alice', 'USDT'), desk.balance('alice', 'USDT').available], [10_000_000_000, 10_000_000_000])
  assert.notEqual(desk.account('alice', btcusdt).state, 'liquidating')
  world.isReplayable()
})

test('MARGIN-LIQ-017: where its owner’s orders are the only ones in the book, the liquidation waits for others; a buy-back ends them, too', () => {
  const desk = long()
  quotes(desk, [], [])
  const price = desk.account('alice', btcusdt).liquidationPrice / 1e8
  desk.world.gives('alice', 'USDT', '10000')
  const list = desk.world.oco('alice', { side: 'buy', lots: 100, limitPrice: 47_100, stopPrice: 55_000 }).isAccepted().order
  const told = desk.prices(price, 2_500).traded()
  told.closed(list + 1, 'self-trade').closed(list + 2, 'oco')
  const [step] = told.of('order.accepted')
  told.closed(step!.order, 'liquidation')
  assert.deepEqual([told.of('margin.liquidated'), desk.account('alice', btcusdt).state], [[], 'liquidating'])
  assert.deepEqual(liquidations(desk), [], 'nothing is left to meet')
  desk.world.isReplayable()

  const short = open().user('alice', { USDT: '10000', BTC: '1' }).user('mm', { BTC: '1000', USDT: '100000000' })
  short.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
  quotes(short, [[50_000, 10_000]], [])
  const sale = { side: 'sell', price: 50_000, lots: 1_700, margin: { account: 'margin-isolated', borrow: 'both' } }
  short.world.place('alice', sale).isAccepted()
  const risen = short.account('alice', btcusdt).liquidationPrice / 1e8
  quotes(short, [], [[Math.round(risen + 30), 10_000]])
  const ask = short.world.sell('alice', Math.round(risen + 10), 50).isAccepted().order
  const bought = short.prices(risen, 2_500).closed(ask, 'self-trade')
  const [match] = bought.of('match.prevented')
  assert.deepEqual([match!.mode, match!.makerOrder, match!.makerLots, match!.takerLots], ['expire-maker', ask, 50, 0])
  assert.ok(bought.of('margin.liquidated').length > 0)
  short.world.isReplayable()
})

test('LEND-QUEUE-001: the repayments of a liquidation pay the lenders in the queue', () => {
  const desk = long()
  desk.withdraw('lender', 'USDT', '1000000').isAccepted()
  const waiting = desk.pool('USDT').queued
  assert.ok(waiting > units('USDT', '84000'))
  quotes(desk, [[46_900, 10_000]], [])
  desk.prices(46_900, 2_500)
  liquidations(desk)
  assert.ok(desk.pool('USDT').queued < waiting - units('USDT', '30000'))
  assert.equal(desk.pool('USDT').liquidity, 0)
  desk.world.isReplayable()
})
