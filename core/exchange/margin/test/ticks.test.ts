/** Each kind of work that a clock tick or an index tick does for margin accounts and pools. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexPrice, Millis, Units } from '../../../money/brand.ts'
import { decodeEvents } from '../../../protocol/codec/event.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { AssetId, MarketId, UserId } from '../../../protocol/ids.ts'
import { restoreState } from '../../dump.ts'
import type { State } from '../../state/state.ts'
import { Debt, LIQUIDATING, SAFE, WATCH, accountKey } from '../records/account.ts'
import type { Account } from '../records/account.ts'
import { INTEREST, SUPPLY, interestRow, openMarginRow } from '../rules/postings.ts'
import { marginDueAtMs, marginOnIndex, marginTick } from '../tick.ts'
import { btcusdt, open } from './world.ts'

const usdt = 1 as AssetId
const cross = 0 as MarketId
const user = 50 as UserId
const hour = 3_600_000

/** A state without debts and with empty pools, whose running hour has begun. BTC is worth 50,000. */
function given(): State {
  const x = restoreState(open().world.exchange.dump())
  x.write(new Records())
  x.margin.pools.length = 0
  x.margin.hour = Math.floor(x.atMs / hour)
  return x
}

/** A cross account that has USDT and owes 100 units of it. */
function owes(x: State, assets: number): Account {
  const account = x.margin.account(user, cross)
  const debt = new Debt(usdt, x.margin.hour)
  debt.principal = 100 as Units
  x.margin.pool(usdt).principal = 100 as Units
  account.debts.push(debt)
  account.assets.push(usdt)
  x.ledger.credit(openMarginRow(x, user, cross, usdt), assets as Units, SUPPLY)
  x.margin.indebted.add(account)
  return account
}

/** The account is in liquidation, and its own 112 units repay what it owes. */
function liquidates(x: State): Account {
  const account = owes(x, 112)
  account.state = LIQUIDATING
  x.margin.steps.add(accountKey(user, cross))
  return account
}

/** The pool of USDT owes the insurance fund 30 units, and has them. */
function owesFund(x: State): void {
  x.margin.pool(usdt).reserve = 30
  x.ledger.credit(interestRow(x, usdt), 30 as Units, INTEREST)
}

const told = (x: State): readonly string[] => decodeEvents(x.events.data, 0, x.events.length).map(({ type }) => type)

test('MARGIN-INTEREST-001: a clock tick charges a debt when an hour is over', () => {
  const x = given()
  const { debts } = owes(x, 200)
  marginTick(x)
  assert.equal(debts[0]!.interest, 0)
  x.atMs = ((x.margin.hour + 1) * hour) as Millis
  marginTick(x)
  // Rounded up to a unit.
  assert.deepEqual([debts[0]!.interest, debts[0]!.paidHour], [1, x.margin.hour])
})

test('MARGIN-LIQ-016: a clock tick continues a review, and begins none', () => {
  const x = given()
  const account = owes(x, 112)
  marginTick(x)
  assert.equal(account.state, SAFE)
  x.margin.reviewFrom = 0
  marginTick(x)
  assert.deepEqual([account.state, x.margin.reviewFrom], [WATCH, -1])
})

test('MARGIN-LIQ-010: a clock tick continues the steps of liquidations', () => {
  const x = given()
  const account = liquidates(x)
  assert.equal(marginDueAtMs(x), x.atMs)
  marginTick(x)
  assert.deepEqual([account.debts, account.state, x.margin.steps.size], [[], SAFE, 0])
  assert.notEqual(marginDueAtMs(x), x.atMs)
})

test('LEND-QUEUE-001: a clock tick pays what liquid pools owe, and reports each changed pool once', () => {
  const x = given()
  owesFund(x)
  marginTick(x)
  assert.deepEqual([x.margin.pool(usdt).reserve, x.ledger.available(interestRow(x, usdt))], [0, 0])
  assert.deepEqual(
    told(x).filter((type) => type === 'lend.pool'),
    ['lend.pool'],
  )
  assert.equal(x.margin.touched.size, 0)
  const before = x.events.length
  marginTick(x)
  assert.equal(x.events.length, before, 'nothing has changed')
})

test('MARGIN-LIQ-016: an index tick adds up how far levels can have fallen, and reviews and liquidates the accounts that owe', () => {
  const x = given()
  const before = x.margin.moved
  // A quarter more: 2 × 0.25 ÷ 0.75.
  x.venues[btcusdt]!.setIndex(6_250_000_000_000 as IndexPrice, 4, true)
  marginOnIndex(x)
  assert.equal(x.margin.moved, before + 666_666_667)
  const watched = owes(x, 112)
  marginOnIndex(x)
  assert.equal(watched.state, WATCH)
  const other = given()
  const account = liquidates(other)
  marginOnIndex(other)
  assert.deepEqual([account.debts, account.state], [[], SAFE])
})
