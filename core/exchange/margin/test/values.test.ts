/** Values of margin accounts, computed from a state with chosen prices and debts: no rate or fee blurs a figure. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexPrice, Units } from '../../../money/brand.ts'
import type { AssetId, MarketId, UserId } from '../../../protocol/ids.ts'
import { restoreState } from '../../dump.ts'
import type { State } from '../../state/state.ts'
import { Debt } from '../records/account.ts'
import type { Account } from '../records/account.ts'
import * as value from '../rules/value.ts'
import { btcusdt, ethbtc, ethusdt, open, units } from './world.ts'
import type { MarginWorld } from './world.ts'

const [usdt, btc, eth] = [1 as AssetId, 2 as AssetId, 3 as AssetId]
const spot = { makerFeePpm: 1000, takerFeePpm: 1000, notionalMin: 5_000_000, lotsMin: 1, lotsMax: 1_000_000_000 }
const rest = { bandPpm: 200_000, slippagePpm: 50_000, openOrdersMax: 200, isTrading: true }
const margin = (account: string): object => ({ margin: { account, borrow: 'none' } })

/** Alice has 3,000 USDT, 1 BTC and 2 ETH in each account that can have them. BTC is worth 50,000 and ETH 2,500. */
function world(changed?: object): MarginWorld {
  const desk = open(changed).user('alice', { USDT: '9000', BTC: '3', ETH: '6' })
  for (const market of [0, btcusdt]) {
    desk.enter('alice', 'USDT', '3000', market).isAccepted()
    desk.enter('alice', 'BTC', '1', market).isAccepted()
  }
  desk.enter('alice', 'ETH', '2').isAccepted()
  return desk
}

/** The state, and alice's account of a market with these debts: asset, principal and interest. */
function stateOf(desk: MarginWorld, market = 0, debts: readonly (readonly [AssetId, number, number])[] = []) {
  const x = restoreState(desk.world.exchange.dump())
  const account = x.margin.account(desk.world.user('alice') as UserId, market as MarketId)
  for (const debt of debts) owes(x, account, ...debt)
  return { x, account }
}

function owes(x: State, account: Account, asset: AssetId, principal: number, interest: number): void {
  const debt = new Debt(asset, x.margin.hour)
  debt.principal = principal as Units
  debt.interest = interest as Units
  account.debts.push(debt)
}

function price(x: State, asset: AssetId, at: number): void {
  x.margin.prices[asset]!.last = at as IndexPrice
}

/** The price of an asset is no longer good. */
function lose(x: State, asset: AssetId): void {
  x.margin.prices[asset]!.outage.begin(x.atMs)
}

test('MARGIN-TRANSFER-001: an account may hold a market’s two assets, or all with a price in USDT, also those listed later', () => {
  const desk = world()
  const { world: inner } = desk
  inner
    .do({ type: 'market.list', symbol: 'BTCETH', base: 2, quote: 3, tick: '0.01', lot: '0.001', terms: { ...spot, ...rest } })
    .isAccepted()
  const { x } = stateOf(desk)
  const of = (state: State, market: number): readonly number[] => value.assetsOf(state, market as MarketId)
  assert.deepEqual(
    [of(x, 0), of(x, btcusdt), of(x, ethbtc), of(x, 4)],
    [
      [1, 2, 3],
      [1, 2],
      [2, 3],
      [2, 3],
    ],
  )
  assert.equal(of(x, 0), of(x, 0), 'the list is computed once')
  assert.deepEqual(
    [usdt, btc, eth].map((asset) => value.isPriced(x, asset)),
    [true, true, true],
  )
  // DUST has no market in USDT at first.
  inner.do({ type: 'asset.list', symbol: 'DUST', scale: 2 }).isAccepted()
  const poor = stateOf(desk).x
  assert.deepEqual([of(poor, 0), value.isPriced(poor, 4 as AssetId)], [[1, 2, 3], false])
  // The list of a state that gets an asset and its market at once is computed again.
  const [asset, venue] = [{ id: 4 as AssetId, symbol: 'DUST', scale: 2 }, poor.venues[btcusdt]!]
  x.assets.push(asset)
  x.usdtVenues[4] = venue
  x.venues.push(venue)
  assert.deepEqual(of(x, 0), [1, 2, 3, 4])
})

