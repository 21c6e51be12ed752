import type { AssetId, MarketId, UserId } from './ids.ts'

/** The accounts a customer can have; `isolated` ones exist per market. The order is their number on disk: append only. */
export const accountKinds = ['spot', 'perp', 'margin-cross', 'margin-isolated', 'option', 'lend'] as const
export type AccountKind = (typeof accountKinds)[number]

/**
 * The exchange's own accounts. Those that start with `outside:` mirror the world beyond the ledger and are the only
 * ones that may be negative: what they owe is what customers hold. `outside:loans` is minus all that is owed on margin
 * accounts; `outside:perp` is minus the profit taken out of contracts whose other side is still open, so it equals
 * the sum of the costs of all open positions, shorts above zero. `insurance` is the fund of futures, `insurance-margin`
 * that of margin accounts and lending: neither pays for the other. The order is their number on disk: append only.
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
] as const
export type SystemAccount = (typeof systemAccounts)[number]

/** Whose account, which, of what asset. `market` is set for `margin-isolated` only. */
export type AccountRef =
  | { readonly user: UserId; readonly kind: AccountKind; readonly asset: AssetId; readonly market?: MarketId }
  | { readonly system: SystemAccount; readonly asset: AssetId }
