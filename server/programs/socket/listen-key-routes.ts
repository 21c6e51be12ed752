import type { UserStreamKind } from '../../store/query/listen-keys.ts'
import type { Context } from '../context.ts'
import { missing } from '../errors.ts'
import type { ApiUser } from '../key-ring.ts'
import { Names } from '../names.ts'
import * as param from '../params.ts'
import { keyRoute, type Method, type Route } from '../route.ts'
import { type ListenKeys, listenTokenMaxMs } from './listen-keys.ts'

const listenKey = param.text(/^[A-Za-z0-9]{64}$/)
const symbol = param.mandatory(param.symbol)

/** Routes that create, renew and delete listen keys, separately for spot, margin accounts and contracts. */
export function listenKeyRoutes(context: Context, keys: ListenKeys): readonly Route[] {
  const names = new Names(context.data, 'spot')
  const owner = ({ keyId, user }: ApiUser, kind: UserStreamKind, pair?: string) => ({
    ...{ keyId, user, kind },
    market: pair === undefined ? 0 : names.market(pair).market.id,
  })
  const place = (method: Method, path: string, weight: number) => ({ method, path, weight })
  const plain = (path: string, kind: UserStreamKind, weight: number) => [
    keyRoute(place('POST', path, weight), {}, async (_values, user) => ({ listenKey: await keys.put(owner(user, kind)) })),
    keyRoute(place('PUT', path, weight), { listenKey: param.mandatory(listenKey) }, async (values, user) => {
      await keys.renew(owner(user, kind), values.listenKey)
      return {}
    }),
    keyRoute(place('DELETE', path, weight), { listenKey: param.mandatory(listenKey) }, async (values, user) => {
      await keys.delete(owner(user, kind), values.listenKey)
      return {}
    }),
  ]
  const isolated = '/sapi/v1/userDataStream/isolated'
  return [
    ...plain('/api/v3/userDataStream', 'spot', 2),
    ...plain('/sapi/v1/userDataStream', 'cross', 1),
    keyRoute(place('POST', isolated, 1), { symbol }, async (values, user) => ({
      listenKey: await keys.put(owner(user, 'isolated', values.symbol)),
    })),
    keyRoute(place('PUT', isolated, 1), { symbol, listenKey: param.mandatory(listenKey) }, async (values, user) => {
      await keys.renew(owner(user, 'isolated', values.symbol), values.listenKey)
      return {}
    }),
    keyRoute(place('DELETE', isolated, 1), { symbol, listenKey: param.mandatory(listenKey) }, async (values, user) => {
      await keys.delete(owner(user, 'isolated', values.symbol), values.listenKey)
      return {}
    }),
    keyRoute(
      place('POST', '/sapi/v1/userListenToken', 1),
      {
        isIsolated: param.withDefault(param.word(['TRUE', 'FALSE', 'true', 'false']), 'FALSE'),
        symbol: param.symbol,
        validity: param.withDefault(param.integer(1, listenTokenMaxMs), listenTokenMaxMs),
      },
      ({ isIsolated, symbol: pair, validity }, user) => {
        const isOne = isIsolated.toUpperCase() === 'TRUE'
        if (isOne && pair === undefined) throw missing('symbol')
        return keys.token(isOne ? owner(user, 'isolated', pair) : owner(user, 'cross'), validity)
      },
    ),
    // Clients of Futures send no listen key: it is the one of their API key.
    keyRoute(place('POST', '/fapi/v1/listenKey', 1), {}, async (_values, user) => ({ listenKey: await keys.put(owner(user, 'futures')) })),
    keyRoute(place('PUT', '/fapi/v1/listenKey', 1), { listenKey }, async (values, user) => ({
      listenKey: await keys.renew(owner(user, 'futures'), values.listenKey),
    })),
    keyRoute(place('DELETE', '/fapi/v1/listenKey', 1), { listenKey }, async (values, user) => {
      await keys.delete(owner(user, 'futures'), values.listenKey)
      return {}
    }),
  ]
}