test('MARGIN-LEVEL-001: a price turns units into USDT units by scale, and an asset without one counts as nothing', () => {
  const { x, account } = stateOf(world())
  assert.deepEqual(value.indexValue(x, usdt), { price: 100_000_000, divisor: 100_000_000 })
  assert.deepEqual(value.indexValue(x, btc), { price: 5_000_000_000_000, divisor: 10_000_000_000 })
  assert.deepEqual(value.indexValue(x, 4 as AssetId), { price: 0, divisor: 1 })
  // 3 units of 1e-8 BTC are worth 1,500.0009 USDT units at 50,000.03.
  price(x, btc, 5_000_003_000_000)
  assert.equal(value.valueIn(x, btc, 3 as Units), 1500)
  assert.equal(value.valueIn(x, usdt, 7 as Units), 7)
  assert.deepEqual(
    [usdt, btc, eth].map((asset) => value.unitsOf(x, account, asset)),
    [3_000_000_000, 100_000_000, 200_000_000],
  )
})

test('MARGIN-LEVEL-001: the level divides all assets, held ones included, by all debts with their interest', () => {
  const desk = world()
  desk.world.sell('alice', 60_000, 100, margin('margin-cross')).isAccepted()
  // 3,000 + 50,000 + 5,000 against 20,000 and 1 ETH with 0.2 interest: 58,000 ÷ 23,000.
  const { x, account } = stateOf(desk, 0, [
    [usdt, 20_000_000_000, 0],
    [eth, 100_000_000, 20_000_000],
  ])
  assert.equal(desk.balance('alice', 'BTC').held, units('BTC', '0.1'))
  assert.deepEqual(value.worth(x, account), { assets: 58_000_000_000, debt: 23_000_000_000, level: 2_521_739 })
  // Assets are rounded down and debts up: 1e8 units at 0.0000333333 more are worth 33.3333 more, 1.2e8 units 4.0 more.
  price(x, btc, 5_000_000_003_333)
  price(x, eth, 250_000_003_333)
  const { assets, debt } = value.worth(x, account)
  assert.deepEqual([assets, debt], [58_000_000_033 + 66, 23_000_000_040])
})

test('MARGIN-LEVEL-001: an account without debt loses nothing by its orders, and an empty one has no level', () => {
  const desk = world()
  desk.world.sell('alice', 45_000, 100, margin('margin-cross')).isAccepted()
  const { x, account } = stateOf(desk)
  const most = 2 ** 52
  assert.deepEqual(value.worth(x, account), { assets: 58_000_000_000, debt: 0, level: most })
  assert.deepEqual(value.wanted(x, account), { assets: 58_000_000_000, debt: 0, level: most })
  const empty = x.margin.account(desk.world.user('lender') as UserId, 0 as MarketId)
  assert.deepEqual([value.worth(x, empty).assets, value.isBare(x, empty), value.isBare(x, account)], [0, true, false])
})

test('MARGIN-WEIGHT-001: for its owner’s actions coins count by weight, lost prices as nothing, and debts in them a tenth more', () => {
  const desk = world({})
  desk.world.sell('alice', 45_000, 100, margin('margin-cross')).isAccepted()
  const { x, account } = stateOf(desk, 0, [
    [usdt, 20_000_000_000, 0],
    [btc, 10_000_000, 0],
  ])
  // The order gives 0.1 BTC for 4,500: 5,000 less 4,500 in full; by weight 4,750 less 4,500.
  assert.deepEqual(value.worth(x, account), { assets: 57_500_000_000, debt: 25_000_000_000, level: 2_300_000 })
  // 3,000 + 55,000 × 0.95 − 250.
  assert.deepEqual(value.wanted(x, account), { assets: 55_000_000_000, debt: 25_000_000_000, level: 2_200_000 })
  assert.deepEqual(value.accountValue(x, account), {
    assets: 57_500_000_000,
    debt: 25_000_000_000,
    wantedAssets: 55_000_000_000,
    wantedDebt: 25_000_000_000,
  })
  lose(x, btc)
  // BTC counts as nothing; the order brings in 4,500 for nothing and loses nothing. 0.1 BTC of debt count 5,500.
  assert.deepEqual(value.wanted(x, account), { assets: 7_750_000_000, debt: 25_500_000_000, level: 303_921 })
  assert.equal(value.worth(x, account).level, 2_300_000, 'the liquidation test keeps the last good price')
  assert.deepEqual(
    [btc, eth, usdt].map((asset) => value.wantedWeight(x, account, asset)),
    [0, 950_000, 1_000_000],
  )
})

test('MARGIN-WEIGHT-001: in an isolated account everything with a good price counts in full', () => {
  const { x, account } = stateOf(world({}), btcusdt, [[usdt, 50_000_000_000, 0]])
  assert.deepEqual(value.wanted(x, account), { assets: 53_000_000_000, debt: 50_000_000_000, level: 1_060_000 })
  assert.equal(value.wantedWeight(x, account, btc), 1_000_000)
  const { open: opens, liquidation } = value.thresholdsOf(x, account, 50_000_000_000 as Units)
  const cross = value.thresholdsOf(x, x.margin.account(account.user, 0 as MarketId), 50_000_000_000 as Units)
  assert.deepEqual([opens > liquidation, cross.open, cross.leave], [true, 1_250_000, 2_000_000])
})

