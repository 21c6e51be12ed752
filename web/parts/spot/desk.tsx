import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { queries } from '../../app/client.ts'
import { loadTickers } from '../../app/quotes.ts'
import { set } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'
import { Book } from '../desk/book.tsx'
import { DayStats } from '../desk/day-stats.tsx'
import { Desks } from '../desk/desks.tsx'
import { DeskHeader } from '../desk/header.tsx'
import { useOwnPrices } from '../order/own-orders.ts'
import { Pull } from '../ui/pull.tsx'
import { RowsSkeleton, Skeleton } from '../ui/skeleton.tsx'
import { Ticket } from './ticket.tsx'
import { type OnMargin, useTicket } from './use-ticket.ts'

const MiniChart = lazy(() => import('../desk/mini-chart.tsx').then((module) => ({ default: module.MiniChart })))

/**
 * The desk of a spot market: its price, its book and the ticket. `margin`: the same desk on margin accounts, with the account
 * above the ticket. `panel` stands below the fold and may come late.
 */
export function SpotDesk({
  market,
  config,
  side = 'buy',
  margin,
  head,
  reference,
  panel,
}: {
  readonly market: WireMarket
  readonly config: WireConfig
  readonly side?: Side
  readonly margin?: OnMargin
  readonly head?: ReactNode
  /** Stands below the last price in the book. */
  readonly reference?: ReactNode
  readonly panel: ReactNode
}) {
  const { t } = useTranslation()
  const path = margin?.path ?? '/spot'
  const ticket = useTicket(market, config, side, margin)
  const [hasChart, setHasChart] = useState(false)
  const own = useOwnPrices(market.symbol)
  useEffect(() => set({ lastSymbol: market.symbol, lastDesk: path }), [market.symbol, path])
  return (
    <Pull onRefresh={() => Promise.all([loadTickers(), queries.invalidateQueries({ queryKey: ['own'] })])}>
      <Desks current={path} />
      <DeskHeader
        market={market}
        home={path}
        quote={margin === undefined ? undefined : market.quote}
        title={t('market.title')}
        hasChart={hasChart}
        onChart={() => setHasChart(!hasChart)}
        day={<DayStats market={market} />}
      />
      {hasChart && (
        <Suspense fallback={<Skeleton className="mx-4 mt-3 h-28 rounded-control" />}>
          <MiniChart market={market} />
        </Suspense>
      )}
      {head}
      <div className="@container px-4 pt-3">
        <div className="grid gap-3 @min-[17rem]:grid-cols-[1.42fr_1fr]">
          <Ticket ticket={ticket} />
          <Book market={market} own={own} reference={reference} onTake={ticket.take} />
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
