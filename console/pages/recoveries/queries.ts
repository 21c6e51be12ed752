/** Queries of the page about lost factors. */
import { queryOptions } from '@tanstack/react-query'
import { read, readFile } from '../../app/client.ts'
import { queryClient } from '../../app/session.ts'
import type { Recovery, RecoveryReview } from '@candor/core/protocol/wire/console/recoveries.ts'

export const recoveriesQuery = queryOptions({
  queryKey: ['recoveries', 'list'],
  queryFn: async () => (await read<{ readonly recoveries: readonly Recovery[] }>('/recoveries')).recoveries,
})

/** Each look is in the log, so it is made once and not repeated when the window gets the focus. */
export const recoveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['recoveries', 'one', id],
    queryFn: () => read<RecoveryReview>(`/recoveries/${id}`),
    staleTime: Infinity,
    gcTime: 0,
  })

/** Photos carry the viewer's name, and are forgotten with the page. */
export const recoveryPhotoQuery = (id: string, which: 'now' | 'original', side: string) =>
  queryOptions({
    queryKey: ['recoveries', 'photo', id, which, side] as readonly string[],
    queryFn: () => readFile(`/recoveries/${id}/photos/${which}/${side}`),
    staleTime: Infinity,
    gcTime: 0,
  })

/** The list and the open request again. */
export async function renewRecoveries(id: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['recoveries', 'list'] }),
    queryClient.invalidateQueries({ queryKey: ['recoveries', 'one', id] }),
  ])
}
