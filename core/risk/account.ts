import type { AccountKind } from '../protocol/account.ts'

/** Accounts that hold only USDT, as margin or stakes: another asset would have no value there. */
export const usdtAccounts: readonly AccountKind[] = ['perp', 'option']
