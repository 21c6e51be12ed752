import assert from 'node:assert/strict'
import { test } from 'node:test'
import { btcusdt, ethusdt, units } from './lever.ts'
import { cross, endow, isolated, long, people, quotes, tick } from './stressed.ts'

test('MARGIN-TRANSFER-003: what never had a good index price can not enter, and shields nothing', () => {
  const lever = people()
  const { world } = lever
  const terms = { makerFeePpm: 1000, takerFeePpm: 1000, notionalMin: 5_000_000, lotsMin: 1, lotsMax: 1_000_000_000 }
  const rest = { bandPpm: 200_000, slippagePpm: 50_000, openOrdersMax: 200, isTrading: true }
  world.do({ type: 'asset.list', symbol: 'DUST', scale: 2 }).isAccepted()
  world
    .do({ type: 'market.list', symbol: 'DUSTUSDT', base: 4, quote: 1, tick: '0.01', lot: '1', terms: { ...terms, ...rest } })
    .isAccepted()
  world.do({ type: 'funds.faucet', user: world.user('alice'), clientId: '', asset: 4, amount: 100 }).isAccepted()
  const enters = { type: 'funds.transfer', user: world.user('alice'), clientId: '', asset: 4, amount: 1, from: 'spot', to: 'margin-cross' }
  world.do(enters).isRefused('ASSET_NOT_IN_ACCOUNT')
  const price = (sources: number, isGood: boolean) => ({ type: 'index.tick', prices: [{ market: 4, price: 1e8, sources, isGood }] })
  world.do(price(2, false)).isAccepted()
  world.do(enters).isRefused('ASSET_NOT_IN_ACCOUNT')
  world.do(price(4, true)).isAccepted()
  world.do(enters).isAccepted()
  // Its price is lost: it may still come in, and counts for nothing.
  world.do(price(2, false)).isAccepted()
  world.do(enters).isAccepted()
  assert.equal(lever.account('alice').assets, 2_000_000 / 100)
  assert.equal(lever.balance('alice', 'USDT').borrowable, 0)
  world.isReplayable()
})

test('MARGIN-LIQ-012: one coin without a good price does not keep the rest of a cross account from its liquidation', () => {
  const lever = people()
  lever.enter('alice', 'USDT', '20000').isAccepted()
  lever.enter('alice', 'ETH', '0.01').isAccepted()
  quotes(lever, [[49_950, 10_000]], [[50_000, 10_000]])
  lever.world.place('alice', { side: 'buy', price: 50_000, lots: 1_900, ...cross('borrow') }).isAccepted()
  tick(lever, 50_000, true, 2_500, false)
  quotes(lever, [[41_000, 10_000]], [[42_000, 10_000]])
  const told = [tick(lever, 41_100, true, 2_500, false)]
  lever.waits(1_000, (one) => told.push(one))
  assert.ok(told.flatMap((one) => one.of('margin.liquidated')).length > 0, 'it is liquidated')
  const { debt, assets, state, balances } = lever.account('alice')
  assert.ok(assets > debt && state !== 'liquidating', `${assets} against ${debt}`)
  assert.equal(balances.find(({ asset }) => asset === 3)!.available, units('ETH', '0.01'), 'what has no good price is not touched')
  lever.world.isReplayable()
})

test('MARGIN-LIQ-012: an account whose only risk is in prices that are not good waits, and is judged when they return', () => {
  const lever = long()
  quotes(lever, [[46_900, 10_000]], [[47_100, 10_000]])
  assert.deepEqual(tick(lever, 46_900, false, 2_500, true).of('margin.level'), [])
  assert.equal(lever.account('alice', btcusdt).levelPpm! > 1_110_000, true, 'it stands at the last good price')
  lever.world.atMs += 2_000
  const told = tick(lever, 46_900, true, 2_500, true)
  assert.ok(told.of('margin.liquidated').length > 0, 'a short outage is over at once')
  lever.world.isReplayable()
})

