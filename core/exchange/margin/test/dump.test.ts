/** A dump contains every field of margin trading; the fields that version 12 lacks get defaults. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexPrice, Millis, Units } from '../../../money/brand.ts'
import { put, Records } from '../../../protocol/codec/records.ts'
import type { AssetId, MarketId, OrderId, UserId } from '../../../protocol/ids.ts'
import { dumpState, restoreState } from '../../dump.ts'
import { State } from '../../state/state.ts'
import { dumpMargin, restoreMargin } from '../dump.ts'
import { Debt, LIQUIDATING, WATCH, accountKey } from '../records/account.ts'
import type { AccountKey } from '../records/account.ts'
import { Outage, Price } from '../records/outage.ts'
import { Lender, MarginState } from '../records/state.ts'
import { SUPPLY, openMarginRow } from '../rules/postings.ts'
import { btcusdt, ethusdt, open } from './world.ts'

const [usdt, btc, eth] = [1 as AssetId, 2 as AssetId, 3 as AssetId]
const cross = 0 as MarketId
const [alice, bob] = [1 as UserId, 2 as UserId]
const at = (ms: number): Millis => ms as Millis
const sum = (amount: number): Units => amount as Units

/** A state whose margin trading has no account, pool or loan. */
function given(): State {
  const x = restoreState(open({}).world.exchange.dump())
  x.write(new Records())
  x.margin.pools.length = 0
  return x
}

/** Everything that a dump keeps, as plain values. */
function kept(margin: MarginState): object {
  const { hour, terms, pools, accounts, steps, loans, prices, halts, moved, reviewFrom, reviewsAgain, takings, taken, indebted } = margin
  return {
    ...{ hour, terms, moved, reviewFrom, reviewsAgain, takings, steps: [...steps], taken: [...taken], indebted: indebted.size },
    pools: pools.flatMap((pool) =>
      pool === undefined
        ? []
        : [{ ...pool, lenders: [...pool.lenders].sort(([a], [b]) => a - b), arrivals: [...pool.arrivals].sort(([a], [b]) => a - b) }],
    ),
    accounts: margin.sorted(accounts.values()).map((account) => ({ ...account, debts: account.debts.map((debt) => ({ ...debt })) })),
    loans: [...loans].sort(([a], [b]) => a - b),
    prices: prices.flatMap((price, asset) => (price === undefined ? [] : [{ asset, last: price.last, outage: { ...price.outage } }])),
    halts: [...halts].sort(([a], [b]) => a - b).map(([market, halt]) => [market, { ...halt }]),
  }
}

function fill(margin: MarginState): void {
  const pool = margin.pool(btc)
  const figures = { claims: 11, principal: 12, interest: 13, earning: 14, index: 15, pot: 16, reserve: 17, rate: 18, queued: 19 }
  Object.assign(pool, figures, { used: 20, usedSince: 21, usedMs: 22 })
  for (const [user, n] of [
    [bob, 30],
    [alice, 40],
  ] as const) {
    pool.lenders.set(user, Object.assign(new Lender(n), { fresh: n + 1, hour: n + 2 }))
  }
  pool.arrivals.set(42, { lenders: 2, index: 51 })
  pool.arrivals.set(32, { lenders: 1, index: 52 })
  pool.queue.push({ user: bob, amount: sum(60) }, { user: alice, amount: sum(61) })
  margin.pool(usdt).pot = 70
  const account = margin.account(bob, cross)
  Object.assign(account, { state: LIQUIDATING, calmUntil: 80, takenMs: 81 })
  account.assets.push(usdt, eth)
  const isolated = margin.account(alice, btcusdt)
  isolated.state = WATCH
  for (const [n, asset] of [usdt, btc].entries()) {
    isolated.debts.push(Object.assign(new Debt(asset, 90 + n), { principal: 92 + n, interest: 94 + n }))
  }
  margin.account(alice, cross)
  margin.indebted.add(isolated)
  margin.taken.add(accountKey(bob, cross))
  for (const key of [7, 5]) margin.steps.add(key as AccountKey)
  margin.loans.set(200 as OrderId, { own: sum(101), lent: sum(102), fee: sum(103), spent: 104 })
  margin.loans.set(100 as OrderId, { own: sum(105), lent: sum(106), fee: sum(107), spent: 108 })
  Object.assign(margin.prices[eth]!.outage, { sinceMs: 110, returnedMs: 111 })
  margin.halts.set(ethusdt, Object.assign(new Outage(), { sinceMs: 112, returnedMs: 113 }))
  margin.halts.set(btcusdt, Object.assign(new Outage(), { returnedMs: 114 }))
  Object.assign(margin, { hour: 120, moved: 121, reviewFrom: 122, reviewsAgain: true })
  margin.takings.push({ atMs: at(130), asset: btc, risk: sum(131) }, { atMs: at(132), asset: eth, risk: sum(133) })
}

test('MARGIN-BOOKS-001: what is dumped of margin trading is read back field by field, up to where it ends', () => {
  const margin = new MarginState()
  margin.prices[btc] = Object.assign(new Price(), { last: 140 })
  margin.prices[eth] = Object.assign(new Price(), { last: 141 })
  fill(margin)
  const into = new Records()
  put(into, -1)
  dumpMargin(margin, into)
  put(into, -1)
  const x = new State()
  assert.equal(restoreMargin(x, into.data, 1, 13), into.length - 1)
  assert.deepEqual(kept(x.margin), kept(margin))
})

