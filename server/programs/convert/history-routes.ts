import { conversionNamed, wireConversion } from '../../live/convert/conversions.ts'
import { conversionsIn } from '../../store/query/programs/conversions.ts'
import type { Context } from '../context.ts'
import { ApiError, badCombination, missing } from '../errors.ts'
import { type ClientErrors, withClientErrors } from '../funds/values.ts'
import { checkTimes } from '../market/trades.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import { orderOf } from './values.ts'

const spanMaxMs = 30 * 86_400_000
/** Clients recognize an unknown order by this code. */
const clientErrors: ClientErrors = { QUOTE_UNKNOWN: [-2013, 'Order does not exist.'] }

/** What became of accepted quotes. */
export function historyRoutes(context: Context): readonly Route[] {
  return [
    signedRoute(
      { method: 'GET', path: '/sapi/v1/convert/orderStatus', scope: 'read', weight: 10 },
      { orderId: param.id, quoteId: param.id },
      async ({ orderId, quoteId }, { user }) => {
        const id = orderId ?? quoteId
        if (id === undefined) throw missing('orderId')
        if (quoteId !== undefined && quoteId !== id) throw badCombination()
        return orderOf(await withClientErrors(clientErrors, conversionNamed(context, user, String(id))))
      },
    ),

    signedRoute(
      { method: 'GET', path: '/sapi/v1/convert/tradeFlow', scope: 'read', weight: 20 },
      { startTime: param.mandatory(param.millis), endTime: param.mandatory(param.millis), limit: param.limit(100, 1_000) },
      async ({ startTime, endTime, limit }, { user }) => {
        checkTimes(startTime, endTime)
        if (endTime - startTime > spanMaxMs) throw new ApiError(-1127, 'More than 30 days between startTime and endTime.')
        await context.freshness.settled(user)
        const { rows, hasMore } = await conversionsIn(context.pool, user, { startTime, endTime, limit })
        const list = rows.map((row) => ({ quoteId: String(row.id), ...orderOf(wireConversion(context.listing, row)) }))
        return { list, startTime, endTime, limit, moreData: hasMore }
      },
    ),
  ]
}
