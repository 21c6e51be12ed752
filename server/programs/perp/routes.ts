import type { Context } from '../context.ts'
import { Names } from '../names.ts'
import type { OrderCounts } from '../order-counts.ts'
import type { Route } from '../route.ts'
import { accountRoutes } from './account-routes.ts'
import { algoRoutes } from './algo-routes.ts'
import { batchRoutes } from './batch-routes.ts'
import { historyRoutes } from './history-routes.ts'
import { orderRoutes } from './order-routes.ts'
import { settingRoutes } from './setting-routes.ts'

/** Futures for account owners: orders, positions, settings and history. */
export function perpRoutes(context: Context, counts: OrderCounts): readonly Route[] {
  const desk = { context, names: new Names(context.data, 'futures'), counts }
  return [
    ...orderRoutes(desk),
    ...batchRoutes(desk),
    ...algoRoutes(desk),
    ...accountRoutes(desk),
    ...settingRoutes(desk),
    ...historyRoutes(desk),
  ]
}
