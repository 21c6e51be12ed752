/** Queries of the pages about withdrawals. */
import type { WithdrawalDetail, WithdrawalPage, WithdrawalView } from '@candor/core/protocol/wire/console/withdrawals.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { read } from '../../app/client.ts'
import { queryClient } from '../../app/session.ts'

const againMs = 5_000

export const withdrawalsQuery = (view: WithdrawalView) =>
  infiniteQueryOptions({
    queryKey: ['withdrawals', view],
    queryFn: ({ pageParam }) => read<WithdrawalPage>('/withdrawals', { view, before: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: againMs,
  })

export const withdrawalQuery = (id: string) =>
  queryOptions({
    queryKey: ['withdrawals', 'one', id],
    queryFn: () => read<WithdrawalDetail>(`/withdrawals/${id}`),
    refetchInterval: againMs,
  })

/** After a decision: the lists, the request, and the counts of the side bar. */
export async function readAgain(): Promise<void> {
  await Promise.all(['withdrawals', 'overview'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
}
