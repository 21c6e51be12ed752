import type { Context } from '../context.ts'
import type { Route } from '../route.ts'
import { feeRoutes } from './fee-routes.ts'
import { transferRoutes } from './transfer-routes.ts'
import { walletRoutes } from './wallet-routes.ts'

/** Wallet, transfers between own accounts, and fees. */
export function fundsApiRoutes(context: Context): readonly Route[] {
  return [...walletRoutes(context), ...transferRoutes(context), ...feeRoutes(context)]
}
