/** Users see their margin accounts, pools and claims; the tests choose the figures of the state. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis, Ppm, Units } from '../../../money/brand.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { AssetId, MarketId, UserId } from '../../../protocol/ids.ts'
import { restoreState } from '../../dump.ts'
import type { State } from '../../state/state.ts'
import { Debt, LIQUIDATING } from '../records/account.ts'
import type { Account } from '../records/account.ts'
import { lendRow, marginRow } from '../rules/postings.ts'
import { noteAsset } from '../rules/value.ts'
import { viewAccounts, viewClaims, viewHoldings, viewPools } from '../views.ts'
import { btcusdt, ethbtc, ethusdt, free, open, units } from './world.ts'

const [usdt, btc] = [1 as AssetId, 2 as AssetId]
const cross = 0 as MarketId
const hour = 3_600_000

function owes(x: State, account: Account, asset: AssetId, principal: string, interest: string): void {
  const name = asset === usdt ? 'USDT' : 'BTC'
  const debt = new Debt(asset, x.margin.hour)
  debt.principal = units(name, principal) as Units
  debt.interest = units(name, interest) as Units
  account.debts.push(debt)
  noteAsset(account, asset)
}

/**
 * Loans cost nothing, BTC is worth 50,000 USDT and ETH 2,500. Alice has 8 ETH and 1,000 USDT in her cross account, 1 BTC and
 * 10,000 USDT in that of BTCUSDT, and once had something in that of ETHUSDT.
 */
function given() {
  const desk = open({ ...free, rateZero: 0, rateKink: 0, rateFull: 0 }).user('alice', { USDT: '50000', BTC: '3', ETH: '8' })
  desk.enter('alice', 'ETH', '8').isAccepted()
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.enter('alice', 'BTC', '1', btcusdt).isAccepted()
  desk.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
  desk.enter('alice', 'USDT', '1', ethusdt).isAccepted()
  desk.leave('alice', 'USDT', '1', ethusdt).isAccepted()
  const x = restoreState(desk.world.exchange.dump())
  x.write(new Records())
  const alice = desk.world.user('alice') as UserId
  const lender = desk.world.user('lender') as UserId
  return { x, alice, lender, account: x.margin.account(alice, cross), isolated: x.margin.account(alice, btcusdt) }
}

const listed = (x: State, user: UserId, market?: MarketId): readonly number[] => viewAccounts(x, user, market).map((one) => one.market)

test('MARGIN-LEVEL-001: a user’s accounts are the cross one, the isolated ones in use, and that of the market that is asked for', () => {
  const { x, alice, lender } = given()
  assert.deepEqual(listed(x, alice), [0, btcusdt])
  assert.deepEqual(listed(x, alice, ethusdt), [0, btcusdt, ethusdt])
  assert.deepEqual(listed(x, lender), [0])
  assert.deepEqual(listed(x, lender, ethbtc), [0, ethbtc])
  // An account with a debt and nothing else is in use too.
  owes(x, x.margin.account(alice, ethusdt), usdt, '1', '0')
  assert.deepEqual(listed(x, alice), [0, btcusdt, ethusdt])
  // The short view of what they hold and owe is a part of the long one.
  const whole = viewAccounts(x, alice).map(({ market, balances }) => ({
    market,
    balances: balances.map(({ asset, available, held, principal, interest }) => ({ asset, available, held, principal, interest })),
  }))
  assert.deepEqual(viewHoldings(x, alice), whole)
  assert.deepEqual(
    whole.map(({ balances }) =>
      balances.map(({ available, principal }) => [available, principal]).filter((sums) => sums.some((n) => n > 0)),
    ),
    [
      [
        [units('USDT', '1000'), 0],
        [units('ETH', '8'), 0],
      ],
      [
        [units('USDT', '10000'), 0],
        [units('BTC', '1'), 0],
      ],
      [[0, units('USDT', '1')]],
    ],
  )
  x.margin.terms = undefined
  assert.deepEqual([viewAccounts(x, alice), viewPools(x), viewHoldings(x, alice)], [[], [], []])
})

