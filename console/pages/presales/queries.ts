import { queryOptions } from '@tanstack/react-query'
import type { ConsolePresale, PresaleDetails } from '@candor/core/protocol/wire/console/presale.ts'
import { read } from '../../app/client.ts'

/** Read again after each decision, as all terms are, and then from time to time: the tables follow a command a moment later. */
export const presalesQuery = queryOptions({
  queryKey: ['terms', 'presales'],
  queryFn: async () => (await read<{ readonly presales: readonly ConsolePresale[] }>('/presales')).presales,
  refetchInterval: 5_000,
})

/** Texts under a hash never change. */
export const detailsQuery = (hash: string) =>
  queryOptions({
    queryKey: ['presale-details', hash],
    queryFn: () => read<PresaleDetails>(`/presales/details/${hash}`),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The number in a subject such as `3:NEW`. */
export const numberOf = (subject: string): string => subject.split(':')[0]!
