/** Pools, lenders, due interest and reviews, computed from a state with chosen figures. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis, Units } from '../../../money/brand.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { AssetId, MarketId, UserId } from '../../../protocol/ids.ts'
import { restoreState } from '../../dump.ts'
import type { State } from '../../state/state.ts'
import { accrue } from '../loans/debt.ts'
import { chargeSome, interestDueAtMs } from '../loans/interest.ts'
import { arrive, freshOf, shareHour, shareNow } from '../loans/lenders.ts'
import { earn, payOut, rateNow } from '../loans/pool.ts'
import { review, reviewAll, reviewSome } from '../loans/review.ts'
import { Debt, LIQUIDATING, SAFE, WATCH, accountKey } from '../records/account.ts'
import type { Account } from '../records/account.ts'
import { MarginState, Pool } from '../records/state.ts'
import { INTEREST, SUPPLY, interestRow, openLendRow, openMarginRow } from '../rules/postings.ts'
import { marginDueAtMs } from '../tick.ts'
import { free, open } from './world.ts'

const [usdt, btc] = [1 as AssetId, 2 as AssetId]
const cross = 0 as MarketId
const hour = 3_600_000
/** Every loan costs 0.1 % an hour. */
const flat = { ...free, rateZero: 1_000_000_000, rateKink: 1_000_000_000, rateFull: 1_000_000_000 }

/** A state without debts whose running hour has begun. */
function given(changed: object = flat): State {
  const x = restoreState(open(changed).world.exchange.dump())
  x.write(new Records())
  x.margin.hour = Math.floor(x.atMs / hour)
  return x
}

/** A user's cross account with USDT and a debt of USDT, as units. */
function indebted(x: State, user: number, assets: number, principal: number): Account {
  const account = x.margin.account(user as UserId, cross)
  const debt = new Debt(usdt, x.margin.hour)
  debt.principal = principal as Units
  account.debts.push(debt)
  account.assets.push(usdt)
  if (assets > 0) x.ledger.credit(openMarginRow(x, account.user, cross, usdt), assets as Units, SUPPLY)
  x.margin.indebted.add(account)
  return account
}

const wrote = (x: State, work: () => void): number => {
  const before = x.events.length
  work()
  return x.events.length - before
}

test('LEND-HOUR-005: an hour’s interest above the supply goes to the fund; an equal one still goes to the lenders', () => {
  const of = (pot: number, earning: number) => {
    const pool = new Pool(usdt)
    Object.assign(pool, { pot, earning, claims: 900 })
    pool.arrivals.set(7, { lenders: 1, index: 0 })
    const isShared = shareHour(pool, 7)
    return [isShared, pool.index, pool.pot, pool.reserve, pool.earning, pool.arrivals.get(7)!.index]
  }
  assert.deepEqual(of(101, 100), [true, 0, 0, 101, 900, 0])
  assert.deepEqual(of(100, 100), [true, 1e12, 0, 0, 900, 1e12])
  // A third of a unit per unit, rounded down; the crumb is taken as a whole unit.
  assert.deepEqual(of(1, 3), [true, 333_333_333_333, 0, 0, 900, 333_333_333_333])
  assert.deepEqual(of(0, 100), [false, 0, 0, 0, 900, 0])
  assert.deepEqual(of(0, 0), [false, 0, 0, 0, 900, 0])
})

test('LEND-HOUR-001: an hour’s arrivals are counted once per lender, and forgotten with the last fresh unit', () => {
  const desk = open(flat).user('bob', { USDT: '500' }).user('carol', { USDT: '500' })
  const arrivals = (): object | undefined => {
    const { margin } = restoreState(desk.world.exchange.dump())
    return margin.pools[1]!.arrivals.get(margin.hour)
  }
  for (const name of ['bob', 'carol', 'bob']) desk.supply(name, 'USDT', '100').isAccepted()
  assert.deepEqual(arrivals(), { lenders: 2, index: 0 })
  desk.withdraw('bob', 'USDT', '150').isAccepted()
  assert.deepEqual(arrivals(), { lenders: 2, index: 0 })
  desk.withdraw('bob', 'USDT', '50').isAccepted()
  assert.deepEqual(arrivals(), { lenders: 1, index: 0 })
  desk.withdraw('carol', 'USDT', '100').isAccepted()
  assert.equal(arrivals(), undefined)
})

