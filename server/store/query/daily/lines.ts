import type { EntryReason } from '@candor/core/protocol/event/index.ts'
import type { StatementLine } from '@candor/core/protocol/wire/days/daily.ts'

/** The line of a statement that counts an entry. A new reason does not compile until it has one. Holds leave a balance's sum unchanged. */
const lines: { readonly [R in Exclude<EntryReason, 'hold' | 'release'>]: StatementLine } = {
  deposit: 'deposits',
  'deposit-reversed': 'deposits',
  'deposit-debt': 'deposits',
  withdrawal: 'withdrawals',
  faucet: 'practice',
  endowment: 'practice',
  posting: 'adjustments',
  transfer: 'transfers',
  supply: 'transfers',
  withdraw: 'transfers',
  trade: 'trades',
  realised: 'trades',
  insurance: 'trades',
  deleverage: 'trades',
  stake: 'trades',
  payout: 'trades',
  convert: 'trades',
  hedge: 'trades',
  'presale-subscribe': 'trades',
  'presale-refund': 'trades',
  'presale-allocate': 'trades',
  'presale-release': 'trades',
  'firm-move': 'moves',
  fee: 'fees',
  'liquidation-fee': 'fees',
  'withdrawal-fee': 'fees',
  referral: 'commission',
  funding: 'funding',
  interest: 'interest',
  borrow: 'loans',
  repay: 'loans',
}

export type StatementReason = keyof typeof lines

export const lineOf = (reason: StatementReason): StatementLine => lines[reason]

export const statementReasons = Object.keys(lines) as readonly StatementReason[]

const reasonsOf = (...of: readonly StatementLine[]): readonly StatementReason[] =>
  statementReasons.filter((reason) => of.includes(lines[reason]))

/** Money from or to outside the customer's accounts that is no result. */
export const netReasons = reasonsOf('deposits', 'withdrawals', 'practice', 'adjustments', 'moves')
/** Moves between accounts of one customer: they sum to zero. */
export const transferReasons = reasonsOf('transfers')
