import type { Context } from '../context.ts'
import type { Route } from '../route.ts'
import { marginAccountRoutes } from './account-routes.ts'
import { loanRoutes } from './loan-routes.ts'
import { marginMarketRoutes } from './market-routes.ts'

/** Margin accounts for programs: balances, debts and costs. Their orders are those of spot markets. */
export function marginApiRoutes(context: Context): readonly Route[] {
  return [...marginMarketRoutes(context), ...marginAccountRoutes(context), ...loanRoutes(context)]
}
