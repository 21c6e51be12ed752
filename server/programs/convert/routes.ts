import type { Context } from '../context.ts'
import type { Route } from '../route.ts'
import { historyRoutes } from './history-routes.ts'
import { pairRoutes } from './pair-routes.ts'
import { quoteRoutes } from './quote-routes.ts'

/** Conversions at a firm quote, for programs. */
export function convertApiRoutes(context: Context): readonly Route[] {
  return [...pairRoutes(context), ...quoteRoutes(context), ...historyRoutes(context)]
}
