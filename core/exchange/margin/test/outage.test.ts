import assert from 'node:assert/strict'
import { test } from 'node:test'
import { btcusdt, ethusdt, units } from './world.ts'
import { cross, endow, isolated, long, people, quotes, tick } from './stressed.ts'

test('MARGIN-TRANSFER-003: an asset that never had a good index price can’t enter, and one whose price is lost is no collateral', () => {
  const desk = people()
  const { world } = desk
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
  // Without a good price the asset may still enter, but counts for nothing.
  world.do(price(2, false)).isAccepted()
  world.do(enters).isAccepted()
  assert.equal(desk.account('alice').assets, 2_000_000 / 100)
  assert.equal(desk.balance('alice', 'USDT').borrowable, 0)
  world.isReplayable()
})

test('MARGIN-LIQ-012: one coin without a good price does not stop the liquidation of the rest of a cross account', () => {
  const desk = people()
  desk.enter('alice', 'USDT', '20000').isAccepted()
  desk.enter('alice', 'ETH', '0.01').isAccepted()
  quotes(desk, [[49_950, 10_000]], [[50_000, 10_000]])
  desk.world.place('alice', { side: 'buy', price: 50_000, lots: 1_900, ...cross('borrow') }).isAccepted()
  tick(desk, 50_000, true, 2_500, false)
  quotes(desk, [[41_000, 10_000]], [[42_000, 10_000]])
  const told = [tick(desk, 41_100, true, 2_500, false)]
  desk.waits(1_000, (one) => told.push(one))
  assert.ok(told.flatMap((one) => one.of('margin.liquidated')).length > 0, 'the account is liquidated')
  const { debt, assets, state, balances } = desk.account('alice')
  assert.ok(assets > debt && state !== 'liquidating', `${assets} against ${debt}`)
  assert.equal(balances.find(({ asset }) => asset === 3)!.available, units('ETH', '0.01'), 'the coin without a good price is not touched')
  desk.world.isReplayable()
})

test('MARGIN-LIQ-012: an account is not liquidated on a price that is not good, and is assessed when the good price returns', () => {
  const desk = long()
  quotes(desk, [[46_900, 10_000]], [[47_100, 10_000]])
  assert.deepEqual(tick(desk, 46_900, false, 2_500, true).of('margin.level'), [])
  assert.equal(desk.account('alice', btcusdt).levelPpm! > 1_110_000, true, 'its level is that at the last good price')
  desk.world.atMs += 2_000
  const told = tick(desk, 46_900, true, 2_500, true)
  assert.ok(told.of('margin.liquidated').length > 0, 'after a short outage liquidations resume at once')
  desk.world.isReplayable()
})

test('MARGIN-LIQ-013: after an outage of 3 s or more nothing opens for 5 s and nothing is liquidated for 10 s', () => {
  const desk = long()
  quotes(desk, [[46_900, 10_000]], [[47_100, 10_000]])
  tick(desk, 50_000, false, 2_500, true)
  desk.world.atMs += 3_000
  const back = tick(desk, 46_900, true, 2_500, true)
  assert.deepEqual(
    back.of('margin.level').map(({ state }) => state),
    ['watch'],
  )
  desk.borrow('alice', 'USDT', '10', btcusdt).isRefused('NO_INDEX_PRICE')
  desk.leave('alice', 'BTC', '0.001', btcusdt).isRefused('NO_INDEX_PRICE')
  desk.enter('alice', 'USDT', '1', btcusdt).isAccepted()
  desk.world.atMs += 4_999
  desk.borrow('alice', 'USDT', '10', btcusdt).isRefused('NO_INDEX_PRICE')
  desk.world.atMs += 1
  desk.borrow('alice', 'USDT', '10', btcusdt).isRefused('BORROW_LIMIT')
  desk.world.atMs += 4_999
  assert.deepEqual(tick(desk, 46_901, true, 2_500, true).of('margin.liquidated'), [])
  desk.world.isReplayable()
  desk.world.atMs += 1
  assert.ok(tick(desk, 46_900, true, 2_500, true).of('margin.liquidated').length > 0)
  desk.world.isReplayable()
})

