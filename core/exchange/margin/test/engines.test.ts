import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MarketId, UserId } from '../../../protocol/ids.ts'
import type { Told } from '../../test/world.ts'
import { Lever, btcusdt, ethusdt, free, open, terms, units } from './lever.ts'

const cross = (borrow: string): object => ({ margin: { account: 'margin-cross', borrow } })
const isolated = (borrow: string): object => ({ margin: { account: 'margin-isolated', borrow } })

/** A stranger's bids and asks on BTCUSDT: price and lots of 0.001 BTC. */
function quotes(lever: Lever, bids: readonly (readonly [number, number])[], asks: readonly (readonly [number, number])[]): void {
  const { world } = lever
  world.do({ type: 'spot.cancelAll', user: world.user('mm'), clientId: '', market: 0 }).isAccepted()
  for (const [price, lots] of bids) world.buy('mm', price, lots).isAccepted()
  for (const [price, lots] of asks) world.sell('mm', price, lots).isAccepted()
}

function people(changed?: object): Lever {
  return open(changed).user('alice', { USDT: '100000', ETH: '10' }).user('mm', { BTC: '1000', ETH: '1000', USDT: '100000000' })
}

/** Alice is long with almost ten times her 10,000 USDT, isolated. */
function long(changed?: object): Lever {
  const lever = people(changed)
  lever.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
  quotes(lever, [[49_950, 10_000]], [[50_000, 10_000]])
  lever.world.place('alice', { side: 'buy', price: 50_000, lots: 1_900, ...isolated('borrow') }).isAccepted()
  return lever
}

/** Prices of BTC and ETH of which each is good or not. */
function tick(lever: Lever, btc: number, isBtcGood: boolean, eth: number, isEthGood: boolean): Told {
  const price = (market: number, value: number, isGood: boolean) => ({
    market,
    price: Math.round(value * 1e8),
    sources: isGood ? 4 : 2,
    isGood,
  })
  const prices = [price(btcusdt, btc, isBtcGood), price(ethusdt, eth, isEthGood)]
  return lever.world.do({ type: 'index.tick', prices }).isAccepted()
}

function endow(lever: Lever, amount: string): void {
  lever.world.do({ type: 'funds.system', account: 'insurance-margin', asset: 1, amount: units('USDT', amount) }).isAccepted()
}

/** Six minutes without a trade. */
function forget(lever: Lever): void {
  lever.world.atMs += 360_000
  lever.prices(50_000, 2_500)
}

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

test('MARGIN-ORDER-005: four market orders can not bring an account below its border and a cushion, nor its liquidation pay a friend', () => {
  const lever = long()
  endow(lever, '50000')
  const { world } = lever
  world.do({ type: 'spot.cancelAll', user: world.user('mm'), clientId: '', market: 0 }).isAccepted()
  lever.user('friend', { BTC: '1000', USDT: '10000000' })
  const fund = lever.system('insurance-margin', 'USDT')
  // All of it to the friend and back, as far from the index as the market allows.
  for (let n = 0; n < 2; n++) {
    // What was traded is forgotten, so that the market's own reference is the index.
    forget(lever)
    const bid = world.buy('friend', 47_510, 10_000).isAccepted()
    const coins = Math.floor(lever.balance('alice', 'BTC', btcusdt).available / 100_000)
    world.market('alice', 'sell', { lots: Math.max(1, coins), ...isolated('none') })
    world.cancel('friend', bid.order)
    forget(lever)
    const ask = world.sell('friend', 52_490, 10_000).isAccepted()
    const lots = Math.floor(lever.balance('alice', 'USDT', btcusdt).available / 52_500_000)
    world.market('alice', 'buy', { lots: Math.max(1, lots), ...isolated('none') })
    world.cancel('friend', ask.order)
    const { levelPpm } = lever.account('alice', btcusdt)
    assert.ok(levelPpm! > 1_050_000, `${levelPpm} after ${n}`)
  }
  forget(lever)
  world.buy('friend', 47_510, 10_000).isAccepted()
  for (const price of [50_000, 49_500, 49_000, 48_500]) {
    lever.prices(price, 2_500)
    lever.waits(1_000)
  }
  assert.ok(lever.system('insurance-margin', 'USDT') >= fund, 'the fund pays nothing')
  const { debt, assets } = lever.account('alice', btcusdt)
  assert.ok(assets >= debt)
  world.isReplayable()
})

