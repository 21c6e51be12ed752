import { depositDesk, withdrawDesk } from '../app/chains/desks.ts'
import { type FirmEntry, writeFirmLog } from '../firms/log.ts'
import { firmDb } from '../firms/tables.ts'
import type { SharedCounts } from '../counters/counts.ts'
import { ApiAuth } from '../programs/auth.ts'
import type { Context as ProgramContext } from '../programs/context.ts'
import { KeyRing } from '../programs/key-ring.ts'
import { OrderCounts } from '../programs/order-counts.ts'
import type { Route } from '../programs/route.ts'
import { apiRoutes } from '../programs/routes.ts'
import { KeyedStreams } from '../programs/socket/keyed-streams.ts'
import { listenKeyRoutes } from '../programs/socket/listen-key-routes.ts'
import { ListenKeys } from '../programs/socket/listen-keys.ts'
import type { UserData } from '../programs/socket/user-data.ts'
import { WsApi } from '../programs/socket/ws-api.ts'
import { KnownSignals } from '../programs/signal/known.ts'
import { Taken } from '../programs/signal/taken.ts'
import { Weights } from '../programs/weights.ts'
import { identityDb } from '../identity/tables.ts'
import { SignalCalls } from '../signals/calls.ts'
import type { Context } from '../live/context.ts'
import { chainsDoor } from './chains-door.ts'
import { type GatewayOptions, logOf } from './options.ts'
import { topics } from './topics.ts'

/** The API for programs: its routes, its authentication, and the sockets that take requests by method name. */
export type Programs = {
  readonly routes: readonly Route[]
  readonly auth: ApiAuth
  readonly weights: Weights
  readonly keyed: KeyedStreams
  readonly wsApi: WsApi
  readonly signals: Signals
  /** What is counted for programs, by name. */
  readonly counts: Readonly<Record<string, SharedCounts>>
  /** An API key was changed or deleted somewhere. */
  readonly keyChanged: (key: string) => void
  readonly close: () => void
}

/** Alerts of charting services. `weights`: of unknown addresses. */
type Signals = { readonly calls: SignalCalls; readonly taken: Taken; readonly known: KnownSignals; readonly weights: Weights }

export function openPrograms(options: GatewayOptions, shared: Context, users: UserData): Programs {
  const { link, store, identity, logger, listenSecret, book } = options
  const { now, staleness } = shared
  const log = logOf(options)
  const door = chainsDoor(options)
  const chains = { config: door.config, deposits: depositDesk(shared, door), withdrawals: withdrawDesk(shared, door, { book, identity }) }
  const noteFirm = (entry: FirmEntry): Promise<void> => writeFirmLog(firmDb(store), now(), entry)
  const orderCounts = { spot: new OrderCounts(), futures: new OrderCounts() }
  const context: ProgramContext = { ...shared, chains, noteFirm, orderCounts }

  const ring = new KeyRing({ keys: identity.keys, now, onFault: (cause) => log('the last use of a key could not be noted', cause) })
  const auth = new ApiAuth(ring, now)
  const onDeleted = (hash: string): void => {
    keyed.listenKeyDeleted(hash)
    link.publish(topics.listenKeys, hash)
  }
  const listenKeys = new ListenKeys({ pool: store.pool, secret: listenSecret, now, onDeleted })
  const keyed = new KeyedStreams({
    ...{ users, ring, listenKeys, now },
    onFault: (cause) => log('a user stream could not be looked after', cause),
  })
  link.onPublished(topics.listenKeys, (hash) => keyed.listenKeyDeleted(String(hash)))

  const weights = new Weights()
  const routes = [...apiRoutes(context), ...listenKeyRoutes(context, listenKeys)]
  const wsApi = new WsApi({
    ...{ routes, auth, weights, keyed, now, staleness },
    onFault: (cause, method) => logger.error({ err: cause, method }, 'a request failed'),
  })

  const calls = new SignalCalls(identityDb(store))
  const known = new KnownSignals({ calls, now, onFault: (cause) => log('the signal addresses could not be listed', cause) })
  const signals: Signals = { calls, taken: new Taken({ context, ring, calls }), known, weights: new Weights() }

  const keyChanged = (key: string): void => {
    ring.forget(key)
    void Promise.all([keyed.keyChanged(key), wsApi.keyChanged(key)]).catch((cause) => log('a changed key could not be looked up', cause))
  }
  const stopHearingKeys = identity.keys.onChanged((key) => {
    keyChanged(key)
    link.publish(topics.keys, key)
  })
  link.onPublished(topics.keys, (key) => keyChanged(String(key)))
  const close = (): void => {
    stopHearingKeys()
    keyed.close()
    wsApi.close()
    weights.close()
    signals.weights.close()
  }
  const counts = {
    ...{ weights, 'orders spot': orderCounts.spot, 'orders futures': orderCounts.futures },
    ...{ 'signals unknown': signals.weights, signals: signals.taken.counts },
  }
  return { routes, auth, weights, keyed, wsApi, signals, counts, keyChanged, close }
}