test('MARGIN-LIQ-014: a halted market liquidates no account, also for 10 s after a halt of 3 s or more', () => {
  const desk = long()
  quotes(desk, [[46_900, 10_000]], [[47_100, 10_000]])
  const { terms: spot } = desk.world.exchange.listing().markets[0]!
  const halt = (isTrading: boolean) => desk.world.do({ type: 'market.set', market: btcusdt, terms: { ...spot, isTrading } }).isAccepted()
  halt(false)
  assert.deepEqual(
    desk
      .prices(46_900, 2_500)
      .of('margin.level')
      .map(({ state }) => state),
    ['watch'],
  )
  desk.world.atMs += 3_000
  halt(true)
  desk.world.atMs += 9_999
  assert.deepEqual(desk.prices(46_900, 2_500).of('margin.liquidated'), [])
  desk.world.isReplayable()
  desk.world.atMs += 1
  assert.ok(desk.prices(46_900, 2_500).of('margin.liquidated').length > 0)
})

test('MARGIN-ORDER-012: an account with debt can only reduce while a price is not good', () => {
  const desk = long()
  tick(desk, 50_000, false, 2_500, true)
  desk.world.place('alice', { side: 'buy', price: 50_000, lots: 1, ...isolated('borrow') }).isRefused('NO_INDEX_PRICE')
  desk.world
    .place('alice', { side: 'sell', price: 49_950, lots: 100, ...isolated('repay') })
    .isAccepted()
    .traded('49950×100')
  // The spot market itself stays open.
  desk.world.buy('mm', 49_900, 1).isAccepted()
  desk.world.gives('carol', 'USDT', '1000')
  desk.world.buy('carol', 50_000, 1).isAccepted().traded('50000×1')
  desk.world.isReplayable()
})

test('MARGIN-LIQ-015: a liquidation trades no further from the index than the account’s own money covers', () => {
  const desk = long()
  // At 46,900 the level is 1.0496: a step may lose 1 − 1/1.0496, less fees of 0.1 % and 0.5 %, and 0.5 %.
  quotes(desk, [[45_200, 10_000]], [])
  assert.deepEqual(desk.prices(46_900, 2_500).of('margin.liquidated'), [])
  quotes(desk, [[45_300, 10_000]], [])
  const told = [desk.prices(46_900, 2_500)]
  desk.waits(1_000, (one) => told.push(one))
  assert.ok(told.flatMap((one) => one.of('margin.liquidated')).length > 0)
  const { debt, assets } = desk.account('alice', btcusdt)
  assert.ok(assets >= debt)
  desk.world.isReplayable()
})

test('MARGIN-FUND-001: the fund takes over an account whose own money no longer covers it, and reduces it close to the index', () => {
  const desk = long()
  endow(desk, '1000000')
  const fund = desk.system('insurance-margin', 'USDT')
  quotes(desk, [[44_000, 100_000]], [])
  // At 44,500 the level is 0.996: the assets are worth less than the debt.
  assert.deepEqual(desk.prices(44_500, 2_500).of('traded'), [], 'nobody buys at the index, and the friend’s bid below it gets nothing')
  desk.world.isReplayable()
  desk.world.gives('alice', 'USDT', '100000')
  desk.enter('alice', 'USDT', '100000', btcusdt).isRefused('ACCOUNT_LIQUIDATING')
  desk.repay('alice', 'USDT', '1', btcusdt).isRefused('ACCOUNT_LIQUIDATING')
  // The price recovers, and the gain belongs to the fund.
  quotes(desk, [[49_900, 100_000]], [[49_950, 100_000]])
  for (let n = 0; n < 60; n++) {
    desk.user('taker', { BTC: '1' })
    desk.world.sell('taker', 49_900, 1_000).isAccepted()
    desk.prices(50_000, 2_500)
    desk.waits(10_000)
  }
  const { debt, assets, state } = desk.account('alice', btcusdt)
  assert.deepEqual([debt, assets, state], [0, 0, 'safe'])
  assert.ok(desk.system('insurance-margin', 'USDT') > fund + units('USDT', '5000'))
  desk.leave('alice', 'USDT', '1', btcusdt).isRefused('INSUFFICIENT_BALANCE')
  desk.world.isReplayable()
})

