import type { ConsoleFirm, ConsoleFirms } from '@candor/core/protocol/wire/console/firms.ts'
import { queryOptions } from '@tanstack/react-query'
import { read } from '../../app/client.ts'

/** Read again after each decision, as all terms are. */
export const firmsQuery = queryOptions({
  queryKey: ['terms', 'firms'],
  queryFn: async () => (await read<ConsoleFirms>('/firms')).firms,
})

export const firmQuery = (number: string) =>
  queryOptions({ queryKey: ['terms', 'firms', number], queryFn: () => read<ConsoleFirm>(`/firms/${encodeURIComponent(number)}`) })