test('MARGIN-LIQ-013: after an outage of 3 s or more nothing opens for 5 s and nothing is liquidated for 10 s', () => {
  const lever = long()
  quotes(lever, [[46_900, 10_000]], [[47_100, 10_000]])
  tick(lever, 50_000, false, 2_500, true)
  lever.world.atMs += 3_000
  const back = tick(lever, 46_900, true, 2_500, true)
  assert.deepEqual(
    back.of('margin.level').map(({ state }) => state),
    ['watch'],
  )
  lever.borrow('alice', 'USDT', '10', btcusdt).isRefused('NO_INDEX_PRICE')
  lever.leave('alice', 'BTC', '0.001', btcusdt).isRefused('NO_INDEX_PRICE')
  lever.enter('alice', 'USDT', '1', btcusdt).isAccepted()
  lever.world.atMs += 4_999
  lever.borrow('alice', 'USDT', '10', btcusdt).isRefused('NO_INDEX_PRICE')
  lever.world.atMs += 1
  lever.borrow('alice', 'USDT', '10', btcusdt).isRefused('BORROW_LIMIT')
  lever.world.atMs += 4_999
  assert.deepEqual(tick(lever, 46_901, true, 2_500, true).of('margin.liquidated'), [])
  lever.world.isReplayable()
  lever.world.atMs += 1
  assert.ok(tick(lever, 46_900, true, 2_500, true).of('margin.liquidated').length > 0)
  lever.world.isReplayable()
})

test('MARGIN-LIQ-014: a halted market liquidates nobody, nor for 10 s after a halt of 3 s or more', () => {
  const lever = long()
  quotes(lever, [[46_900, 10_000]], [[47_100, 10_000]])
  const { terms: spot } = lever.world.exchange.listing().markets[0]!
  const halt = (isTrading: boolean) => lever.world.do({ type: 'market.set', market: btcusdt, terms: { ...spot, isTrading } }).isAccepted()
  halt(false)
  assert.deepEqual(
    lever
      .prices(46_900, 2_500)
      .of('margin.level')
      .map(({ state }) => state),
    ['watch'],
  )
  lever.world.atMs += 3_000
  halt(true)
  lever.world.atMs += 9_999
  assert.deepEqual(lever.prices(46_900, 2_500).of('margin.liquidated'), [])
  lever.world.isReplayable()
  lever.world.atMs += 1
  assert.ok(lever.prices(46_900, 2_500).of('margin.liquidated').length > 0)
})

test('MARGIN-ORDER-012: with a price that is not good an account that owes only reduces', () => {
  const lever = long()
  tick(lever, 50_000, false, 2_500, true)
  lever.world.place('alice', { side: 'buy', price: 50_000, lots: 1, ...isolated('borrow') }).isRefused('NO_INDEX_PRICE')
  lever.world
    .place('alice', { side: 'sell', price: 49_950, lots: 100, ...isolated('repay') })
    .isAccepted()
    .traded('49950×100')
  // The spot market itself goes on.
  lever.world.buy('mm', 49_900, 1).isAccepted()
  lever.world.gives('carol', 'USDT', '1000')
  lever.world.buy('carol', 50_000, 1).isAccepted().traded('50000×1')
  lever.world.isReplayable()
})

test('MARGIN-LIQ-015: a liquidation never trades worse than the account’s own money covers', () => {
  const lever = long()
  // 46,900 is 1.0496: it may lose 1 − 1/1.0496 less 0.1 %, 0.5 % and 0.5 %.
  quotes(lever, [[45_200, 10_000]], [])
  assert.deepEqual(lever.prices(46_900, 2_500).of('margin.liquidated'), [])
  quotes(lever, [[45_300, 10_000]], [])
  const told = [lever.prices(46_900, 2_500)]
  lever.waits(1_000, (one) => told.push(one))
  assert.ok(told.flatMap((one) => one.of('margin.liquidated')).length > 0)
  const { debt, assets } = lever.account('alice', btcusdt)
  assert.ok(assets >= debt)
  lever.world.isReplayable()
})

