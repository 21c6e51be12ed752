/** Queries of the pages of tickets, and the sign that one is open. */
import type { CannedAnswer, TicketCounts, TicketQueue, TicketThread } from '@candor/core/protocol/wire/console/support.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { useEffect } from 'react'
import { changeOnce, read, readFile } from '../../app/client.ts'
import { queryClient } from '../../app/session.ts'

export type TicketFilter = {
  readonly state?: string
  readonly topic?: string
  readonly lang?: string
  readonly role?: string
  readonly hours?: string
  readonly mine?: string
}

export const ticketsQuery = (filter: TicketFilter) =>
  infiniteQueryOptions({
    queryKey: ['support', 'tickets', filter],
    queryFn: ({ pageParam }) => read<TicketQueue>('/support/tickets', { ...filter, after: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next,
    refetchInterval: 10_000,
  })

export const countsQuery = queryOptions({
  queryKey: ['support', 'counts'],
  queryFn: () => read<TicketCounts>('/support/counts'),
  refetchInterval: 10_000,
})

/** As a chat: what the customer writes appears soon. */
export const ticketQuery = (id: string) =>
  queryOptions({
    queryKey: ['support', 'ticket', id],
    queryFn: () => read<TicketThread>(`/support/tickets/${encodeURIComponent(id)}`),
    refetchInterval: 3_000,
  })

/** Each view is in the log, so it is asked for once. */
export const pictureQuery = (id: string) =>
  queryOptions({ queryKey: ['support', 'picture', id], queryFn: () => readFile(`/support/images/${id}`), staleTime: Infinity, gcTime: 0 })

export const answersQuery = queryOptions({
  queryKey: ['support', 'answers'],
  queryFn: async () => (await read<{ readonly answers: readonly CannedAnswer[] }>('/support/answers')).answers,
})

export async function readTicketAgain(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['support'] })
}

const beatMs = 20_000

/** Tells customers that somebody is there, as long as the page is visible to a member who may answer. */
export function usePresence(mayAnswer: boolean): void {
  useEffect(() => {
    if (!mayAnswer) return
    const beat = (): void => {
      const isVisible = document.visibilityState === 'visible'
      changeOnce(isVisible ? 'POST' : 'DELETE', '/support/presence').catch(() => undefined)
    }
    beat()
    const timer = setInterval(() => document.visibilityState === 'visible' && beat(), beatMs)
    document.addEventListener('visibilitychange', beat)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', beat)
      changeOnce('DELETE', '/support/presence').catch(() => undefined)
    }
  }, [mayAnswer])
}