test('LEND-HOUR-004: nothing has no share, and a user who lends nothing has no fresh supply', () => {
  const x = given()
  const pool = new Pool(usdt)
  pool.pot = 5
  assert.deepEqual([shareNow(pool, 0, 0), shareNow(pool, 2, 4), shareNow(pool, 1, 1)], [0, 2, 1])
  assert.equal(freshOf(pool, 77 as UserId, 0), 0)
  arrive(x, pool, 77 as UserId, 0 as Units)
  assert.deepEqual([pool.lenders.size, pool.arrivals.size, pool.claims], [0, 0, 0])
  arrive(x, pool, 77 as UserId, 3 as Units)
  assert.deepEqual([freshOf(pool, 77 as UserId, x.margin.hour), freshOf(pool, 77 as UserId, x.margin.hour + 1)], [3, 0])
})

test('LEND-HOUR-003: lenders get 85 % of an hour’s interest, of a first interest only the part of earning supply', () => {
  const x = given()
  const of = (claims: number, earning: number, isFirst: boolean) => {
    const pool = new Pool(btc)
    Object.assign(pool, { claims, earning })
    earn(x, pool, 1_000 as Units, isFirst)
    assert.ok(x.margin.touched.has(pool))
    return [pool.pot, pool.reserve, pool.interest]
  }
  assert.deepEqual(of(4_000, 1_000, false), [850, 150, 1_000])
  assert.deepEqual(of(4_000, 1_000, true), [212, 788, 1_000])
  assert.deepEqual(of(0, 0, true), [0, 1_000, 1_000])
  assert.equal(rateNow(x, new Pool(btc)), 1_000_000_000)
  x.margin.terms = undefined
  assert.equal(rateNow(x, new Pool(btc)), 0)
})

test('MARGIN-INTEREST-001: a clock tick is due while the next hour changes a pool, and never for a pool at rest', () => {
  const x = given()
  x.margin.pools.length = 0
  const next = (x.margin.hour + 1) * hour
  const due = (change: object): number => {
    x.margin.pools[2] = Object.assign(new Pool(btc), { rate: 1_000_000_000, ...change })
    return interestDueAtMs(x)
  }
  // Pools without a number before it are holes of the list.
  assert.equal(due({}), Infinity)
  // A pool's first hour is free. A clock tick for other work leaves such a pool at rest.
  assert.equal(due({ rate: 0 }), Infinity)
  const { atMs } = x
  x.atMs = next as Millis
  chargeSome(x)
  assert.deepEqual([x.margin.hour, x.margin.pools[2]!.rate, x.margin.touched.size], [next / hour - 1, 0, 0])
  x.atMs = atMs
  assert.deepEqual([due({ pot: 1 }), due({ usedMs: 1 }), due({ rate: 1_000_000_001 })], [next, next, next])
  const { terms } = x.margin
  x.margin.terms = undefined
  assert.deepEqual([due({ rate: 0 }), due({ rate: 1 })], [Infinity, next])
  x.margin.terms = terms
  due({})
  const account = indebted(x, 50, 0, 1_000)
  assert.equal(interestDueAtMs(x), next)
  account.debts[0]!.paidHour = x.margin.hour - 1
  x.margin.chargedTo = 0
  assert.equal(interestDueAtMs(x), x.atMs, 'a debt of the running hour is not charged yet')
})

test('MARGIN-INTEREST-001: one command charges 256 debts, each reviewed; the next ones the rest', () => {
  const x = given()
  x.margin.pools[1] = undefined
  const pool = x.margin.pool(usdt)
  Object.assign(pool, { claims: 10 ** 9, earning: 10 ** 9, rate: 1_000_000_000 })
  // At 1.161 an account is safe, and its first interest makes it watched: 1,161 ÷ 1,001 is 1.1598.
  const accounts = Array.from({ length: 300 }, (_, n) => indebted(x, 100 + n, 1_161_000, 1_000_000))
  pool.principal = 300_000_000 as Units
  x.margin.hour++
  x.atMs = (x.margin.hour * hour) as Millis
  const charged = (): number => accounts.filter(({ debts }) => debts[0]!.interest === 1_000).length
  chargeSome(x)
  assert.deepEqual([charged(), accounts.filter(({ state }) => state === WATCH).length], [256, 256])
  assert.equal(interestDueAtMs(x), x.atMs)
  assert.equal(pool.reserve, 0, 'the fund’s part is paid')
  x.margin.touched.clear()
  chargeSome(x)
  assert.deepEqual([charged(), x.margin.touched.has(pool)], [300, true])
  assert.equal(interestDueAtMs(x), (x.margin.hour + 1) * hour)
  assert.equal(
    wrote(x, () => chargeSome(x)),
    0,
    'nothing is charged twice',
  )
})

