/** The app's client for routes that every screen may need, and the cache of its answers. */
import { bind } from '@candor/client/bind.ts'
import * as funds from '@candor/client/column/funds.ts'
import * as market from '@candor/client/column/market.ts'
import * as preferences from '@candor/client/column/preferences.ts'
import * as spot from '@candor/client/column/spot.ts'
import * as user from '@candor/client/column/user.ts'
import { ApiError, OfflineError } from '@candor/client/errors.ts'
import { createHttp, type Http } from '@candor/client/http.ts'
import { notifyManager, QueryClient } from '@tanstack/react-query'
import { acting, actFor } from './firm/acting.ts'
import { sessionEnded, useSession } from './session.ts'

declare global {
  /** Requests that the page sent before any code was loaded, by URL: see `before-paint.js`. */
  var early: Record<string, Promise<Response>> | undefined
}

const send = createHttp({ baseUrl: '', fetch: fetchOrTake, account: () => acting?.uid })

/** Early answers are taken for as long after the start as queries count as fresh, and only by the login that they were sent for. */
const earlyMs = 5_000
const startedAt = performance.now()
const firstLogin = useSession.getState().login

/** Uses the early request for this URL, once. If there is none or it failed, sends a new one. Early ones read the person's own account. */
function fetchOrTake(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const answer = globalThis.early?.[String(input)]
  const isFresh = performance.now() - startedAt < earlyMs && useSession.getState().login === firstLogin
  const isRead = (init?.method ?? 'GET') === 'GET'
  if (answer === undefined || !isRead || acting !== undefined || !isFresh) return fetch(input, init)
  delete globalThis.early?.[String(input)]
  return answer.catch(() => fetch(input, init))
}

/** For the columns that come with their screens: `bind(perp, http)`. */
export const http: Http = async (...request) => {
  const { login } = useSession.getState()
  try {
    return await send(...request)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') sessionEnded(login)
    // The member lost the account, or it was archived.
    if (acting !== undefined && error instanceof ApiError && error.code === 'FIRM_NOT_MEMBER') actFor(undefined, '/organization')
    throw error
  }
}

export const client = {
  ...{ market: bind(market, http), user: bind(user, http), funds: bind(funds, http), spot: bind(spot, http) },
  preferences: bind(preferences, http),
}

// Makes a button busy before the next tap is handled. The default scheduler uses a timer, so two quick taps would send two requests.
notifyManager.setScheduler(queueMicrotask)

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 30 * 60_000,
      refetchOnWindowFocus: true,
      refetchOnReconnect: true,
      networkMode: 'always',
      // A refusal is an answer: asking again gives the same one.
      retry: (failures, error) => error instanceof OfflineError && failures < 2,
      retryDelay: (failures) => 600 * 2 ** failures,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** A client id for a request that may be sent twice and must count once. */
export function newClientId(): string {
  return globalThis.crypto.randomUUID === undefined ? hexId() : crypto.randomUUID()
}

/** A random id for pages without https (a phone in the same network), which have no `randomUUID`. */
function hexId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
