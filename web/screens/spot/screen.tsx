import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useConfig } from '../../app/config.ts'
import { usePlace } from '../../app/location.ts'
import { painted } from '../../app/painted.ts'
import { loadTickers } from '../../app/quotes.ts'
import { loadFurther } from '../../app/routes.ts'
import { queries } from '../../app/client.ts'
import { set, useSettings } from '../../app/settings.ts'
import { Empty, Failure } from '../../parts/state.tsx'
import { RowsSkeleton, ScreenSkeleton, Skeleton } from '../../parts/skeleton.tsx'
import { Pull } from '../../parts/pull.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { useTitle } from '../../parts/page.tsx'
import { Desks } from '../deal/desks.tsx'
import { DeskHeader } from '../../parts/desk/header.tsx'
import { Book } from './book.tsx'
import { DayStats } from './day-stats.tsx'
import { useOwnPrices } from './own-orders.ts'
import { Ticket } from './ticket.tsx'
import { type Lever, useTicket } from './use-ticket.ts'

/** Below the fold: it comes after the desk. */
const Panel = lazy(async () => {
  await painted()
  const [panel] = await Promise.all([import('./panel.tsx'), loadFurther('/spot')])
  return { default: panel.Panel }
})
const MiniChart = lazy(() => import('./mini-chart.tsx').then((module) => ({ default: module.MiniChart })))

/** The spot desk: a market's price, its book, the ticket, and what the person has open there. */
export function Screen() {
  const { t } = useTranslation()
  const { query } = usePlace()
  const config = useConfig()
  const last = useSettings((settings) => settings.lastSymbol)
  const symbol = query.get('symbol') ?? last
  useTitle(t('trade.spot'))

  if (config.data === undefined) return config.error === null ? <ScreenSkeleton /> : <Failure error={config.error} />
  const markets = config.data.markets.filter((one) => one.kind === 'spot')
  const market = markets.find((one) => one.symbol === symbol) ?? (query.has('symbol') ? undefined : markets[0])
  if (market === undefined) {
    return (
      <Empty text={t('trade.noSuchMarket', { symbol })}>
        <ButtonLink to="/market" variant="soft" size="small">
          {t('trade.toMarkets')}
        </ButtonLink>
      </Empty>
    )
  }
  return <Desk key={market.symbol} market={market} config={config.data} side={sideOf(query)} />
}

function sideOf(query: URLSearchParams): Side {
  return query.get('side') === 'sell' ? 'sell' : 'buy'
}

/** The desk of a market. `lever`: the same desk on lever accounts, with its account above the ticket and its own panel. */
export function Desk({
  market,
  config,
  side = 'buy',
  lever,
  head,
  reference,
  panel,
}: {
  readonly market: WireMarket
  readonly config: WireConfig
  readonly side?: Side
  readonly lever?: Lever
  readonly head?: ReactNode
  /** Stands below the last price in the book. */
  readonly reference?: ReactNode
  readonly panel?: ReactNode
}) {
  const { t } = useTranslation()
  const path = lever?.path ?? '/spot'
  const ticket = useTicket(market, config, side, lever)
  const [hasChart, setHasChart] = useState(false)
  const own = useOwnPrices(market.symbol)
  useEffect(() => set({ lastSymbol: market.symbol, lastDesk: path }), [market.symbol, path])
  return (
    <Pull onRefresh={() => Promise.all([loadTickers(), queries.invalidateQueries({ queryKey: ['own'] })])}>
      <Desks current={path} />
      <DeskHeader
        market={market}
        home={path}
        quote={lever === undefined ? undefined : market.quote}
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
        {panel ?? <Panel market={market} config={config} />}
      </Suspense>
    </Pull>
  )
}
