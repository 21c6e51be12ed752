/** Queries of the pages about surveillance. */
import type { Finding, FindingKind, FindingPage, FindingState, Surveillance } from '@candor/core/protocol/wire/console/surveillance.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { read } from '../../app/client.ts'
import { queryClient } from '../../app/session.ts'

/** What the list is filtered by, as in its address. Without a state it shows open findings. */
export type Filter = {
  readonly state?: FindingState | 'all'
  readonly kind?: FindingKind
  readonly day?: string
  readonly uid?: string
}

/** The filter as the exchange takes it. */
export const askedOf = ({ state = 'open', ...rest }: Filter) => ({ ...rest, ...(state === 'all' ? {} : { state }) })

export const reportsQuery = queryOptions({
  queryKey: ['surveillance', 'reports'],
  queryFn: () => read<Surveillance>('/surveillance'),
  refetchInterval: 60_000,
})

export const findingsQuery = (filter: Filter) =>
  infiniteQueryOptions({
    queryKey: ['surveillance', 'findings', askedOf(filter)],
    queryFn: ({ pageParam }) => read<FindingPage>('/surveillance/findings', { ...askedOf(filter), before: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
  })

export const findingQuery = (id: string) =>
  queryOptions({ queryKey: ['surveillance', 'finding', id], queryFn: () => read<Finding>(`/surveillance/findings/${id}`) })

export async function readAgain(): Promise<void> {
  await Promise.all(['surveillance', 'overview'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
}
