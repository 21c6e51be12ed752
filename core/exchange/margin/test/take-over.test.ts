/** Take-overs by the insurance fund, computed from a state with chosen figures. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexPrice, Lots, Millis, Ppm, Ticks, Units } from '../../../money/brand.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { AssetId, MarketId, UserId } from '../../../protocol/ids.ts'
import { restoreState } from '../../dump.ts'
import type { State } from '../../state/state.ts'
import type { Route } from '../liquidation/convert.ts'
import { checkEnter, checkLeave } from '../handlers/transfer.ts'
import { liquidateSome } from '../liquidation/liquidate.ts'
import { isPatient, release, takeOver, takenSlippage, workOff } from '../liquidation/take-over.ts'
import { Debt, LIQUIDATING, accountKey } from '../records/account.ts'
import type { Account } from '../records/account.ts'
import { INSURANCE, insuranceRow, marginRow, move } from '../rules/postings.ts'
import { worth } from '../rules/value.ts'
import { btcusdt, open, units } from './world.ts'

const [usdt, btc, eth] = [1 as AssetId, 2 as AssetId, 3 as AssetId]
const cross = 0 as MarketId
const minute = 60_000
const day = 86_400_000

/** A fund of 100,000 USDT; alice has 9,000 USDT and 1 BTC, worth 50,000, in her cross account. */
function given(): { readonly x: State; readonly alice: UserId } {
  const desk = open({}).user('alice', { USDT: '9000', BTC: '1' })
  desk.enter('alice', 'USDT', '9000').isAccepted()
  desk.enter('alice', 'BTC', '1').isAccepted()
  desk.world.do({ type: 'funds.system', account: 'insurance-margin', asset: 1, amount: units('USDT', '50000') }).isAccepted()
  desk.world.do({ type: 'funds.system', account: 'insurance-margin', asset: 2, amount: units('BTC', '1') }).isAccepted()
  const x = restoreState(desk.world.exchange.dump())
  x.write(new Records())
  return { x, alice: desk.world.user('alice') }
}

function owing(x: State, user: number, asset: AssetId, principal: number): Account {
  const account = x.margin.account(user as UserId, cross)
  const debt = new Debt(asset, x.margin.hour)
  debt.principal = principal as Units
  account.debts.push(debt)
  for (const each of [usdt, btc, eth]) if (!account.assets.includes(each)) account.assets.push(each)
  return account
}

const took = (x: State, account: Account): void => takeOver(x, account, worth(x, account))
const begin = (ms: number): number => ms - (ms % minute)

/** An account of another user without assets that owes `usdtValue` in an asset. */
function other(x: State, user: number, asset: AssetId, usdtValue: number): Account {
  const [price, scale] = asset === btc ? [50_000, 1e8] : asset === eth ? [2_500, 1e8] : [1, 1e6]
  return owing(x, user, asset, Math.round((usdtValue / price) * scale))
}

test('MARGIN-FUND-002: a take-over counts a fifth of the carried value of BTC and ETH and the loss, in its largest coin', () => {
  const { x, alice } = given()
  // 1 BTC less 0.5 owed: 25,000. 2 ETH owed: 5,000. A debt of 25,000 + 5,000 + 30,000 against 59,000: a loss of 1,000.
  const account = owing(x, alice, btc, units('BTC', '0.5'))
  owing(x, alice, eth, units('ETH', '2'))
  owing(x, alice, usdt, units('USDT', '30000'))
  const [first] = x.margin.terms!.weights
  x.margin.terms = { ...x.margin.terms!, fundAssetPpm: 70_000 as Ppm, fundAllPpm: 70_000 as Ppm, fundFastPpm: 70_000 as Ppm }
  took(x, account)
  assert.equal(account.takenMs, x.atMs)
  assert.deepEqual([...x.margin.taken], [accountKey(alice, cross)])
  const atMs = begin(x.atMs)
  assert.deepEqual(x.margin.takings, [{ atMs, asset: btc, risk: units('USDT', '7000') }])
  release(x, account)
  assert.deepEqual([account.takenMs, x.margin.taken.size], [0, 0])

  // Coins other than those of almost full weight count two fifths: 0.4 × 5,000 + 0.2 × 25,000 + 1,000 = 8,000.
  const second = given()
  const again = owing(second.x, alice, btc, units('BTC', '0.5'))
  owing(second.x, alice, eth, units('ETH', '2'))
  owing(second.x, alice, usdt, units('USDT', '30000'))
  const weights = [first!, { asset: eth, weightPpm: 949_999 as Ppm }]
  second.x.margin.terms = { ...second.x.margin.terms!, weights, fundAssetPpm: 80_000 as Ppm, fundFastPpm: 80_000 as Ppm }
  took(second.x, again)
  assert.equal(again.takenMs, second.x.atMs)
  assert.deepEqual(second.x.margin.takings, [{ atMs, asset: btc, risk: units('USDT', '8000') }])
})