test('MARGIN-LIQ-008: only an account in liquidation with nothing left bears no interest', () => {
  const of = (state: number, assets: number): number => {
    const x = given()
    const account = indebted(x, 50, assets, 1_000_000)
    account.state = state
    x.margin.pool(usdt).rate = 1_000_000_000
    x.margin.hour += 2
    accrue(x, account, account.debts[0]!)
    assert.equal(account.debts[0]!.paidHour, x.margin.hour)
    return account.debts[0]!.interest
  }
  assert.deepEqual([of(LIQUIDATING, 0), of(LIQUIDATING, 1), of(WATCH, 0), of(SAFE, 0)], [0, 2_000, 2_000, 2_000])
  const x = given()
  const account = indebted(x, 50, 1, 1_000_000)
  // An old debt's interest belongs to the lenders, whatever of their supply is fresh.
  Object.assign(x.margin.pool(usdt), { rate: 1_000_000_000, claims: 4_000, earning: 1_000, pot: 0 })
  x.margin.hour++
  accrue(x, account, account.debts[0]!)
  assert.equal(x.margin.pool(usdt).pot, 850)
  assert.equal(
    wrote(x, () => accrue(x, account, account.debts[0]!)),
    0,
    'the running hour is charged',
  )
})

test('LEND-QUEUE-001: one command pays 64 places, and the fund’s part waits until the queue is empty and the pool liquid', () => {
  const x = given()
  x.margin.pools[1] = undefined
  const pool = x.margin.pool(usdt)
  const lender = 90 as UserId
  const row = openLendRow(x, lender, usdt)
  x.ledger.credit(row, 1_000 as Units, SUPPLY)
  arrive(x, pool, lender, 1_000 as Units)
  x.ledger.hold(row, 70 as Units)
  for (let n = 0; n < 70; n++) pool.queue.push({ user: lender, amount: 1 as Units })
  pool.queued = 70 as Units
  pool.reserve = 30
  x.ledger.credit(interestRow(x, usdt), 30 as Units, INTEREST)
  const fund = (): number => 30 - x.ledger.available(interestRow(x, usdt))
  payOut(x, pool)
  assert.deepEqual([pool.queue.length, pool.queued, pool.reserve, fund()], [6, 6, 30, 0])
  assert.ok(x.margin.touched.has(pool))
  // Everything else is lent out: 10 are liquid.
  pool.principal = (pool.claims + 30 - 10) as Units
  payOut(x, pool)
  assert.deepEqual([pool.queue.length, pool.reserve, fund()], [0, 26, 4])
  x.margin.touched.clear()
  assert.equal(
    wrote(x, () => payOut(x, pool)),
    0,
    'nothing is liquid',
  )
  assert.equal(x.margin.touched.size, 0)
  pool.principal = 0 as Units
  payOut(x, pool)
  assert.deepEqual([pool.reserve, fund(), x.margin.touched.has(pool)], [0, 30, true])
  assert.equal(
    wrote(x, () => payOut(x, pool)),
    0,
    'nothing is owed to the fund',
  )
})

test('LEND-QUEUE-001: a clock tick is due at once while a liquid pool owes its queue or the fund, and while a review is under way', () => {
  const x = given()
  const isDue = (): boolean => marginDueAtMs(x) <= x.atMs
  const pool = x.margin.pool(btc)
  const { claims } = pool
  assert.equal(isDue(), false)
  pool.queue.push({ user: 90 as UserId, amount: 1 as Units })
  assert.equal(isDue(), true)
  pool.principal = claims as Units
  assert.equal(isDue(), false, 'everything is lent out')
  pool.queue.length = 0
  pool.reserve = 1
  assert.equal(isDue(), false)
  pool.principal = (claims - 1) as Units
  assert.equal(isDue(), true)
  pool.reserve = 0
  assert.equal(isDue(), false)
  // 0 is the place of the first account.
  x.margin.reviewFrom = 0
  assert.equal(isDue(), true)
})

