/** The check of margin trading's books: a state in which one figure is wrong is told by one sentence, a right one by none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Units } from '../../../money/brand.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { AssetId, MarketId, OrderId, UserId } from '../../../protocol/ids.ts'
import { restoreState } from '../../dump.ts'
import type { State } from '../../state/state.ts'
import { marginViolations } from '../balance.ts'
import { liquidity } from '../loans/pool.ts'
import { Debt } from '../records/account.ts'
import { BORROW, interestRow, openMarginRow, owe } from '../rules/postings.ts'
import { btcusdt, free, open, units } from './world.ts'

const [usdt, eth] = [1 as AssetId, 3 as AssetId]
const cross = 0 as MarketId
const flat = { ...free, rateZero: 1_000_000_000, rateKink: 1_000_000_000, rateFull: 1_000_000_000 }

/**
 * Alice owes USDT in two accounts and BTC in one; bob supplied USDT within the hour; the BTC lender waits for a part of the redemption.
 * An hour's interest is charged and not yet shared.
 */
function world() {
  const desk = open(flat).user('alice', { USDT: '9000000' }).user('bob', { USDT: '1000' })
  desk.enter('alice', 'USDT', '8000000').isAccepted()
  desk.enter('alice', 'USDT', '100000', btcusdt).isAccepted()
  desk.borrow('alice', 'USDT', '1000').isAccepted()
  desk.borrow('alice', 'USDT', '2000', btcusdt).isAccepted()
  desk.borrow('alice', 'BTC', '90').isAccepted()
  desk.withdraw('lender', 'BTC', '50').isAccepted()
  desk.supply('bob', 'USDT', '1000').isAccepted()
  return { dump: desk.world.exchange.dump(), alice: desk.world.user('alice') as UserId }
}

const { dump, alice } = world()

/** Violations that the check finds in a state after this change. */
function said(change: (x: State) => void): readonly string[] {
  const x = restoreState(dump)
  x.write(new Records())
  change(x)
  return marginViolations(x)
}

const debtOf = (x: State, market = cross): Debt => x.margin.account(alice, market).debts[0]!
const pool = (x: State) => x.margin.pool(usdt)

test('MARGIN-BOOKS-001: books that are right have no violation, and neither have those of an exchange without terms', () => {
  assert.deepEqual(
    said(() => undefined),
    [],
  )
  assert.deepEqual(
    said((x) => {
      pool(x).claims++
      x.margin.terms = undefined
    }),
    [],
  )
})

test('MARGIN-BOOKS-001: exactly the accounts with debts are listed as such, and each debt is above zero', () => {
  assert.deepEqual(
    said((x) => x.margin.indebted.delete(x.margin.account(alice, cross))),
    [`account ${alice}/0 is misfiled`],
  )
  assert.deepEqual(
    said((x) => x.margin.indebted.add(x.margin.account(alice, 3 as MarketId))),
    [`account ${alice}/3 is misfiled`],
  )
  // A debt of nothing in ETH.
  const empty = (x: State): void => void x.margin.account(alice, cross).debts.push(new Debt(eth, x.margin.hour))
  assert.deepEqual(said(empty), [`debt of ${alice}/0 in 3`])
  /** The debt as a whole stays as it is. */
  const split = (principal: (sum: number) => number) => (x: State) => {
    const debt = debtOf(x)
    const sum = debt.principal + debt.interest
    const moved = principal(sum) - debt.principal
    debt.principal = (debt.principal + moved) as Units
    debt.interest = (debt.interest - moved) as Units
    pool(x).principal = (pool(x).principal + moved) as Units
    pool(x).interest = (pool(x).interest - moved) as Units
  }
  assert.deepEqual([said(split(() => 0)), said(split((sum) => sum))], [[], []])
  const wrong = [`debt of ${alice}/0 in 1`]
  assert.deepEqual([said(split(() => -1)), said(split((sum) => sum + 1))], [wrong, wrong])
})

