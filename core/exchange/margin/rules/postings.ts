/** Where the money of margin accounts and lenders stands, and the only ways that loans enter and leave the ledger. */
import { entryReasons } from '../../../protocol/event/index.ts'
import type { EntryReason } from '../../../protocol/event/index.ts'
import { accountKinds } from '../../../protocol/account.ts'
import type { State } from '../../state/state.ts'

const number = (reason: EntryReason): number => entryReasons.indexOf(reason)

export const BORROW = number('borrow')
export const REPAY = number('repay')
export const INTEREST = number('interest')
export const SUPPLY = number('supply')
export const WITHDRAW = number('withdraw')
export const INSURANCE = number('insurance')
export const LIQUIDATION_FEE = number('liquidation-fee')

export const CROSS = accountKinds.indexOf('margin-cross')
export const ISOLATED = accountKinds.indexOf('margin-isolated')
const LEND = accountKinds.indexOf('lend')

/** Row of an asset in a margin account; market 0: cross. Nobody's, without a unit, where the account never had any of it. */
export function marginRow(x: State, user: number, market: number, asset: number): number {
  return x.ledger.find(user, market === 0 ? CROSS : ISOLATED + 16 * market, asset)
}

/** The same, made when there is none: for what enters the account. */
export function openMarginRow(x: State, user: number, market: number, asset: number): number {
  return x.ledger.row(user, market === 0 ? CROSS : ISOLATED + 16 * market, asset)
}

/** Row of a lender's claim: what is held waits to be withdrawn. Nobody's, without a unit, where nothing was ever lent. */
export function lendRow(x: State, user: number, asset: number): number {
  return x.ledger.find(user, LEND, asset)
}

/** The same, made when there is none. */
export function openLendRow(x: State, user: number, asset: number): number {
  return x.ledger.row(user, LEND, asset)
}

export function interestRow(x: State, asset: number): number {
  return x.ledger.systemRow('lend-interest', asset)
}

/** The insurance fund of margin trading; futures have their own. */
export function insuranceRow(x: State, asset: number): number {
  return x.ledger.systemRow('insurance-margin', asset)
}

/** A debt comes to be: what is owed is minus what `outside:loans` has. */
export function owe(x: State, asset: number, row: number, amount: number, reason: number): void {
  x.ledger.debitOutside(x.ledger.systemRow('outside:loans', asset), amount, reason)
  x.ledger.credit(row, amount, reason)
}

/** A debt is paid from what is available. */
export function pay(x: State, asset: number, row: number, amount: number, reason: number): void {
  x.ledger.debit(row, amount, reason)
  x.ledger.credit(x.ledger.systemRow('outside:loans', asset), amount, reason)
}

/** From one account's available into another's. */
export function move(x: State, from: number, to: number, amount: number, reason: number): void {
  x.ledger.debit(from, amount, reason)
  x.ledger.credit(to, amount, reason)
}
