import type { Context } from '../context.ts'
import type { Route } from '../route.ts'
import { coinRoutes } from './coin-routes.ts'
import { depositRoutes } from './deposit-routes.ts'
import { withdrawRoutes } from './withdraw-routes.ts'

/** Coins with their networks, deposits and withdrawals. */
export function chainsApiRoutes(context: Context): readonly Route[] {
  return [...coinRoutes(context), ...depositRoutes(context), ...withdrawRoutes(context)]
}
