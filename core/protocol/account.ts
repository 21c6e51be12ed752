import type { AssetId, MarketId, UserId } from './ids.ts'

/**
 * The accounts that a customer can have. `isolated` ones exist per market. The position in the list is the number on disk: append
 * only.
 */
export const accountKinds = ['spot', 'perp', 'margin-cross', 'margin-isolated', 'option', 'lend'] as const
export type AccountKind = (typeof accountKinds)[number]

/**
 * The exchange's own accounts. Those that start with `outside:` mirror the world outside the ledger and are the only ones that
 * may be negative: their negative sum equals the balances of all others. `outside:loans` is minus the debts of margin accounts.
 * `outside:perp` is minus the profit taken out of Futures while the other side is still open; it equals the sum of the costs of all
 * open positions, with shorts positive. `outside:debts` is minus what customers owe for deposits that vanished from their chain after
 * they were spent. `insurance` is the fund of Futures, `insurance-margin` that of margin accounts and
 * lending; neither pays for the other. `presale-tokens` has tokens to be sold, `presale-escrow` subscribed sums until the end of their
 * presale, and `presale-proceeds` the sums that sold tokens cost. The position in the list is the number on disk: append only.
 */
export const systemAccounts = [
  'outside:sandbox',
  'outside:chain',
  'fees',
  'insurance',
  'option-house',
  'convert-inventory',
  'outside:loans',
  'outside:perp',
  'lend-interest',
  'insurance-margin',
  'outside:debts',
  'presale-tokens',
  'presale-escrow',
  'presale-proceeds',
] as const
export type SystemAccount = (typeof systemAccounts)[number]

/** Names one account: its owner, kind and asset. `market` is set for `margin-isolated` only. */
export type AccountRef =
  | { readonly user: UserId; readonly kind: AccountKind; readonly asset: AssetId; readonly market?: MarketId }
  | { readonly system: SystemAccount; readonly asset: AssetId }
