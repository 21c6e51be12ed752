import { transportList } from '../http/headers.ts'
import { isLoopback } from '../http/limits.ts'
import type { Proxies } from '../http/proxies.ts'
import { type RawServer, sendText } from '../http/raw.ts'
import { ApiError } from './errors.ts'
import type { Weights } from './weights.ts'

export type PreflightOptions = {
  readonly weights: Weights
  readonly mode: 'sandbox' | 'production'
  readonly proxies: Proxies
  readonly now: () => number
  /** Whether the public address is https. */
  readonly isSecure?: boolean
}

const isApi = /^\/[sfd]?api\//

/**
 * Counts preflights of the API for programs as requests and refuses those beyond the limit. They have no weight. The next server
 * answers the others.
 */
export function preflightLimit({ weights, mode, proxies, now, isSecure = false }: PreflightOptions): RawServer {
  return (request, response) => {
    if (request.method !== 'OPTIONS' || !isApi.test(request.url ?? '')) return false
    const ip = proxies.addressOf(request)
    if (mode === 'sandbox' && isLoopback(ip)) return false
    try {
      weights.enter(ip, now())
      return false
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const wait = error.retryAfter === undefined ? [] : ['retry-after', String(error.retryAfter)]
      const headers = [
        'content-type',
        'application/json; charset=utf-8',
        'access-control-allow-origin',
        '*',
        ...transportList(isSecure),
        ...wait,
      ]
      sendText(response, error.status, headers, JSON.stringify(error.body))
      return true
    }
  }
}
