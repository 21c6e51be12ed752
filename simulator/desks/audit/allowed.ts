import type { AccountKind, AccountRef, SystemAccount } from '@candor/core/protocol/account.ts'
import type { EntryReason } from '@candor/core/protocol/event/index.ts'
import { fail } from '../failure.ts'

/** The reasons for which money may move in each account of the exchange. */
const ofSystem: Readonly<Record<SystemAccount, readonly EntryReason[]>> = {
  'outside:sandbox': ['faucet', 'endowment'],
  'outside:chain': [],
  fees: ['fee', 'referral'],
  insurance: ['hold', 'release', 'insurance', 'funding', 'realised', 'liquidation-fee', 'endowment', 'repay'],
  'option-house': ['hold', 'release', 'stake', 'payout', 'endowment', 'transfer'],
  'convert-inventory': ['endowment', 'convert', 'hedge'],
  'outside:loans': ['borrow', 'repay', 'interest'],
  'outside:perp': ['realised', 'insurance', 'deleverage'],
  'lend-interest': ['interest', 'insurance'],
  'insurance-margin': ['insurance', 'liquidation-fee', 'endowment', 'repay'],
  'outside:debts': [],
  // The runs of this audit have no presales.
  'presale-tokens': [],
  'presale-escrow': [],
  'presale-proceeds': [],
}

const margin: readonly EntryReason[] = ['transfer', 'hold', 'release', 'trade', 'fee', 'borrow', 'repay', 'insurance', 'liquidation-fee']
const ofUser: Readonly<Record<AccountKind, readonly EntryReason[]>> = {
  spot: ['faucet', 'transfer', 'hold', 'release', 'trade', 'fee', 'supply', 'withdraw', 'referral'],
  perp: ['transfer', 'hold', 'release', 'fee', 'realised', 'funding', 'liquidation-fee', 'deleverage'],
  'margin-cross': margin,
  'margin-isolated': margin,
  option: ['transfer', 'hold', 'release', 'stake', 'payout'],
  lend: ['supply', 'withdraw', 'interest', 'hold', 'release'],
}

/** Throws if money of this account must not move for this reason. */
export function checkReason(account: AccountRef, reason: EntryReason): void {
  const allowed = 'system' in account ? ofSystem[account.system] : ofUser[account.kind]
  if (!allowed.includes(reason)) fail(`${reason} of ${'system' in account ? account.system : account.kind}`)
}
