/** Queries of the first page. */
import type { Exposure, FigurePeriod, Figures, OverviewState } from '@candor/core/protocol/wire/console/overview.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { read } from '../../app/client.ts'
import { againMs } from '../../parts/watching.tsx'

const figuresMs = 30_000

export const stateQuery = queryOptions({
  queryKey: ['overview', 'state'],
  queryFn: () => read<OverviewState>('/overview/state'),
  refetchInterval: againMs,
})

export const exposureQuery = queryOptions({
  queryKey: ['overview', 'exposure'],
  queryFn: () => read<Exposure>('/overview/exposure'),
  refetchInterval: againMs,
})

/** Figures of another period keep their place until the new ones are there. */
export const figuresQuery = (period: FigurePeriod) =>
  queryOptions({
    queryKey: ['overview', 'figures', period],
    queryFn: () => read<Figures>('/overview/figures', { period }),
    refetchInterval: figuresMs,
    placeholderData: keepPreviousData,
  })