test('MARGIN-BORROW-002: an account states its balances, how much may be borrowed and leave, and its liquidation price', () => {
  const { x, alice, account, isolated } = given()
  owes(x, account, btc, '0.1', '0')
  owes(x, isolated, usdt, '20000', '5')
  x.ledger.hold(marginRow(x, alice, btcusdt, usdt), units('USDT', '1000') as Units)
  const nothing = { available: 0, held: 0, principal: 0, interest: 0 }
  const loan = (amount: number) => ({ borrowable: amount, orderLoan: amount })
  const prices = [100_000_000, 5_000_000_000_000, 250_000_000_000]
  const ofUsdt = { asset: 1, price: prices[0], ...nothing }
  const ofBtc = { asset: 2, price: prices[1], ...nothing }
  const ofEth = { asset: 3, price: prices[2], ...nothing }
  assert.deepEqual(viewAccounts(x, alice), [
    {
      user: alice,
      market: 0,
      // 21,000 against 5,000: 59,000 more may be borrowed at 1.25, and 11,000 may leave at 2.
      balances: [
        { ...ofUsdt, available: units('USDT', '1000'), ...loan(units('USDT', '59000')), transferable: units('USDT', '1000') },
        { ...ofBtc, principal: units('BTC', '0.1'), ...loan(units('BTC', '1.18')), transferable: 0 },
        { ...ofEth, available: units('ETH', '8'), ...loan(units('ETH', '23.6')), transferable: units('ETH', '4.4') },
      ],
      assets: units('USDT', '21000'),
      debt: units('USDT', '5000'),
      levelPpm: 4_200_000,
      state: 'safe',
      callPpm: 1_160_000,
      liquidationPpm: 1_100_000,
      liquidationPrice: 0,
      isIndexGood: true,
      ceiling: null,
    },
    {
      user: alice,
      market: btcusdt,
      balances: [
        {
          ...ofUsdt,
          available: units('USDT', '9000'),
          held: units('USDT', '1000'),
          principal: units('USDT', '20000'),
          interest: units('USDT', '5'),
          // 60,000 against 20,005: with 8×, the leverage of loans up to 400,000, 279,963.32 may be owed.
          ...loan(units('USDT', '259958.32022')),
          transferable: units('USDT', '9000'),
        },
        // 22,227.80 must stay at 10×.
        { ...ofBtc, available: units('BTC', '1'), ...loan(519_916_640), transferable: units('BTC', '0.75544408') },
      ],
      assets: units('USDT', '60000'),
      debt: units('USDT', '20005'),
      levelPpm: 2_999_250,
      state: 'safe',
      callPpm: 1_100_000,
      liquidationPpm: 1_050_000,
      // The last price at which the level is 1.05, rounded down: 21,005.27 − 10,000.
      liquidationPrice: 1_100_527_000_499,
      isIndexGood: true,
      ceiling: null,
    },
  ])
  assert.deepEqual(
    viewAccounts(x, alice, ethusdt).map(({ debt, levelPpm }) => [debt > 0, levelPpm]),
    [
      [true, 4_200_000],
      [true, 2_999_250],
      [false, null],
    ],
  )
})

test('MARGIN-BORROW-004: nothing is borrowable while the product is closed, a price is lost or the account is liquidated', () => {
  const { x, alice, isolated } = given()
  const said = () => {
    const view = viewAccounts(x, alice).find(({ market }) => market === btcusdt)!
    return [view.isIndexGood, view.state, ...view.balances.flatMap(({ borrowable, transferable }) => [borrowable > 0, transferable > 0])]
  }
  const { terms } = x.margin
  assert.deepEqual(said(), [true, 'safe', true, true, true, true])
  x.margin.terms = { ...terms!, isOpen: false }
  assert.deepEqual(said(), [true, 'safe', false, true, false, true])
  x.margin.terms = terms
  x.margin.prices[btc]!.outage.begin(x.atMs)
  assert.deepEqual(said(), [false, 'safe', false, true, false, true], 'an account without debts may be emptied')
  owes(x, isolated, usdt, '1000', '0')
  assert.deepEqual(said(), [false, 'safe', false, false, false, false])
  x.margin.prices[btc]!.outage.end(x.atMs)
  assert.deepEqual(said(), [true, 'safe', true, true, true, true])
  isolated.state = LIQUIDATING
  assert.deepEqual(said(), [true, 'liquidating', false, false, false, false])
  // The fund's account gives nothing back, although it owes nothing any more.
  isolated.debts.length = 0
  isolated.takenMs = x.atMs
  assert.deepEqual(said(), [true, 'liquidating', false, false, false, false])
  // A market that is not quoted in USDT has no loans.
  assert.deepEqual(
    viewAccounts(x, alice, ethbtc)
      .find(({ market }) => market === ethbtc)!
      .balances.map(({ borrowable }) => borrowable),
    [0, 0],
  )
})