test('MARGIN-BOOKS-001: a dump keeps pools, accounts, loans of orders, prices, halts and reviews, and is the same once restored', () => {
  const x = given()
  fill(x.margin)
  const dump = dumpState(x).bytes()
  const restored = restoreState(dump)
  assert.deepEqual(kept(restored.margin), kept(x.margin))
  assert.deepEqual(Buffer.from(dumpState(restored).bytes()), Buffer.from(dump))
  assert.deepEqual(restored.margin.indebted.has(restored.margin.account(alice, btcusdt)), true)

  const bare = given()
  bare.margin.terms = undefined
  const again = restoreState(dumpState(bare).bytes())
  assert.deepEqual([kept(again.margin), again.margin.terms], [kept(bare.margin), undefined])
})

test('MARGIN-BOOKS-001: the dump of an exchange does not depend on the order in which lenders, loans and halts came', () => {
  const x = given()
  fill(x.margin)
  const other = given()
  fill(other.margin)
  const numbers = Array.from({ length: 600 }, (_, n) => 1_000 + n)
  for (const [state, ordered] of [
    [x, numbers],
    [other, numbers.toReversed()],
  ] as const) {
    for (const n of ordered) {
      state.margin.pool(btc).lenders.set(n, new Lender(n))
      state.margin.loans.set(n, { own: sum(n), lent: sum(n), fee: sum(n), spent: n })
    }
  }
  const pool = other.margin.pool(btc)
  const [first, second] = [pool.lenders.get(bob)!, pool.arrivals.get(42)!]
  pool.lenders.delete(bob)
  pool.lenders.set(bob, first)
  pool.arrivals.delete(42)
  pool.arrivals.set(42, second)
  const loan = other.margin.loans.get(200)!
  other.margin.loans.delete(200)
  other.margin.loans.set(200, loan)
  const halt = other.margin.halts.get(ethusdt)!
  other.margin.halts.delete(ethusdt)
  other.margin.halts.set(ethusdt, halt)
  const written = [x, other].map((state) => {
    const into = new Records()
    dumpMargin(state.margin, into)
    return [...into.data.slice(0, into.length)]
  })
  assert.deepEqual(written[0], written[1])
})

test('MARGIN-TERMS-002: a dump of version 12 gets prices from the markets, outages from its last command, and looked-up assets', () => {
  const x = given()
  const account = [alice, cross, WATCH, 1, usdt, 300, 5, 77]
  const unused = [bob, btcusdt, 0, 0]
  const loan = [400, 1, 2, 3, 4]
  x.ledger.credit(openMarginRow(x, alice, cross, eth), sum(9), SUPPLY)
  x.venue(ethusdt)!.isIndexGood = false
  const venue = x.venue(btcusdt)!
  venue.setTerms({ ...venue.market.terms, isTrading: false }, x.atMs)
  x.margin.prices.length = 0
  x.margin.terms = undefined
  // Something else comes before and after it in the dump.
  const data = Float64Array.from([-1, 55, 0, 0, 2, ...account, ...unused, 1, 66, 1, ...loan, -1])
  assert.equal(restoreMargin(x, data, 1, 12), data.length - 1)
  const { margin } = x
  assert.deepEqual([margin.hour, margin.terms, [...margin.steps]], [55, undefined, [66]])
  assert.deepEqual([...margin.loans], [[400, { own: 1, lent: 2, fee: 3, spent: 4 }]])
  const restored = margin.find(alice, cross)!
  assert.deepEqual([restored.state, restored.assets, restored.calmUntil, restored.takenMs], [WATCH, [usdt, eth], 0, 0])
  assert.deepEqual(
    restored.debts.map((debt) => ({ ...debt })),
    [{ asset: usdt, principal: 300, interest: 5, paidHour: 77 }],
  )
  assert.deepEqual([margin.indebted.size, margin.indebted.has(restored), margin.taken.size], [1, true, 0])
  const outage = (sinceMs: number) => ({ sinceMs, returnedMs: 0 })
  assert.deepEqual(
    margin.prices.flatMap((price, asset) => (price === undefined ? [] : [[asset, price.last, { ...price.outage }]])),
    [
      [btc, 5_000_000_000_000, outage(0)],
      [eth, 250_000_000_000, outage(x.atMs)],
    ],
  )
  assert.deepEqual(
    [...margin.halts].map(([market, halt]) => [market, { ...halt }]),
    [[btcusdt, outage(x.atMs)]],
  )
})

test('MARGIN-TERMS-002: of version 12, an asset whose market never had an index price gets none', () => {
  const x = given()
  x.margin.prices.length = 0
  x.venue(ethusdt)!.indexPrice = 0 as IndexPrice
  const data = Float64Array.of(55, 0, 0, 0, 0, 0)
  assert.equal(restoreMargin(x, data, 0, 12), data.length)
  assert.deepEqual(Object.keys(x.margin.prices), [String(btc)])
})
