/** Queries of the page about deposits. */
import type { DepositPage, DepositView } from '@candor/core/protocol/wire/console/deposits.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { read } from '../../app/client.ts'
import { queryClient } from '../../app/session.ts'

export const depositsQuery = (view: DepositView) =>
  infiniteQueryOptions({
    queryKey: ['deposits', view],
    queryFn: ({ pageParam }) => read<DepositPage>('/deposits', { view, before: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: 10_000,
  })

export async function readAgain(): Promise<void> {
  await Promise.all(['deposits', 'overview'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
}