test('MARGIN-BOOKS-001: each loan that is remembered belongs to a living order without a list, or to a list with a living order', () => {
  const number = 1_000 as OrderId
  const remembers = (list: number | undefined, loan: number) => (x: State) => {
    const slot = x.orders.add(number, alice, btcusdt)
    if (list !== undefined) x.orders.extra(slot).list = list as OrderId
    x.lastOrder = (number + 1) as OrderId
    x.margin.loans.set(loan, { own: 0 as Units, lent: 1 as Units, fee: 0 as Units, spent: 0 })
  }
  assert.deepEqual([said(remembers(undefined, number)), said(remembers(number - 1, number - 1))], [[], []])
  const wrong = (loan: number): readonly string[] => [`the loan of ${loan} belongs to no order or list`]
  assert.deepEqual([said(remembers(number - 1, number)), said(remembers(undefined, 998))], [wrong(number), wrong(998)])
})

test('MARGIN-BOOKS-001: a pool’s loans and `outside:loans` are those of all accounts together', () => {
  const wrong = ['debts in 1 are not what its pool lent']
  const change = (principal: number, interest: number) => (x: State) => {
    pool(x).principal = (pool(x).principal + principal) as Units
    pool(x).interest = (pool(x).interest + interest) as Units
  }
  assert.deepEqual([said(change(1, 0)), said(change(0, 1)), said(change(1, -1))], [wrong, wrong, wrong])
  assert.deepEqual(
    said((x) => x.ledger.credit(x.ledger.systemRow('outside:loans', usdt), 1 as Units, BORROW)),
    ['outside:loans of 1 is not minus all debts'],
  )
})

test('MARGIN-BOOKS-001: a pool lends everything that it has, and not one unit more', () => {
  const lend = (more: number) => (x: State) => {
    const amount = (liquidity(x, pool(x)) + more) as Units
    owe(x, usdt, openMarginRow(x, alice, cross, usdt), amount, BORROW)
    debtOf(x).principal = (debtOf(x).principal + amount) as Units
    pool(x).principal = (pool(x).principal + amount) as Units
  }
  assert.deepEqual([said(lend(0)), said(lend(1))], [[], ['pool 1 lent more than it has']])
})

test('MARGIN-BOOKS-001: a pool’s claims, its queue and what earns are those of its lenders', () => {
  const btc = (x: State) => x.margin.pool(2 as AssetId)
  assert.deepEqual(
    said((x) => void pool(x).claims++),
    ['claims in 1 are not what its pool counts'],
  )
  assert.deepEqual(
    said((x) => void pool(x).earning++),
    ['what earns in 1 is not what its pool counts'],
  )
  const wrong = ['the queue of 2 is not what is held']
  const queue = (counted: number, waiting: number) => (x: State) => {
    btc(x).queued = (btc(x).queued + counted) as Units
    btc(x).queue[0]!.amount = (btc(x).queue[0]!.amount + waiting) as Units
  }
  assert.ok(restoreState(dump).margin.pools[2]!.queued > 0)
  assert.deepEqual([said(queue(1, 0)), said(queue(0, 1)), said(queue(1, 1))], [wrong, wrong, wrong])
})

test('MARGIN-BOOKS-001: what lenders and the fund are due never exceeds the interest that is there', () => {
  const wrong = ['interest of 1 is promised twice']
  const due =
    (pot: number, reserve: number, index = 0) =>
    (x: State) => {
      pool(x).index += index
      pool(x).pot = pot
      pool(x).reserve = reserve
    }
  const interest = ((x: State) => x.ledger.available(interestRow(x, usdt)))(restoreState(dump))
  assert.ok(interest > units('USDT', '1'))
  assert.deepEqual([said(due(interest - 5, 5)), said(due(interest - 5, 6)), said(due(interest - 4, 5))], [[], wrong, wrong])
  assert.deepEqual([said(due(-1, 0)), said(due(0, -1)), said(due(0, 0))], [wrong, wrong, []])
  // A millionth of a unit for each unit of 1,001,000 USDT is 1.001 USDT.
  const pending = units('USDT', '1.001')
  assert.deepEqual([said(due(interest - pending, 0, 1_000_000)), said(due(interest - pending + 1, 0, 1_000_000))], [[], wrong])
})
