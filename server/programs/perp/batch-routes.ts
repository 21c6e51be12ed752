import type { ListedMarket } from '../../live/listing.ts'
import { ApiError, apiErrorOf, illegal, invalid, missing } from '../errors.ts'
import type { ApiUser } from '../key-ring.ts'
import * as param from '../params.ts'
import { type Call, type Route, signedRoute } from '../route.ts'
import { askedOrder, clientId, orderParams, placeCommand } from './order-params.ts'
import { amendedOrder, amendmentOf, amendParams, countOrders, type Desk, whichOf } from './order-routes.ts'
import { contractOrder } from './order-view.ts'
import { amend, cancel, place } from './orders.ts'

const batchMax = 5
const cancelsMax = 10
const path = '/fapi/v1/batchOrders'
const tooMany = () => new ApiError(-4082, 'Invalid number of batch place orders.')

/** A list as JSON text. */
function jsonList<T>(max: number, read: (item: unknown, name: string) => T): param.Param<readonly T[] | undefined> {
  return {
    isMandatory: false,
    fallback: undefined,
    shape: { type: 'array', items: {} },
    read(text, name) {
      let list: unknown
      try {
        list = JSON.parse(text)
      } catch {
        throw illegal(name, 'a list as JSON')
      }
      if (!Array.isArray(list)) throw invalid(name)
      if (list.length === 0 || list.length > max) throw tooMany()
      return list.map((item) => read(item, name))
    },
  }
}

/** Parameters of one order of a batch as text, from any JSON form. */
function fieldsOf(item: unknown, name: string): ReadonlyMap<string, string> {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) throw invalid(name)
  const fields = new Map<string, string>()
  for (const [key, value] of Object.entries(item)) {
    if (value === null || value === undefined) continue
    if (typeof value === 'object') throw invalid(key)
    fields.set(key, String(value))
  }
  return fields
}

const orders = param.mandatory(jsonList(batchMax, fieldsOf))
const ids = jsonList(cancelsMax, (item, name) => param.id.read(plain(item, name), name) as number)
const clientIds = jsonList(cancelsMax, (item, name) => clientId.read(plain(item, name), name) as string)

/** throws  ApiError -1130 for a list or an object */
function plain(item: unknown, name: string): string {
  if (typeof item !== 'string' && typeof item !== 'number') throw invalid(name)
  return String(item)
}

/** Several orders in one request: each succeeds or fails on its own, and the answer has the error of a failed one in its place. */
export function batchRoutes({ context, names, counts }: Desk): readonly Route[] {
  type Fields = ReadonlyMap<string, string>
  const each = (list: readonly Fields[], user: ApiUser, call: Call, act: (fields: Fields) => Promise<object>): Promise<object[]> => {
    countOrders(counts, user, list.length, call)
    return Promise.all(list.map((fields) => orError(() => act(fields))))
  }
  const placeOne = (user: ApiUser) => async (fields: Fields) => {
    const values = param.valuesOf(orderParams, fields, false)
    const market = names.market(values.symbol)
    return contractOrder(market, await place(context, user, market, placeCommand(market, user.user, askedOrder(values))))
  }
  const amendOne = (user: ApiUser) => async (fields: Fields) => {
    const values = param.valuesOf(amendParams, fields, false)
    const market = names.market(values.symbol)
    return amendedOrder(market, await amend(context, user, market, whichOf(values), amendmentOf(market, values)), values)
  }
  return [
    signedRoute({ method: 'POST', path, scope: 'trade', weight: 5 }, { batchOrders: orders }, ({ batchOrders }, user, call) =>
      each(batchOrders, user, call, placeOne(user)),
    ),
    signedRoute({ method: 'PUT', path, scope: 'trade', weight: 5 }, { batchOrders: orders }, ({ batchOrders }, user, call) =>
      each(batchOrders, user, call, amendOne(user)),
    ),
    signedRoute(
      { method: 'DELETE', path, scope: 'trade', weight: 1 },
      {
        symbol: param.mandatory(param.symbol),
        ...{ orderIdList: ids, orderidlist: ids, origClientOrderIdList: clientIds, origclientorderidlist: clientIds },
      },
      (values, user) => {
        const market: ListedMarket = names.market(values.symbol)
        const numbers = values.orderIdList ?? values.orderidlist
        const named = values.origClientOrderIdList ?? values.origclientorderidlist
        if (numbers === undefined && named === undefined) throw missing('orderIdList')
        const meant = numbers?.map((id) => ({ id, clientId: undefined })) ?? named?.map((name) => ({ id: undefined, clientId: name })) ?? []
        return Promise.all(meant.map((one) => orError(async () => contractOrder(market, await cancel(context, user, market, one)))))
      },
    ),
  ]
}

/** The answer, or the error as `{code, msg}`. throws  anything that is not an ApiError */
async function orError(act: () => Promise<object>): Promise<object> {
  try {
    return await act()
  } catch (error) {
    const known = apiErrorOf(error)
    if (!known) throw error
    return known.body
  }
}
