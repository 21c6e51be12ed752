import type { Context } from '../context.ts'
import { depthRoutes, klineRoutes } from './books.ts'
import { frameRoutes } from './exchange-info.ts'
import { futuresRoutes } from './futures.ts'
import type { Route } from '../route.ts'
import { tickerRoutes } from './tickers.ts'
import { tradeRoutes } from './trades.ts'

/** All routes that need no key. */
export function publicRoutes(context: Context): readonly Route[] {
  return [
    ...frameRoutes(context),
    ...depthRoutes(context),
    ...tradeRoutes(context, 'spot'),
    ...tradeRoutes(context, 'futures'),
    ...klineRoutes(context),
    ...tickerRoutes(context),
    ...futuresRoutes(context),
  ]
}
