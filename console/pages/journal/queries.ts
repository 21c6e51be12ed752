/** Queries of the journal page. */
import { queryOptions } from '@tanstack/react-query'
import { read } from '../../app/client.ts'
import type { Check, Journal } from '@candor/core/protocol/wire/console/journal.ts'

export const journalQuery = (before: string | undefined) =>
  queryOptions({ queryKey: ['journal', before ?? ''], queryFn: () => read<Journal>('/journal', { before }) })

export const check = (from: number, to: number): Promise<Check> => read<Check>('/journal/check', { from, to })
