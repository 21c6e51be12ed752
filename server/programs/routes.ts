import { chainsApiRoutes } from './chains/routes.ts'
import type { Context } from './context.ts'
import { convertApiRoutes } from './convert/routes.ts'
import { moveRoutes } from './firm/move-routes.ts'
import { subAccountRoutes } from './firm/sub-account-routes.ts'
import { fundsApiRoutes } from './funds/routes.ts'
import { keyRoutes } from './key-routes.ts'
import { limitRoutes } from './limit-routes.ts'
import { marginApiRoutes } from './margin/routes.ts'
import { perpRoutes } from './perp/routes.ts'
import { publicRoutes } from './market/public-routes.ts'
import type { Route } from './route.ts'
import { marginListRoutes } from './spot/margin-list-routes.ts'
import { marginOrderRoutes } from './spot/margin-order-routes.ts'
import { spotRoutes } from './spot/routes.ts'

/** All requests of programs, over HTTP and on the WebSocket API. */
export function apiRoutes(context: Context): readonly Route[] {
  const { orderCounts: counts } = context
  return [
    ...publicRoutes(context),
    ...keyRoutes(),
    ...limitRoutes(counts),
    ...spotRoutes(context, counts.spot),
    ...chainsApiRoutes(context),
    ...fundsApiRoutes(context),
    ...convertApiRoutes(context),
    ...subAccountRoutes(context),
    ...moveRoutes(context),
    ...marginApiRoutes(context),
    ...marginOrderRoutes(context, counts.spot),
    ...marginListRoutes(context, counts.spot),
    ...perpRoutes(context, counts.futures),
  ]
}
