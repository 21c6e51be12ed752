/** Changes of a debt: borrowing, interest, repayment. */
import type { Units } from '../../../money/brand.ts'
import type { Row } from '../../../ledger/row.ts'
import type { AssetId } from '../../../protocol/ids.ts'
import { writeLoan } from '../../../protocol/codec/margin-write.ts'
import type { LoanCause } from '../../../protocol/event/margin.ts'
import { hourInterest } from '../../../risk/margin-rate.ts'
import type { State } from '../../state/state.ts'
import { earn, payOut, rateNow } from './pool.ts'
import { BORROW, REPAY, openMarginRow, owe, pay } from '../rules/postings.ts'
import { Debt, LIQUIDATING } from '../records/account.ts'
import type { Account } from '../records/account.ts'
import { isBare, noteAsset } from '../rules/value.ts'

/**
 * Adds to a debt and charges the running hour at the rate that the pool has afterwards; earlier debt is charged first. The caller
 * has checked, after `turnHour`.
 */
export function borrow(x: State, account: Account, asset: AssetId, amount: Units, cause: LoanCause): void {
  const pool = x.margin.pool(asset)
  const debt = debtIn(x, account, asset)
  accrue(x, account, debt)
  owe(x, asset, openMarginRow(x, account.user, account.market, asset), amount, BORROW)
  debt.principal = (debt.principal + amount) as Units
  pool.principal = (pool.principal + amount) as Units
  x.margin.touched.add(pool)
  tell(x, account, debt, cause, amount)
  charge(x, account, debt, hourInterest(amount, rateNow(x, pool)), true)
  payOut(x, pool)
}

/** Charges a debt for the hours since it was last charged, at the rates fixed for them. */
export function accrue(x: State, account: Account, debt: Debt): void {
  const hours = x.margin.hour - debt.paidHour
  debt.paidHour = x.margin.hour
  if (hours <= 0) return
  // Interest that nobody can pay is not charged: it would go to lenders without being backed.
  if (account.state === LIQUIDATING && isBare(x, account)) return
  charge(x, account, debt, (hours * hourInterest(debt.principal, x.margin.pool(debt.asset).rate)) as Units, false)
}

function charge(x: State, account: Account, debt: Debt, interest: Units, isFirst: boolean): void {
  if (interest === 0) return
  debt.interest = (debt.interest + interest) as Units
  earn(x, x.margin.pool(debt.asset), interest, isFirst)
  tell(x, account, debt, 'interest', interest)
}

/** Repays a debt, interest first, from a row with `amount` available. The debt must be at least `amount`. */
export function repay(x: State, account: Account, debt: Debt, amount: Units, cause: LoanCause, row: Row): void {
  const pool = x.margin.pool(debt.asset)
  pay(x, debt.asset, row, amount, REPAY)
  const interest = Math.min(amount, debt.interest)
  debt.interest = (debt.interest - interest) as Units
  pool.interest = (pool.interest - interest) as Units
  debt.principal = (debt.principal - (amount - interest)) as Units
  pool.principal = (pool.principal - (amount - interest)) as Units
  x.margin.touched.add(pool)
  tell(x, account, debt, cause, -amount as Units)
  if (debt.principal === 0 && debt.interest === 0) drop(x, account, debt)
  payOut(x, pool)
}

/** The account's debt in an asset; made if needed. */
function debtIn(x: State, account: Account, asset: AssetId): Debt {
  const known = account.debt(asset)
  if (known !== undefined) return known
  const debt = new Debt(asset, x.margin.hour)
  account.debts.push(debt)
  account.debts.sort((a, b) => a.asset - b.asset)
  x.margin.indebted.add(account)
  noteAsset(account, asset)
  return debt
}

function drop(x: State, account: Account, debt: Debt): void {
  account.debts.splice(account.debts.indexOf(debt), 1)
  if (account.debts.length === 0) x.margin.indebted.delete(account)
}

function tell(x: State, account: Account, debt: Debt, cause: LoanCause, delta: Units): void {
  account.calmUntil = 0
  const { user, market } = account
  const { asset, principal, interest } = debt
  writeLoan(x.events, { user, market, asset, cause, delta, principal, interest })
}
