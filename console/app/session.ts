/** The session of this browser: its member, and logging out. */
import { QueryCache, MutationCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { changeOnce, isRefused, Problem, read } from './client.ts'
import { Shared } from './store.ts'
import type { Me } from './wire.ts'

/** Without a touch of the member, the exchange ends a session after this time; the page clears itself then. */
export const idleMs = 30 * 60_000
export const livesMs = 8 * 60 * 60_000
const tries = 3

/** Why the login page is shown instead of the page that was open. */
export const endedBy = new Shared<'nobody' | 'member' | 'idle' | 'exchange'>('nobody')

const onError = (cause: unknown): void => {
  if (isRefused(cause, 'UNAUTHENTICATED') && queryClient.getQueryData(meQuery.queryKey)) leave('exchange')
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, cause) => count < tries && cause instanceof Problem && /UNREACHABLE|UNAVAILABLE/.test(cause.code),
    },
    // A request that is sent twice could be done twice.
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** Null: nobody is logged in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () =>
    read<Me>('/auth/me').catch((cause: unknown) => {
      if (isRefused(cause, 'UNAUTHENTICATED')) return null
      throw cause
    }),
  staleTime: Infinity,
})

/** After a login: what others saw here is forgotten. */
export function enter(me: Me): void {
  const before = queryClient.getQueryData(meQuery.queryKey)
  if (before?.id !== me.id) forget()
  queryClient.setQueryData(meQuery.queryKey, me)
  endedBy.set('nobody')
}

/** Forgets all data of this page and shows the login. */
export function leave(by: 'member' | 'idle' | 'exchange'): void {
  endedBy.set(by)
  queryClient.setQueryData(meQuery.queryKey, null)
  forget()
}

/** The query of the login itself stays, because the page watches it. */
function forget(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
}

/** Ends the session, and leaves even if the exchange can't be told. */
export async function logOut(by: 'member' | 'idle'): Promise<void> {
  await changeOnce('POST', '/auth/logout').catch(() => undefined)
  leave(by)
}
