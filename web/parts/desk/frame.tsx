import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { type ReactNode, Suspense, useState } from 'react'
import type { ChartDesk } from '@candor/core/protocol/wire/own/preferences.ts'
import { queries } from '../../app/client.ts'
import { useLayout } from '../../app/preferences/use-layout.ts'
import { deskPaths } from '../../app/preferences/layout.ts'
import { toggled } from '../../app/preferences/ordering.ts'
import { loadTickers } from '../../app/quotes.ts'
import { Pull } from '../ui/pull.tsx'
import { RowsSkeleton, Skeleton } from '../ui/skeleton.tsx'
import { later } from '../ui/later.tsx'
import { Turn } from '../ui/turn.tsx'
import { BookOutline } from './book.tsx'
import { Desks } from './desks.tsx'

const MiniChart = later(() => import('./mini-chart.tsx').then((module) => module.MiniChart))

/**
 * A desk of a market with a book: its header, the ticket beside the book, and a panel below the fold, which may be loaded later. The
 * user's layout says on which side the book is, and whether the small chart is open.
 */
export function DeskFrame({
  desk,
  market,
  header,
  head,
  ticket,
  book,
  panel,
}: {
  readonly desk: ChartDesk
  readonly market: WireMarket
  /** The header. Its chart button shows and hides the small chart. */
  readonly header: (chart: { readonly hasChart: boolean; readonly onChart: () => void }) => ReactNode
  /** Shown between the header and the ticket. */
  readonly head?: ReactNode
  readonly ticket: ReactNode
  readonly book: ReactNode
  readonly panel: ReactNode
}) {
  const [{ charts, book: side }, change] = useLayout()
  // A tap opens the chart here even if the account can't keep it.
  const [asked, setAsked] = useState<boolean>()
  const hasChart = asked ?? charts.includes(desk)
  const onChart = (): void => {
    setAsked(!hasChart)
    void change((now) => (now.charts.includes(desk) === hasChart ? { charts: toggled(now.charts, desk) } : {}))
  }
  const isLeft = side === 'left'
  return (
    <Pull onRefresh={() => Promise.all([loadTickers(), queries.invalidateQueries({ queryKey: ['own'] })])}>
      <Desks current={deskPaths[desk]} />
      {header({ hasChart, onChart })}
      {hasChart && (
        <Suspense fallback={<Skeleton className="mx-4 mt-3 h-28 rounded-control" />}>
          <MiniChart market={market} />
        </Suspense>
      )}
      {head}
      <div className="@container px-4 pt-3">
        <div className={`grid gap-3 ${isLeft ? '@min-[17rem]:grid-cols-[1fr_1.42fr]' : '@min-[17rem]:grid-cols-[1.42fr_1fr]'}`}>
          <Turn waiting={<TicketOutline />}>{ticket}</Turn>
          <div className={`min-w-0 ${isLeft ? '@min-[17rem]:order-first' : ''}`}>
            <Turn waiting={<BookOutline />}>{book}</Turn>
          </div>
        </div>
      </div>
      {/* Mounted last, so that it does not move when the ticket becomes taller than its outline. */}
      <Turn>
        <Suspense
          fallback={
            <div className="mt-5 min-h-80">
              <RowsSkeleton rows={2} />
            </div>
          }
        >
          {panel}
        </Suspense>
      </Turn>
    </Pull>
  )
}

/** The place of the ticket before it is mounted. */
function TicketOutline() {
  return (
    <div aria-hidden className="flex min-w-0 flex-col gap-2.5">
      <Skeleton className="h-8 rounded-chip" />
      <Skeleton className="h-11 rounded-control" />
      <Skeleton className="h-11 rounded-control" />
      <Skeleton className="h-11 rounded-control" />
    </div>
  )
}