test('MARGIN-LIQ-016: a review starts a liquidation and no other step, and keeps the state while there are no terms', () => {
  const x = given()
  const [low, middle, high] = [indebted(x, 50, 110, 100), indebted(x, 51, 116, 100), indebted(x, 52, 200, 100)]
  for (const account of [low, middle, high]) review(x, account)
  assert.deepEqual(
    [low, middle, high].map(({ state }) => state),
    [LIQUIDATING, WATCH, SAFE],
  )
  assert.deepEqual([...x.margin.steps], [accountKey(low.user, cross)])
  while (x.margin.steps.take() !== undefined);
  reviewAll(x)
  assert.deepEqual([[...x.margin.steps], x.margin.reviewFrom, x.margin.reviewsAgain], [[accountKey(low.user, cross)], -1, false])
  x.margin.terms = undefined
  high.state = WATCH
  review(x, high)
  assert.equal(high.state, WATCH)
})

test('MARGIN-LIQ-016: a review during a review starts again from the beginning, and none goes on by itself', () => {
  const x = given()
  const account = indebted(x, 50, 200, 100)
  reviewSome(x)
  assert.equal(account.calmUntil, 0, 'no review is under way')
  x.margin.reviewFrom = 0
  reviewAll(x)
  assert.deepEqual([x.margin.reviewFrom, x.margin.reviewsAgain, account.calmUntil > 0], [0, false, true])
  reviewSome(x)
  assert.equal(x.margin.reviewFrom, -1)
})

test('MARGIN-LIQ-016: one command passes 20,000 calm accounts', () => {
  const x = given()
  for (let n = 0; n < 20_001; n++) {
    const account = x.margin.account((100 + n) as UserId, cross)
    account.calmUntil = x.margin.moved + 1
    x.margin.indebted.add(account)
  }
  reviewAll(x)
  assert.equal(x.margin.reviewFrom, accountKey(20_100 as UserId, cross))
  reviewSome(x)
  assert.equal(x.margin.reviewFrom, -1)
})

test('MARGIN-LIQ-016: an account is calm for the part by which its level is above the warning, less the rounding', () => {
  const x = given()
  const calm = (account: Account): number => {
    account.calmUntil = 0
    x.margin.moved = 1
    reviewAll(x)
    x.margin.indebted.delete(account)
    return account.calmUntil - 1
  }
  // Two units for each of two assets and three orders, and two more: 12. 1,250,012 less 12 to 999,988 and 12 are 1.25.
  const account = indebted(x, 50, 1_250_012, 999_988)
  account.assets.push(btc)
  account.orders = new Set([5, 6, 7])
  // 1 − 1.16 ÷ 1.25 − 0.0001 is 0.0719.
  assert.ok(Math.abs(calm(account) - 71_900_000) <= 1)
  assert.equal(calm(indebted(x, 51, 100_000_000, 1_000)), 150_000_000, 'at most 0.15')
  // At exactly the warning, counted with the rounding, there is no calm; with 0.01 % more there is still none.
  assert.equal(calm(indebted(x, 52, 1_160_000_004, 999_999_996)), 0)
  assert.equal(calm(indebted(x, 53, 1_160_100_004, 999_999_996)), 0)
  assert.ok(calm(indebted(x, 54, 1_160_200_004, 999_999_996)) > 0)
  // A watched account has none, and neither has one that is too rich to compute.
  assert.equal(calm(indebted(x, 55, 1_150_000, 1_000_000)), 0)
  assert.equal(calm(indebted(x, 56, 2 ** 50, 2 ** 49)), 150_000_000)
  assert.equal(calm(indebted(x, 57, 2 ** 50 + 1, 2 ** 49)), 0)
  // The fund goes on with an account that it took over at every tick, however well the account stands by now.
  const taken = indebted(x, 58, 200_000_000, 100_000_000)
  Object.assign(taken, { state: LIQUIDATING, takenMs: x.atMs })
  assert.equal(calm(taken), 0)
})

test('accounts are sorted by user, then by market', () => {
  const margin = new MarginState()
  const keys = [
    [7, 1],
    [3, 2],
    [7, 0],
    [3, 0],
  ] as const
  const accounts = keys.map(([user, market]) => margin.account(user as UserId, market as MarketId))
  assert.deepEqual(
    margin.sorted(accounts).map(({ user, market }) => [user, market]),
    [
      [3, 0],
      [3, 2],
      [7, 0],
      [7, 1],
    ],
  )
  assert.deepEqual(margin.accountsOf(7 as UserId), [accounts[0], accounts[2]])
  assert.deepEqual(margin.accountsOf(8 as UserId), [])
})