test('MARGIN-FUND-001: the fund takes over what its owner’s money no longer covers, and works it off beside the index', () => {
  const lever = long()
  endow(lever, '1000000')
  const fund = lever.system('insurance-margin', 'USDT')
  quotes(lever, [[44_000, 100_000]], [])
  // 44,500 is 0.996: below what is owed.
  assert.deepEqual(lever.prices(44_500, 2_500).of('traded'), [], 'nobody buys at the index, and the friend below it gets nothing')
  lever.world.isReplayable()
  lever.world.gives('alice', 'USDT', '100000')
  lever.enter('alice', 'USDT', '100000', btcusdt).isRefused('ACCOUNT_LIQUIDATING')
  lever.repay('alice', 'USDT', '1', btcusdt).isRefused('ACCOUNT_LIQUIDATING')
  // The price comes back: what is gained is the fund's.
  quotes(lever, [[49_900, 100_000]], [[49_950, 100_000]])
  for (let n = 0; n < 60; n++) {
    lever.user('taker', { BTC: '1' })
    lever.world.sell('taker', 49_900, 1_000).isAccepted()
    lever.prices(50_000, 2_500)
    lever.waits(10_000)
  }
  const { debt, assets, state } = lever.account('alice', btcusdt)
  assert.deepEqual([debt, assets, state], [0, 0, 'safe'])
  assert.ok(lever.system('insurance-margin', 'USDT') > fund + units('USDT', '5000'))
  lever.leave('alice', 'USDT', '1', btcusdt).isRefused('INSUFFICIENT_BALANCE')
  lever.world.isReplayable()
})

test('MARGIN-FUND-002: beyond its caps the fund takes over without patience: all at once, and no worse beside the index', () => {
  const lever = long()
  endow(lever, '100000')
  quotes(lever, [[43_500, 100_000]], [])
  const early = [lever.prices(44_500, 2_500)]
  lever.waits(60_000, (one) => early.push(one))
  assert.deepEqual(
    early.flatMap((one) => one.of('traded')),
    [],
    'who bids 2 % below the index, alone in the book, gets nothing',
  )
  lever.world.isReplayable()
  quotes(lever, [[44_100, 100_000]], [])
  const told = [lever.prices(44_500, 2_500)]
  lever.waits(1_000, (one) => told.push(one))
  const steps = told.flatMap((one) => one.of('margin.liquidated'))
  assert.ok(steps.some(({ insured }) => insured > 0))
  assert.deepEqual([lever.account('alice', btcusdt).debt, lever.account('alice', btcusdt).state], [0, 'safe'])
  assert.ok(lever.claim('lender', 'USDT')!.claim >= units('USDT', '1000000'))
  lever.world.isReplayable()
})

test('MARGIN-FUND-001: for each day that nobody buys beside the index the fund goes a percent further', () => {
  const lever = long()
  endow(lever, '100000')
  quotes(lever, [[43_500, 100_000]], [])
  lever.prices(44_500, 2_500)
  lever.waits(1_000)
  const day = 86_400_000
  lever.world.atMs += day
  assert.equal(lever.prices(44_500, 2_500).of('traded').length, 0)
  lever.waits(1_000)
  assert.ok(lever.account('alice', btcusdt).debt > 0)
  lever.world.atMs += day
  const told = [lever.prices(44_500, 2_500)]
  lever.waits(1_000, (one) => told.push(one))
  assert.ok(told.flatMap((one) => one.of('traded')).length > 0)
  assert.equal(lever.account('alice', btcusdt).debt, 0)
  lever.world.isReplayable()
})

test('MARGIN-LIQ-012: a speck of a coin without a good price keeps the fund from nothing, more of it waits for its price', () => {
  for (const [speck, isPaid] of [
    ['0.003', true],
    ['0.005', false],
  ] as const) {
    const lever = people({})
    endow(lever, '50000')
    lever.enter('alice', 'USDT', '10000').isAccepted()
    lever.enter('alice', 'ETH', speck).isAccepted()
    quotes(lever, [], [[50_000, 10_000]])
    lever.world.buy('alice', 50_000, 780, cross('borrow')).isAccepted()
    quotes(lever, [], [])
    lever.world.atMs += 400_000
    tick(lever, 30_000, true, 2_500, false)
    lever.world.buy('mm', 29_990, 10_000).isAccepted()
    tick(lever, 30_000, true, 2_500, false)
    lever.waits(1_000)
    assert.equal(lever.account('alice').debt === 0, isPaid)
    lever.world.isReplayable()
    tick(lever, 30_000, true, 2_500, true)
    lever.world.atMs += 11_000
    lever.world.buy('mm', 249_000, 100, { market: ethusdt }).isAccepted()
    tick(lever, 30_000, true, 2_500, true)
    lever.waits(1_000)
    assert.deepEqual([lever.account('alice').debt, lever.account('alice').state], [0, 'safe'])
    assert.ok(lever.claim('lender', 'USDT')!.claim >= units('USDT', '1000000'))
    lever.world.isReplayable()
  }
})