test('MARGIN-FUND-002: of equal coins a take-over counts for that with the lower number, also when its value is balanced', () => {
  const asset = (prepare: (x: State, alice: UserId) => Account): number => {
    const { x, alice } = given()
    x.margin.terms = { ...x.margin.terms!, fundAssetPpm: 1_000_000 as Ppm, fundAllPpm: 1_000_000 as Ppm, fundFastPpm: 1_000_000 as Ppm }
    took(x, prepare(x, alice))
    return x.margin.takings[0]!.asset
  }
  const both = asset((x) => {
    other(x, 50, btc, 1_000)
    return other(x, 50, eth, 1_000)
  })
  const balanced = asset((x, alice) => {
    owing(x, alice, usdt, units('USDT', '10000'))
    return owing(x, alice, btc, units('BTC', '1'))
  })
  assert.deepEqual([both, balanced], [btc, btc])
})

test('MARGIN-FUND-002: the caps hold to the unit, per asset, in all, and for the last ten minutes', () => {
  // Alice owes 0.5 BTC, and has half a BTC more than that: 25,000 carried count 5,000. The other accounts lose all that they owe.
  const caps = { fundAssetPpm: 1_000_000 as Ppm, fundAllPpm: 1_000_000 as Ppm, fundFastPpm: 1_000_000 as Ppm }
  type Case = { readonly what: string; readonly prepare: (x: State) => void; readonly cap: Partial<typeof caps>; readonly waits: boolean }
  const carried = (asset: AssetId, value: number) => (x: State) =>
    void x.margin.taken.add(accountKey(other(x, 50, asset, value).user, cross))
  const taking = (asset: AssetId, ageMs: number) => (x: State) =>
    void x.margin.takings.push({ atMs: (x.atMs - ageMs) as Millis, asset, risk: units('USDT', '1000') as Units })
  const asset = (ppm: number) => ({ fundAssetPpm: ppm as Ppm })
  const all = (ppm: number) => ({ fundAllPpm: ppm as Ppm })
  const fast = (ppm: number) => ({ fundFastPpm: ppm as Ppm })
  const none = (): void => undefined
  const cases: readonly Case[] = [
    { what: 'alone', prepare: none, cap: asset(50_000), waits: true },
    { what: 'alone', prepare: none, cap: asset(49_999), waits: false },
    { what: 'alone', prepare: none, cap: all(49_999), waits: false },
    { what: 'alone', prepare: none, cap: fast(49_999), waits: false },
    // 1,000 owed in BTC count 1,000 as a loss and 200 as carried.
    { what: 'with BTC carried', prepare: carried(btc, 1_000), cap: asset(62_000), waits: true },
    { what: 'with BTC carried', prepare: carried(btc, 1_000), cap: asset(61_999), waits: false },
    { what: 'with ETH carried', prepare: carried(eth, 1_000), cap: asset(50_000), waits: true },
    { what: 'with ETH carried', prepare: carried(eth, 1_000), cap: all(62_000), waits: true },
    { what: 'with ETH carried', prepare: carried(eth, 1_000), cap: all(61_999), waits: false },
    { what: 'after one of BTC', prepare: taking(btc, 599_999), cap: fast(60_000), waits: true },
    { what: 'after one of BTC', prepare: taking(btc, 599_999), cap: fast(59_999), waits: false },
    { what: 'after one of ETH', prepare: taking(eth, 599_999), cap: fast(50_000), waits: true },
    { what: 'after an old one of BTC', prepare: taking(btc, 600_000), cap: fast(50_000), waits: true },
  ]
  for (const { what, prepare, cap, waits } of cases) {
    const { x, alice } = given()
    const account = owing(x, alice, btc, units('BTC', '0.5'))
    prepare(x)
    x.margin.terms = { ...x.margin.terms!, ...caps, ...cap }
    took(x, account)
    const said = `${what} ${JSON.stringify(cap)}`
    // Without patience the account counts as taken over half an hour ago.
    assert.equal(account.takenMs, waits ? x.atMs : x.atMs - 1_800_000, said)
    assert.equal(isPatient(x, account), waits, said)
    assert.equal(x.margin.taken.has(accountKey(alice, cross)), true, said)
    assert.equal(
      x.margin.takings.some(({ risk }) => risk === units('USDT', '5000')),
      waits,
      said,
    )
  }
})

