import type { Context } from '../context.ts'
import { missing } from '../errors.ts'
import { accountMeant, isIsolatedWord, whose } from '../account-words.ts'
import type { OrderCounts } from '../order-counts.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import { deskOf } from './desk.ts'
import { allLists, allListsParams, cancelList, cancelListParams, openLists, queryList, whichListParams } from './lists.ts'

const root = '/sapi/v1/margin'
const read = { scope: 'read', method: 'GET' } as const
const of = { symbol: param.symbol, ...whose } as const
type Of = { readonly symbol: string | undefined; readonly isIsolated: string | undefined }

/** OCO lists in Margin accounts. */
export function marginListRoutes(context: Context, counts: OrderCounts): readonly Route[] {
  const desk = deskOf(context, counts)
  return [
    signedRoute(
      { scope: 'trade', weight: 1, method: 'DELETE', path: `${root}/orderList` },
      { ...cancelListParams, ...whose },
      (values, owner) => cancelList(desk, owner, values, accountMeant(values)),
    ),
    signedRoute({ ...read, weight: 10, path: `${root}/orderList` }, { ...whichListParams, ...of }, (values, owner) => {
      checkSymbol(values)
      return queryList(desk, owner, values, accountMeant(values))
    }),
    signedRoute({ ...read, weight: 10, path: `${root}/openOrderList` }, of, async (values, owner) => {
      checkSymbol(values)
      return inMarket(await openLists(desk, owner, accountMeant(values)), values.symbol)
    }),
    signedRoute({ ...read, weight: 200, path: `${root}/allOrderList` }, { ...allListsParams, ...of }, async (values, owner) => {
      checkSymbol(values)
      return inMarket(await allLists(desk, owner, values, accountMeant(values)), values.symbol)
    }),
  ]
}

/** throws  ApiError -1102 */
function checkSymbol({ symbol, isIsolated }: Of): void {
  if (isIsolatedWord(isIsolated) && symbol === undefined) throw missing('symbol')
}

function inMarket(lists: readonly object[], symbol: string | undefined): readonly object[] {
  return symbol === undefined ? lists : lists.filter((list) => 'symbol' in list && list.symbol === symbol)
}
