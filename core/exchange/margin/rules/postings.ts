/** Rows of margin accounts and lenders, and the only ways in which loans enter and leave the ledger. */
import type { Units } from '../../../money/brand.ts'
import type { Row } from '../../../ledger/row.ts'
import type { AssetId, KindNumber, MarketId, ReasonNumber, UserId } from '../../../protocol/ids.ts'
import { entryReasons } from '../../../protocol/event/index.ts'
import type { EntryReason } from '../../../protocol/event/index.ts'
import { accountKinds } from '../../../protocol/account.ts'
import type { State } from '../../state/state.ts'

const number = (reason: EntryReason): ReasonNumber => entryReasons.indexOf(reason) as ReasonNumber

export const BORROW = number('borrow')
export const REPAY = number('repay')
export const INTEREST = number('interest')
export const SUPPLY = number('supply')
export const WITHDRAW = number('withdraw')
export const INSURANCE = number('insurance')
export const LIQUIDATION_FEE = number('liquidation-fee')

export const CROSS = accountKinds.indexOf('margin-cross')
export const ISOLATED = accountKinds.indexOf('margin-isolated')
const LEND = accountKinds.indexOf('lend') as KindNumber

/** Row of an asset in a margin account (market 0: cross), or the shared empty row. */
export function marginRow(x: State, user: UserId, market: MarketId, asset: AssetId): Row {
  return x.ledger.find(user, (market === 0 ? CROSS : ISOLATED + 16 * market) as KindNumber, asset)
}

/** Row of an asset in a margin account, for money that enters the account; made if needed. */
export function openMarginRow(x: State, user: UserId, market: MarketId, asset: AssetId): Row {
  return x.ledger.row(user, (market === 0 ? CROSS : ISOLATED + 16 * market) as KindNumber, asset)
}

/** Row of a lender's claim, or the shared empty row. The held part waits in the queue for withdrawal. */
export function lendRow(x: State, user: UserId, asset: AssetId): Row {
  return x.ledger.find(user, LEND, asset)
}

/** Row of a lender's claim; made if needed. */
export function openLendRow(x: State, user: UserId, asset: AssetId): Row {
  return x.ledger.row(user, LEND, asset)
}

export function interestRow(x: State, asset: AssetId): Row {
  return x.ledger.systemRow('lend-interest', asset)
}

/** The insurance fund of margin trading; futures have their own. */
export function insuranceRow(x: State, asset: AssetId): Row {
  return x.ledger.systemRow('insurance-margin', asset)
}

/** Creates a debt: `outside:loans` goes down by its amount. */
export function owe(x: State, asset: AssetId, row: Row, amount: Units, reason: ReasonNumber): void {
  x.ledger.debitOutside(x.ledger.systemRow('outside:loans', asset), amount, reason)
  x.ledger.credit(row, amount, reason)
}

/** Pays a debt from the available sum. */
export function pay(x: State, asset: AssetId, row: Row, amount: Units, reason: ReasonNumber): void {
  x.ledger.debit(row, amount, reason)
  x.ledger.credit(x.ledger.systemRow('outside:loans', asset), amount, reason)
}

/** Moves from one account's available sum to another's. */
export function move(x: State, from: Row, to: Row, amount: Units, reason: ReasonNumber): void {
  x.ledger.debit(from, amount, reason)
  x.ledger.credit(to, amount, reason)
}