test('MARGIN-LEVEL-001: orders lose what they give beyond what they bring in; sleeping ones and gains count nothing', () => {
  const desk = world()
  const { world: inner } = desk
  inner.prints(50_000)
  const flags = margin('margin-cross')
  // Two sells above the index gain, a buy of 0.05 ETH at 3,000 loses 25, and the last order sleeps.
  inner.sell('alice', 51_000, 100, flags).isAccepted()
  inner.sell('alice', 60_000, 100, flags).isAccepted()
  inner.buy('alice', 300_000, 50, { market: ethusdt, ...flags }).isAccepted()
  inner.sell('alice', 40_000, 100, { trigger: { kind: 'stop', price: 45_000, direction: 'falls-to' }, ...flags }).isAccepted()
  const { x, account } = stateOf(desk, 0, [[usdt, 20_000_000_000, 0]])
  assert.equal(account.orders.size, 4)
  assert.equal(value.worth(x, account).assets, 58_000_000_000 - 25_000_000)
  // At 56,000 the sell at 51,000 loses 500 as well: 0.1 BTC.
  price(x, btc, 5_600_000_000_000)
  assert.equal(value.worth(x, account).assets, 64_000_000_000 - 25_000_000 - 500_000_000)
})

test('MARGIN-POOL-001: a user’s debt in an asset is that of all accounts, principal and interest', () => {
  const { x, account } = stateOf(world(), 0, [
    [usdt, 100, 20],
    [btc, 3, 0],
  ])
  owes(x, x.margin.account(account.user, btcusdt), usdt, 4000, 500)
  assert.equal(value.owedByCustomer(x, account.user, usdt), 4620)
  assert.equal(value.owedByCustomer(x, account.user, btc), 3)
  assert.equal(value.owedByCustomer(x, account.user, eth), 0)
  assert.equal(value.owedOf(account, usdt), 120)
})

test('MARGIN-BORROW-002: one asset stands against the value of all others, each as its owner’s actions count it', () => {
  const { x, account } = stateOf(world({}), 0, [
    [usdt, 20_000_000_000, 0],
    [btc, 10_000_000, 0],
  ])
  lose(x, btc)
  const holds = (asset: AssetId) => value.holding(x, account, asset, value.wanted(x, account))
  // USDT: the others are 2 ETH × 0.95 and a debt of 0.1 BTC at 55,000.
  assert.deepEqual(holds(usdt), {
    price: 100_000_000,
    divisor: 100_000_000,
    weightPpm: 1_000_000,
    debtPrice: 100_000_000,
    units: 3_000_000_000,
    owed: 20_000_000_000,
    otherAssets: 4_750_000_000,
    otherDebt: 5_500_000_000,
  })
  // BTC without a good price has no weight, and is owed at a tenth more.
  assert.deepEqual(holds(btc), {
    price: 5_000_000_000_000,
    divisor: 10_000_000_000,
    weightPpm: 0,
    debtPrice: 5_500_000_000_000,
    units: 100_000_000,
    owed: 10_000_000,
    otherAssets: 7_750_000_000,
    otherDebt: 20_000_000_000,
  })
  assert.deepEqual(value.orderAsset(x, account, btc), {
    price: 5_000_000_000_000,
    divisor: 10_000_000_000,
    weightPpm: 0,
    isGood: false,
    isUsdt: false,
    units: 100_000_000,
    owed: 10_000_000,
  })
  const ofUsdt = value.orderAsset(x, account, usdt)
  assert.deepEqual([ofUsdt.isGood, ofUsdt.isUsdt, ofUsdt.owed], [true, true, 20_000_000_000])
})

test('a cross account remembers every asset that it had, once each and by number; an isolated one need not', () => {
  const { x, account } = stateOf(world())
  assert.deepEqual(account.assets, [1, 2, 3])
  const fresh = x.margin.account((x.userCount + 1) as UserId, 0 as MarketId)
  for (const asset of [eth, usdt, eth, btc]) value.noteAsset(fresh, asset)
  assert.deepEqual(
    [fresh.assets, value.assetsIn(x, fresh)],
    [
      [1, 2, 3],
      [1, 2, 3],
    ],
  )
  const isolated = x.margin.account(account.user, btcusdt)
  value.noteAsset(isolated, eth)
  assert.deepEqual([isolated.assets, value.assetsIn(x, isolated)], [[], [1, 2]])
})
