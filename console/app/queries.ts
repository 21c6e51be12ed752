/** The queries of the pages, by the key of each in the cache. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { read, readFile } from './client.ts'
import type { Overview } from '@candor/core/protocol/wire/console/overview.ts'
import type { Factors, LogPage, Member, Proposal, Queue, Review, Revocation, Session } from './wire.ts'

export const overviewQuery = queryOptions({ queryKey: ['overview'], queryFn: () => read<Overview>('/overview') })

export const factorsQuery = queryOptions({ queryKey: ['own', 'factors'], queryFn: () => read<Factors>('/auth/factors') })

export const sessionsQuery = queryOptions({
  queryKey: ['own', 'sessions'],
  queryFn: async () => (await read<{ readonly sessions: readonly Session[] }>('/auth/sessions')).sessions,
})

export const membersQuery = queryOptions({
  queryKey: ['staff', 'members'],
  queryFn: async () => (await read<{ readonly members: readonly Member[] }>('/staff')).members,
})

export const proposalsQuery = queryOptions({
  queryKey: ['staff', 'proposals'],
  queryFn: async () => (await read<{ readonly proposals: readonly Proposal[] }>('/staff/proposals')).proposals,
})

export const queueQuery = infiniteQueryOptions({
  queryKey: ['papers', 'queue'],
  queryFn: ({ pageParam }) => read<Queue>('/papers', { after: pageParam }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last, pages) => (pages.flatMap(({ waiting }) => waiting).length < last.count ? last.next : undefined),
})

/** Each look is in the log, so it is made once and not repeated when the window gets the focus. */
export const reviewQuery = (id: string) =>
  queryOptions({
    queryKey: ['papers', 'review', id],
    queryFn: () => read<Review>(`/papers/${id}`),
    staleTime: Infinity,
    gcTime: 0,
  })

/** As an address of this page; photos carry the viewer's name, and are forgotten with the review. */
export const photoQuery = (id: string, side: string) =>
  queryOptions({
    queryKey: ['papers', 'photo', id, side] as readonly string[],
    queryFn: () => readFile(`/papers/${id}/photos/${side}`),
    staleTime: Infinity,
    gcTime: 0,
  })

export const revocationsQuery = queryOptions({
  queryKey: ['papers', 'revocations'],
  queryFn: async () => (await read<{ readonly revocations: readonly Revocation[] }>('/revocations')).revocations,
})

export type LogFilter = { readonly staff?: string | undefined; readonly action?: string | undefined }

export const logQuery = (filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: ['log', filter.staff ?? '', filter.action ?? ''],
    queryFn: ({ pageParam }) => read<LogPage>('/log', { ...filter, before: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.entries.length < 100 ? undefined : last.next),
  })