test('MARGIN-FUND-002: beyond its caps the fund trades the whole account at once, and no further from the index', () => {
  const desk = long()
  endow(desk, '100000')
  quotes(desk, [[43_500, 100_000]], [])
  const early = [desk.prices(44_500, 2_500)]
  desk.waits(60_000, (one) => early.push(one))
  assert.deepEqual(
    early.flatMap((one) => one.of('traded')),
    [],
    'who bids 2 % below the index, alone in the book, gets nothing',
  )
  desk.world.isReplayable()
  quotes(desk, [[44_100, 100_000]], [])
  const told = [desk.prices(44_500, 2_500)]
  desk.waits(1_000, (one) => told.push(one))
  const steps = told.flatMap((one) => one.of('margin.liquidated'))
  assert.ok(steps.some(({ insured }) => insured > 0))
  assert.deepEqual([desk.account('alice', btcusdt).debt, desk.account('alice', btcusdt).state], [0, 'safe'])
  assert.ok(desk.claim('lender', 'USDT')!.claim >= units('USDT', '1000000'))
  desk.world.isReplayable()
})

test('MARGIN-FUND-001: for each day without a buyer close to the index, the fund goes one percent further from it', () => {
  const desk = long()
  endow(desk, '100000')
  quotes(desk, [[43_500, 100_000]], [])
  desk.prices(44_500, 2_500)
  desk.waits(1_000)
  const day = 86_400_000
  desk.world.atMs += day
  assert.equal(desk.prices(44_500, 2_500).of('traded').length, 0)
  desk.waits(1_000)
  assert.ok(desk.account('alice', btcusdt).debt > 0)
  desk.world.atMs += day
  const told = [desk.prices(44_500, 2_500)]
  desk.waits(1_000, (one) => told.push(one))
  assert.ok(told.flatMap((one) => one.of('traded')).length > 0)
  assert.equal(desk.account('alice', btcusdt).debt, 0)
  desk.world.isReplayable()
})

test('MARGIN-LIQ-012: a small remainder without a good price does not stop the fund, a larger one waits for its price', () => {
  for (const [speck, isPaid] of [
    ['0.003', true],
    ['0.005', false],
  ] as const) {
    const desk = people({})
    endow(desk, '50000')
    desk.enter('alice', 'USDT', '10000').isAccepted()
    desk.enter('alice', 'ETH', speck).isAccepted()
    quotes(desk, [], [[50_000, 10_000]])
    desk.world.buy('alice', 50_000, 780, cross('borrow')).isAccepted()
    quotes(desk, [], [])
    desk.world.atMs += 400_000
    tick(desk, 30_000, true, 2_500, false)
    desk.world.buy('mm', 29_990, 10_000).isAccepted()
    tick(desk, 30_000, true, 2_500, false)
    desk.waits(1_000)
    assert.equal(desk.account('alice').debt === 0, isPaid)
    desk.world.isReplayable()
    tick(desk, 30_000, true, 2_500, true)
    desk.world.atMs += 11_000
    desk.world.buy('mm', 249_000, 100, { market: ethusdt }).isAccepted()
    tick(desk, 30_000, true, 2_500, true)
    desk.waits(1_000)
    assert.deepEqual([desk.account('alice').debt, desk.account('alice').state], [0, 'safe'])
    assert.ok(desk.claim('lender', 'USDT')!.claim >= units('USDT', '1000000'))
    desk.world.isReplayable()
  }
})
