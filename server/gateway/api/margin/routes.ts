import type { Context } from '../../context.ts'
import type { OrderCounts } from '../order-counts.ts'
import type { Route } from '../route.ts'
import { marginAccountRoutes } from './account-routes.ts'
import { marginListRoutes } from './list-routes.ts'
import { loanRoutes } from './loan-routes.ts'
import { marginMarketRoutes } from './market-routes.ts'
import { marginOrderRoutes } from './order-routes.ts'

/** Lever accounts for programs: what they have, owe and cost, and their orders, which count with those of spot. */
export function marginApiRoutes(context: Context, counts: OrderCounts): readonly Route[] {
  return [
    ...marginMarketRoutes(context),
    ...marginAccountRoutes(context),
    ...loanRoutes(context),
    ...marginOrderRoutes(context, counts),
    ...marginListRoutes(context, counts),
  ]
}
