/** The one client of the app, and the cache of what it answered. */
import { createClient } from '@candor/client/client.ts'
import { ApiError, OfflineError } from '@candor/client/errors.ts'
import { QueryClient } from '@tanstack/react-query'
import { sessionEnded } from './session.ts'

export const client = createClient({
  baseUrl: '',
  onError(error) {
    if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') sessionEnded()
  },
})

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

/** An id for a write that may be sent twice and must count once. */
export function newClientId(): string {
  return globalThis.crypto.randomUUID === undefined ? hexId() : crypto.randomUUID()
}

/** Pages that are not on https (a phone in the same network) have no `randomUUID`. */
function hexId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
