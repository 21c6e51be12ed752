import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { read } from '../../app/client.ts'
import { queryClient } from '../../app/session.ts'
import type { Area, Country, House, Markets, NetworkTerms, Operation, OperationPage } from './wire.ts'
import type { Terms } from '@candor/core/protocol/wire/changes.ts'

export const marketsQuery = queryOptions({ queryKey: ['terms', 'markets'], queryFn: () => read<Markets>('/terms/markets') })
export const feesQuery = queryOptions({
  queryKey: ['terms', 'fees'],
  queryFn: () => read<{ readonly terms: Terms; readonly referral: Terms | null }>('/terms/fees'),
})
export const countriesQuery = queryOptions({
  queryKey: ['terms', 'countries'],
  queryFn: async () => (await read<{ readonly countries: readonly Country[] }>('/terms/countries')).countries,
})
export const networksQuery = queryOptions({
  queryKey: ['terms', 'networks'],
  queryFn: async () => (await read<{ readonly networks: readonly NetworkTerms[] }>('/terms/networks')).networks,
})
export const houseQuery = queryOptions({ queryKey: ['terms', 'house'], queryFn: () => read<House>('/terms/house') })

/** This member's cap for postings by hand, and the rest of it today, in USDT. */
export const postingCapQuery = queryOptions({
  queryKey: ['terms', 'posting-cap'],
  queryFn: () => read<{ readonly cap: string; readonly used: string; readonly left: string }>('/terms/postings'),
})

/** Open proposals of one area, or of all. */
export const openQuery = (area?: Area) =>
  queryOptions({
    queryKey: ['terms', 'open', area ?? ''],
    queryFn: async () => (await read<OperationPage>('/operations', { area, state: 'open' })).operations,
  })

export const pastQuery = (area?: Area) =>
  infiniteQueryOptions({
    queryKey: ['terms', 'past', area ?? ''],
    queryFn: ({ pageParam }) => read<OperationPage>('/operations', { area, state: 'past', before: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => last.next,
  })

export const decisionQuery = (id: string) =>
  queryOptions({ queryKey: ['terms', 'one', id], queryFn: () => read<Operation>(`/operations/${id}`) })

/** After a decision: the terms, the decisions and the counts of the side bar are read again. */
export async function readAgain(): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: ['terms'] }), queryClient.invalidateQueries({ queryKey: ['overview'] })])
}
