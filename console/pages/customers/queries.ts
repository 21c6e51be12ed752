/** Queries of the pages about customers. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { read } from '../../app/client.ts'
import { queryClient } from '../../app/session.ts'
import type { Filter, Found, Freeze, Money, Page, CustomerProfile, Timeline } from '@candor/core/protocol/wire/console/customers.ts'

export const listQuery = (filter: Filter) =>
  infiniteQueryOptions({
    queryKey: ['customers', 'list', filter.state ?? '', filter.certification ?? '', filter.class ?? '', filter.region ?? ''],
    queryFn: ({ pageParam }) => read<Page>('/customers', { ...filter, before: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.customers.length < 100 ? undefined : last.next),
  })

export const findQuery = (text: string) =>
  queryOptions({
    queryKey: ['customers', 'found', text],
    queryFn: async () => (await read<{ readonly found: readonly Found[] }>('/customers/search', { q: text })).found,
    staleTime: 60_000,
  })

export const profileQuery = (uid: string) =>
  queryOptions({ queryKey: ['customers', 'one', uid, 'profile'], queryFn: () => read<CustomerProfile>(`/customers/${uid}`) })

export const moneyQuery = (uid: string) =>
  queryOptions({
    queryKey: ['customers', 'one', uid, 'money'],
    queryFn: async () => (await read<{ readonly money: Money | null }>(`/customers/${uid}/money`)).money,
  })

export const timelineQuery = (uid: string) =>
  infiniteQueryOptions({
    queryKey: ['customers', 'one', uid, 'timeline'],
    queryFn: ({ pageParam }) => read<Timeline>(`/customers/${uid}/timeline`, { before: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next,
  })

export const freezesQuery = infiniteQueryOptions({
  queryKey: ['freezes'],
  queryFn: async ({ pageParam }) => (await read<{ readonly freezes: readonly Freeze[] }>('/freezes', { before: pageParam })).freezes,
  initialPageParam: undefined as number | undefined,
  getNextPageParam: (last) => (last.length < 200 ? undefined : last.at(-1)?.id),
})

/** After an action about a customer. */
export async function readAgain(uid: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['customers', 'one', uid] }),
    queryClient.invalidateQueries({ queryKey: ['customers', 'list'] }),
    queryClient.invalidateQueries({ queryKey: ['freezes'] }),
  ])
}
