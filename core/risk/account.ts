import type { AccountKind } from '../protocol/account.ts'

/** Accounts that hold USDT alone, as margin or as stakes: another asset would count for nothing there. */
export const usdtAccounts: readonly AccountKind[] = ['perp', 'option']
