import { type ReactNode, Suspense, useState, useSyncExternalStore } from 'react'
import type { ChartDesk } from '@candor/core/protocol/wire/own/preferences.ts'
import { queries } from '../../app/client.ts'
import { useLayout } from '../../app/preferences/use-layout.ts'
import { chartsOf, deskPaths } from '../../app/preferences/layout.ts'
import { toggled } from '../../app/preferences/ordering.ts'
import { loadTickers } from '../../app/quotes.ts'
import { useIsWide } from '../../app/wide/use-is-wide.ts'
import { Pull } from '../ui/pull.tsx'
import { RowsSkeleton, Skeleton } from '../ui/skeleton.tsx'
import { later } from '../ui/later.tsx'
import { Turn } from '../ui/turn.tsx'
import { BookOutline } from '../desk/book.tsx'
import { Desks } from '../desk/desks.tsx'
import { MiniChartOutline } from '../desk/mini-chart-outline.tsx'
import type { DeskParts } from '../terminal/desk-parts.ts'

const MiniChart = later(() => import('../desk/mini-chart.tsx').then((module) => module.MiniChart))

/** The panes of a wide window. */
const Terminal = later(() => import('../terminal/terminal.tsx').then((module) => module.loadTerminal()))

type Phone = {
  readonly desk: ChartDesk
  /** Prices of the user's resting orders in this market. */
  readonly own: ReadonlySet<string>
  /** The header. Its chart button shows and hides the small chart. */
  readonly header: (chart: { readonly hasChart: boolean; readonly onChart: () => void }) => ReactNode
  /** Shown between the header and the ticket. */
  readonly head?: ReactNode
}

/** A desk of a market with a book: on a phone its parts are one below the other, in a wide window they are panes. */
export function DeskFrame({ header, head, own, ...desk }: DeskParts & Phone) {
  return useIsWide() ? (
    <Suspense fallback={<Skeleton className="m-4 flex-1 rounded-card" />}>
      <Terminal {...desk} />
    </Suspense>
  ) : (
    <PhoneDesk header={header} head={head} own={own} {...desk} />
  )
}

/**
 * The header, the ticket beside the book, and a panel below the fold, which may be loaded later. The user's layout says on which side
 * the book is, and whether the small chart is open.
 */
function PhoneDesk({ desk, market, header, head, ticket, book, own, panel }: DeskParts & Phone) {
  const [{ charts, book: side }, change] = useLayout()
  // A tap opens the chart here even if the account can't keep it.
  const [asked, setAsked] = useState<boolean>()
  const height = useSyncExternalStore(onResize, () => innerHeight)
  const isOpen = chartsOf({ charts }, height).includes(desk)
  const hasChart = asked ?? isOpen
  const onChart = (): void => {
    setAsked(!hasChart)
    void change((now) => {
      const open = chartsOf(now, innerHeight)
      return open.includes(desk) === hasChart ? { charts: toggled(open, desk) } : {}
    })
  }
  const isLeft = side === 'left'
  return (
    <Pull onRefresh={() => Promise.all([loadTickers(), queries.invalidateQueries({ queryKey: ['own'] })])}>
      <Desks current={deskPaths[desk]} />
      {header({ hasChart, onChart })}
      {hasChart && (
        <Suspense fallback={<MiniChartOutline />}>
          <MiniChart market={market} own={own} />
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

function onResize(listener: () => void): () => void {
  addEventListener('resize', listener)
  return () => removeEventListener('resize', listener)
}
