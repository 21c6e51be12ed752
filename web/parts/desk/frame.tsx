import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { type ReactNode, Suspense, useState } from 'react'
import { queries } from '../../app/client.ts'
import { loadTickers } from '../../app/quotes.ts'
import { Pull } from '../ui/pull.tsx'
import { RowsSkeleton, Skeleton } from '../ui/skeleton.tsx'
import { later } from '../ui/later.tsx'
import { Desks } from './desks.tsx'

const MiniChart = later(() => import('./mini-chart.tsx').then((module) => module.MiniChart))

/** A desk of a market with a book: its header, the ticket beside the book, and a panel below the fold, which may be loaded later. */
export function DeskFrame({
  path,
  market,
  header,
  head,
  ticket,
  book,
  panel,
}: {
  readonly path: string
  readonly market: WireMarket
  /** The header. Its chart button shows and hides the small chart. */
  readonly header: (chart: { readonly hasChart: boolean; readonly onChart: () => void }) => ReactNode
  /** Shown between the header and the ticket. */
  readonly head?: ReactNode
  readonly ticket: ReactNode
  readonly book: ReactNode
  readonly panel: ReactNode
}) {
  const [hasChart, setHasChart] = useState(false)
  return (
    <Pull onRefresh={() => Promise.all([loadTickers(), queries.invalidateQueries({ queryKey: ['own'] })])}>
      <Desks current={path} />
      {header({ hasChart, onChart: () => setHasChart(!hasChart) })}
      {hasChart && (
        <Suspense fallback={<Skeleton className="mx-4 mt-3 h-28 rounded-control" />}>
          <MiniChart market={market} />
        </Suspense>
      )}
      {head}
      <div className="@container px-4 pt-3">
        <div className="grid gap-3 @min-[17rem]:grid-cols-[1.42fr_1fr]">
          {ticket}
          {book}
        </div>
      </div>
      <Suspense
        fallback={
          <div className="mt-5 min-h-80">
            <RowsSkeleton rows={2} />
          </div>
        }
      >
        {panel}
      </Suspense>
    </Pull>
  )
}
