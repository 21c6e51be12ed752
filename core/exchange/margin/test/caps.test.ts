/** The caps of the margin insurance fund with the first terms, each to the unit, while the others leave room. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis, Units } from '../../../money/brand.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { AssetId, MarketId, UserId } from '../../../protocol/ids.ts'
import { restoreState } from '../../dump.ts'
import type { State } from '../../state/state.ts'
import { release, takeOver } from '../liquidation/take-over.ts'
import { Debt, accountKey } from '../records/account.ts'
import type { Account } from '../records/account.ts'
import { worth } from '../rules/value.ts'
import { open, units } from './world.ts'

const [usdt, btc, eth] = [1 as AssetId, 2 as AssetId, 3 as AssetId]
const cross = 0 as MarketId
/** Units of a debt worth one USDT. */
const unitsPerUsdt = new Map([
  [usdt, 1_000_000],
  [btc, 1e8 / 50_000],
  [eth, 1e8 / 2_500],
])
type Owed = readonly [asset: AssetId, usdtValue: number]

/** The first terms, and a fund of 100,000 USDT: 10,000 per asset, 25,000 in all, 5,000 per asset within ten minutes. */
function given(): State {
  const desk = open({})
  desk.world.do({ type: 'funds.system', account: 'insurance-margin', asset: 1, amount: units('USDT', '100000') }).isAccepted()
  const x = restoreState(desk.world.exchange.dump())
  x.write(new Records())
  return x
}

/** An account without assets: it loses all that it owes, and of BTC and ETH a fifth counts once more. */
function owing(x: State, user: number, ...owed: readonly Owed[]): Account {
  const account = x.margin.account(user as UserId, cross)
  for (const [asset, usdtValue] of owed) {
    const debt = new Debt(asset, x.margin.hour)
    debt.principal = Math.round(usdtValue * unitsPerUsdt.get(asset)!) as Units
    account.debts.push(debt)
    account.assets.push(asset)
  }
  return account
}

/** Whether the fund carries an account with patience; without it, the account counts as taken half an hour ago. */
function waits(x: State, user: number, ...owed: readonly Owed[]): boolean {
  const account = owing(x, user, ...owed)
  takeOver(x, account, worth(x, account))
  assert.ok(account.takenMs === x.atMs || account.takenMs === x.atMs - 1_800_000)
  return account.takenMs === x.atMs
}

function carries(x: State, user: number, ...owed: readonly Owed[]): void {
  x.margin.taken.add(accountKey(owing(x, user, ...owed).user, cross))
}

const unit = 0.000_001

test('MARGIN-FUND-002: within ten minutes an asset counts 5 % of the fund, and not one unit more', () => {
  const after = (asset: AssetId, ageMs: number, ...owed: readonly Owed[]): boolean => {
    const x = given()
    x.margin.takings.push({ atMs: (x.atMs - ageMs) as Millis, asset, risk: units('USDT', '3000') as Units })
    return waits(x, 50, ...owed)
  }
  // 1,500 BTC × 1.2 + 200 = 2,000, of 5,000 less 3,000.
  assert.equal(after(btc, 599_999, [btc, 1_500], [usdt, 200]), true)
  assert.equal(after(btc, 599_999, [btc, 1_500], [usdt, 200 + unit]), false)
  // After ten minutes, or in another asset, 4,000 × 1.2 + 200 = 5,000.
  for (const [asset, ageMs] of [
    [btc, 600_000],
    [eth, 0],
  ] as const) {
    assert.equal(after(asset, ageMs, [btc, 4_000], [usdt, 200]), true)
    assert.equal(after(asset, ageMs, [btc, 4_000], [usdt, 200 + unit]), false)
  }
})

test('MARGIN-FUND-002: an asset counts 10 % of the fund, and not one unit more', () => {
  const beside = (asset: AssetId, more: number): boolean => {
    const x = given()
    // 5,000 × 1.2 = 6,000, and 3,000 × 1.2 + 400 = 4,000.
    carries(x, 50, [asset, 5_000])
    return waits(x, 51, [btc, 3_000], [usdt, 400 + more])
  }
  assert.deepEqual([beside(btc, 0), beside(btc, unit), beside(eth, unit)], [true, false, true])
})

test('MARGIN-FUND-002: all assets together count 25 % of the fund, and not one unit more', () => {
  const last = (more: number): boolean => {
    const x = given()
    // 9,000 of ETH, 9,000 of USDT alone and 3,000 of BTC leave 4,000 of 25,000, and 7,000 of 10,000 in BTC.
    carries(x, 50, [eth, 7_500])
    carries(x, 51, [usdt, 9_000])
    carries(x, 52, [btc, 2_500])
    return waits(x, 53, [btc, 3_000], [usdt, 400 + more])
  }
  assert.deepEqual([last(0), last(unit)], [true, false])
})

test('MARGIN-FUND-002: of coins other than BTC and ETH 40 % count, to the unit', () => {
  const owes = (isFirm: boolean, debt: number): boolean => {
    const x = given()
    const weights = x.margin.terms!.weights.filter(({ asset }) => isFirm || asset !== eth)
    x.margin.terms = { ...x.margin.terms!, weights }
    return waits(x, 50, [eth, 3_000], [usdt, debt])
  }
  // 3,000 × 1.4 + 800 = 5,000 of 5,000; as one of BTC and ETH 3,000 × 1.2 + 1,400.
  assert.deepEqual([owes(false, 800), owes(false, 800 + unit)], [true, false])
  assert.deepEqual([owes(true, 1_400), owes(true, 1_400 + unit)], [true, false])
})

test('MARGIN-FUND-002: the fund carries 64 accounts with patience, and the next one only after one of them has ended', () => {
  const x = given()
  // 64 × 6 of 5,000 within ten minutes.
  for (let user = 50; user < 114; user++) assert.equal(waits(x, user, [btc, 5]), true)
  assert.equal(waits(x, 114, [btc, 5]), false)
  release(x, x.margin.account(114 as UserId, cross))
  assert.equal(waits(x, 115, [btc, 5]), false)
  release(x, x.margin.account(115 as UserId, cross))
  release(x, x.margin.account(50 as UserId, cross))
  assert.equal(waits(x, 116, [btc, 5]), true)
})