test('MARGIN-ORDER-013: the loan of an order depends on the market’s other asset; an asset outside of it has the plain limit', () => {
  const { x, alice } = given()
  x.margin.terms = { ...x.margin.terms!, weights: [], weightPpm: 850_000 as Ppm }
  const loans = (market: MarketId) =>
    viewAccounts(x, alice, market)
      .find((one) => one.market === cross)!
      .balances.map(({ borrowable, orderLoan }) => Math.sign(borrowable - orderLoan))
  // A loan that buys a coin loses the part of it that does not count, one that sells a coin gains it.
  assert.deepEqual(
    [loans(btcusdt), loans(ethusdt)],
    [
      [1, 0, 0],
      [1, 0, 0],
    ],
  )
  // A cushion above the threshold for loans bounds every order of the market, but not a loan of ETH beside the market of BTC.
  x.margin.terms = { ...x.margin.terms, cushionPpm: 400_000 as Ppm }
  assert.deepEqual(
    [loans(btcusdt), loans(ethusdt)],
    [
      [1, 1, 0],
      [1, 0, 1],
    ],
  )
})

test('LEND-SUPPLY-001: a claim shows what is fresh and until when, what waits, what is liquid and what is not yet in it', () => {
  const { x, alice, lender } = given()
  assert.deepEqual(viewClaims(x, alice), [])
  const now = Math.floor(x.atMs / hour)
  const pool = x.margin.pool(usdt)
  const claim = () => viewClaims(x, lender)[0]!
  const supply = units('USDT', '1000000')
  const plain = { asset: 1, claim: supply, pending: 0, queued: 0, liquid: supply, fresh: 0, freshUntil: null }
  assert.deepEqual(claim(), plain)
  // A thousandth of the supply was earned since the last settlement.
  pool.index += 1_000_000_000
  const earned = units('USDT', '1000')
  assert.deepEqual(claim(), { ...plain, claim: supply + earned, pending: earned })
  // 400,000 are lent, and the other 600,000 are liquid.
  pool.principal = units('USDT', '400000') as Units
  assert.deepEqual(claim(), { ...plain, claim: supply + earned, pending: earned, liquid: units('USDT', '600000') })
  const known = pool.lenders.get(lender)!
  Object.assign(known, { hour: now, fresh: 5, since: pool.index })
  x.margin.hour = now
  const fresh = { fresh: 5, freshUntil: ((now + 1) * hour) as Millis }
  assert.deepEqual(claim(), { ...plain, liquid: units('USDT', '600000'), ...fresh })
  x.ledger.hold(lendRow(x, lender, usdt), 3 as Units)
  pool.queue.push({ user: lender, amount: 3 as Units })
  assert.deepEqual(claim(), { ...plain, queued: 3, liquid: 0, ...fresh }, 'the queue comes first')
})

test('LEND-RATE-001: every asset with a price has a pool, with its sums, its liquidity and its room for loans', () => {
  const { x } = given()
  const pool = x.margin.pool(usdt)
  pool.principal = units('USDT', '800000') as Units
  pool.queued = 7 as Units
  x.margin.terms = { ...x.margin.terms!, rateKink: 20_000_000, rateFull: 200_000_000 }
  // DUST has no market in USDT.
  x.assets.push({ id: 4 as AssetId, symbol: 'DUST', scale: 2 })
  assert.deepEqual(
    viewPools(x).map(({ asset, room }) => [asset, room]),
    [
      [1, units('USDT', '100000')],
      [2, units('BTC', '90')],
      [3, units('ETH', '900')],
    ],
  )
  const sums = { supplied: units('USDT', '1000000'), borrowed: units('USDT', '800000'), queued: 7 }
  // Lenders get 85 % of the rate on the 80 % that are lent.
  const rates = { rate: 20_000_000, earnRate: 13_600_000 }
  assert.deepEqual(viewPools(x)[0], { asset: 1, ...sums, ...rates, liquidity: units('USDT', '200000'), room: units('USDT', '100000') })
})