test('MARGIN-ORDER-005: a market order is brought in to the last price after which the account is well enough', () => {
  const lever = people()
  lever.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
  lever.borrow('alice', 'USDT', '84000', btcusdt).isAccepted()
  // 94,000 against 84,000: 1.78 BTC may cost 4,120 more than they are worth before 1.07.
  quotes(
    lever,
    [],
    [
      [50_500, 400],
      [51_000, 400],
      [52_400, 10_000],
    ],
  )
  const told = lever.world.market('alice', 'buy', { lots: 1_780, ...isolated('none') }).isAccepted()
  told.traded('50500×400', '51000×400')
  assert.ok(lever.account('alice', btcusdt).levelPpm! >= 1_070_000)
  lever.world.isReplayable()
})

test('MARGIN-ORDER-005: an order that reduces needs no cushion, and stops at the bankruptcy price', () => {
  const lever = long()
  quotes(lever, [[40_500, 10_000]], [])
  lever.prices(47_200, 2_500)
  // 1.055: nothing opens any more.
  assert.ok(lever.account('alice', btcusdt).levelPpm! < 1_070_000)
  lever.world.place('alice', { side: 'buy', price: 47_200, lots: 1, ...isolated('borrow') }).isRefused('BORROW_LIMIT')
  lever.world.place('alice', { side: 'sell', price: 44_000, lots: 1_000, ...isolated('repay') }).isRefused('MARGIN_LEVEL_LOW')
  quotes(lever, [[45_200, 10_000]], [])
  const level = lever.account('alice', btcusdt).levelPpm!
  lever.world
    .place('alice', { side: 'sell', price: 45_200, lots: 1_000, ...isolated('repay') })
    .isAccepted()
    .traded('45200×1000')
  assert.ok(lever.account('alice', btcusdt).levelPpm! >= level - 2_000)
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

test('MARGIN-POOL-001: a user owes at most a quarter of a pool, all accounts together', () => {
  const lever = open({ ...free, userSharePpm: terms.userSharePpm }).user('alice', { USDT: '600000' })
  lever.enter('alice', 'USDT', '300000').isAccepted()
  lever.enter('alice', 'USDT', '300000', btcusdt).isAccepted()
  lever.borrow('alice', 'USDT', '200000').isAccepted()
  const { borrowable } = lever.balance('alice', 'USDT', btcusdt)
  assert.ok(borrowable > units('USDT', '49990') && borrowable < units('USDT', '50000'), `${borrowable}`)
  const loan = { type: 'margin.borrow', user: lever.world.user('alice'), clientId: '', market: btcusdt, asset: 1 }
  lever.world.do({ ...loan, amount: borrowable + 1 }).isRefused('POOL_SHARE_LIMIT')
  lever.world.do({ ...loan, amount: borrowable }).isAccepted()
  lever.world.isReplayable()
})

test('MARGIN-BORROW-005: loans and supplies are worth 10 USDT or more, and loans for orders are raised to it', () => {
  const lever = open({}).user('alice', { USDT: '1000', BTC: '1' }).user('mm', { BTC: '10', USDT: '10000' })
  lever.enter('alice', 'USDT', '100').isAccepted()
  lever.borrow('alice', 'USDT', '9.999999').isRefused('AMOUNT_TOO_SMALL')
  lever.borrow('alice', 'BTC', '0.00019999').isRefused('AMOUNT_TOO_SMALL')
  lever.supply('alice', 'USDT', '9.999999').isRefused('AMOUNT_TOO_SMALL')
  lever.supply('alice', 'USDT', '10').isAccepted()
  lever.world.sell('mm', 51_000, 2).isAccepted()
  const told = lever.world.buy('alice', 51_000, 2, cross('borrow')).isAccepted()
  assert.deepEqual(
    told
      .of('margin.loan')
      .filter(({ cause }) => cause !== 'interest')
      .map(({ cause, delta }) => [cause, delta]),
    [['auto-borrow', units('USDT', '10')]],
  )
  assert.equal(lever.balance('alice', 'USDT').available, units('USDT', '8'))
  lever.world.isReplayable()
})

test('MARGIN-WEIGHT-001: coins count for a part of their value in a cross account that borrows, opens or gives, and in full when it is liquidated', () => {
  const lever = open({}).user('alice', { BTC: '1', USDT: '20000' }).user('mm', { BTC: '1000', USDT: '100000000' })
  lever.enter('alice', 'BTC', '1').isAccepted()
  // 50,000 of BTC count for 47,500: at 1.25 that carries 190,000 of USDT.
  const { borrowable } = lever.balance('alice', 'USDT')
  assert.ok(borrowable > units('USDT', '189900') && borrowable < units('USDT', '190000'), `${borrowable}`)
  lever.borrow('alice', 'USDT', '40000').isAccepted()
  assert.equal(lever.account('alice').assets, units('USDT', '90000'))
  // Buying BTC with all of it leaves 90,000 × 0.95.
  lever.world.sell('mm', 50_000, 10_000).isAccepted()
  lever.world.buy('alice', 50_000, 800, cross('none')).isAccepted().traded('50000×800')
  lever.world.isReplayable()
  // In an isolated account all counts in full.
  lever.enter('alice', 'USDT', '10000', ethusdt).isAccepted()
  assert.ok(lever.balance('alice', 'ETH', ethusdt).borrowable > units('ETH', '35.9'))
})

test('MARGIN-WEIGHT-001: an order that leaves a cross account below its border for loans by weights is refused', () => {
  const lever = open({}).user('alice', { USDT: '10000' }).user('mm', { BTC: '1000', USDT: '100000000' })
  lever.enter('alice', 'USDT', '10000').isAccepted()
  lever.borrow('alice', 'USDT', '39000').isAccepted()
  lever.world.sell('mm', 50_000, 10_000).isAccepted()
  // 49,000 × 0.95 ÷ 39,000 is 1.19.
  lever.world.buy('alice', 50_000, 980, cross('none')).isRefused('MARGIN_LEVEL_LOW')
  lever.world.buy('alice', 50_000, 50, cross('none')).isAccepted()
  lever.world.isReplayable()
})

test('MARGIN-TERMS-002: the new terms are changed by a command, and kept by a dump', () => {
  const lever = open({})
  const changed = { ...terms, cushionPpm: 30_000, userSharePpm: 100_000, loanMin: 20_000_000, weightPpm: 700_000, weights: [] }
  lever.world.do({ type: 'margin.setTerms', terms: changed }).isAccepted()
  assert.deepEqual(lever.world.exchange.marginTerms(), changed)
  lever.world.isReplayable()
  lever.world.do({ type: 'margin.setTerms', terms: { ...terms, cushionPpm: 900_000 } }).isRefused('FIELD_INVALID')
  assert.ok(free.weightPpm === 1_000_000)
})

test('MARGIN-ORDER-013: what an order at the index may borrow is what the account says, to a lot', () => {
  for (const [market, account, perLot] of [
    [0, cross('borrow'), 50_000_000],
    [btcusdt, isolated('borrow'), 50_000_000],
  ] as const) {
    const lever = open({}).user('alice', { USDT: '10000' }).user('mm', { BTC: '1000' })
    const { world } = lever
    lever.enter('alice', 'USDT', '10000', market).isAccepted()
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

test('MARGIN-ORDER-005: a market order by amount is judged by what it moves', () => {
  const lever = people({})
  const { world } = lever
  lever.enter('alice', 'USDT', '10000').isAccepted()
  quotes(lever, [], [[50_000, 10_000]])
  const spends = (usdt: string): Told =>
    world.place('alice', { side: 'buy', orderType: 'market', timeInForce: 'IOC', spend: units('USDT', usdt), ...cross('borrow') })
  assert.ok(spends('30000').isAccepted().of('traded').length > 0)
  spends('60000').isRefused('BORROW_LIMIT')
  world.isReplayable()
})

test('MARGIN-ORDER-005: an impossible size is refused before anything is worked out with it', () => {
  const lever = long({})
  for (const lots of [-(2 ** 53 - 1), 2 ** 53 - 1, 0]) {
    for (const side of ['buy', 'sell'] as const) {
      const order = { side, orderType: 'market', timeInForce: 'IOC', lots, ...isolated('borrow') }
      assert.match(String(lever.world.place('alice', order).outcome.refusal), /QUANTITY/)
    }
  }
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