test('MARGIN-FUND-002: take-overs of one minute in one asset add up, and the fund waits for at most 64 accounts', () => {
  const { x } = given()
  x.margin.terms = { ...x.margin.terms!, fundAssetPpm: 1_000_000 as Ppm, fundAllPpm: 1_000_000 as Ppm, fundFastPpm: 1_000_000 as Ppm }
  x.atMs = (begin(x.atMs) + minute) as Millis
  const atMs = x.atMs
  took(x, other(x, 100, btc, 1_000))
  took(x, other(x, 101, eth, 500))
  x.atMs = (atMs + minute - 1) as Millis
  took(x, other(x, 102, btc, 2_000))
  x.atMs = (atMs + minute) as Millis
  took(x, other(x, 103, btc, 5))
  assert.deepEqual(x.margin.takings, [
    { atMs, asset: btc, risk: units('USDT', '3600') },
    { atMs, asset: eth, risk: units('USDT', '600') },
    { atMs: atMs + minute, asset: btc, risk: units('USDT', '6') },
  ])
  for (let user = 104; user < 164; user++) took(x, other(x, user, btc, 5))
  assert.equal(x.margin.taken.size, 64)
  assert.equal(x.margin.accounts.get(accountKey(163 as UserId, cross))!.takenMs, x.atMs)
  const last = other(x, 164, btc, 5)
  took(x, last)
  assert.deepEqual([last.takenMs, x.margin.taken.size], [x.atMs - 1_800_000, 65])
})

test('MARGIN-FUND-001: the fund is patient for half an hour, and goes one percent further from the index with each day after it', () => {
  const { x, alice } = given()
  const account = x.margin.account(alice, cross)
  assert.equal(isPatient(x, account), false, 'it belongs to its owner')
  account.takenMs = x.atMs
  const at = (ms: number): readonly [boolean, number] => {
    x.atMs = (account.takenMs + ms) as Millis
    return [isPatient(x, account), takenSlippage(x, account)]
  }
  assert.deepEqual(at(0), [true, 10_000])
  assert.deepEqual(at(1_799_999), [true, 10_000])
  assert.deepEqual(at(1_800_000), [false, 10_000])
  assert.deepEqual(at(1_799_999 + day), [false, 10_000])
  assert.deepEqual(at(1_800_000 + day), [false, 20_000])
  assert.deepEqual(at(1_800_000 + 98 * day), [false, 990_000])
  assert.deepEqual(at(1_800_000 + 200 * day), [false, 1_000_000])
})

test('MARGIN-FUND-001: a patient step trades a tenth of the last minute’s volume, but at least the smallest order', () => {
  const { x, alice } = given()
  const account = x.margin.account(alice, cross)
  const venue = x.venue(btcusdt)!
  const route: Route = { venue, side: 1, reference: 50_000 as Ticks }
  const of = (lots: number): number => workOff(x, account, route, lots as Lots)
  assert.equal(of(500), 500)
  account.takenMs = x.atMs
  assert.deepEqual([of(500), of(1)], [1, 1], 'without a trade, one lot')
  // The smallest order is worth 120 USDT, three lots of 50.
  venue.setTerms({ ...venue.market.terms, notionalMin: 120_000_000 as Units }, x.atMs)
  assert.deepEqual([of(500), of(2)], [3, 2])
  venue.setTerms({ ...venue.market.terms, lotsMin: 7 as Lots }, x.atMs)
  assert.equal(of(500), 7)
  venue.average.add(x.atMs, 50_000 as Ticks, 199 as Lots)
  assert.deepEqual([of(500), of(15)], [19, 15])
})

test('MARGIN-FUND-001: nothing enters or leaves an account that the fund took over, also when it owes nothing any more', () => {
  const { x, alice } = given()
  const account = x.margin.account(alice, cross)
  const said = (): readonly unknown[] => [checkEnter(x, alice, cross, usdt, 1 as Units), checkLeave(x, alice, cross, usdt, 1 as Units)]
  assert.deepEqual(said(), [undefined, undefined])
  Object.assign(account, { state: LIQUIDATING, takenMs: x.atMs })
  assert.deepEqual(said(), ['ACCOUNT_LIQUIDATING', 'ACCOUNT_LIQUIDATING'])
  release(x, account)
  assert.deepEqual(said(), [undefined, undefined])
})

for (const isTaken of [false, true])
  test(`MARGIN-FUND-003: a repaid debt worth less than a unit of USDT ends the liquidation too (${isTaken ? 'taken over' : 'own account'})`, () => {
    const { x, alice } = given()
    const account = owing(x, alice, btc, 3)
    for (const asset of [usdt, btc]) {
      const row = marginRow(x, alice, cross, asset)
      move(x, row, insuranceRow(x, asset), x.ledger.available(row), INSURANCE)
    }
    const fund = x.ledger.available(insuranceRow(x, btc))
    x.margin.pool(btc)!.principal = 3 as Units
    x.margin.prices[btc]!.last = 10_000 as IndexPrice
    x.margin.indebted.add(account)
    account.state = LIQUIDATING
    if (isTaken) {
      account.takenMs = x.atMs
      x.margin.taken.add(accountKey(alice, cross))
    }
    x.margin.steps.add(accountKey(alice, cross))
    liquidateSome(x)
    assert.equal(fund - x.ledger.available(insuranceRow(x, btc)), 3)
    assert.deepEqual([account.debts.length, account.state === LIQUIDATING, account.takenMs], [0, false, 0])
    assert.deepEqual([x.margin.indebted.size, x.margin.steps.size, x.margin.taken.size], [0, 0, 0])
  })
