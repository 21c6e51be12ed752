import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { lazy, Suspense, useEffect, useState } from 'react'
import { queries } from '../../app/client.ts'
import { useConfig } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { usePlace } from '../../app/location.ts'
import { painted } from '../../app/painted.ts'
import { loadTickers } from '../../app/quotes.ts'
import { loadFurther } from '../../app/routes.ts'
import { set, useSettings } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { useTitle } from '../../parts/ui/page.tsx'
import { useOwnPerpPrices } from '../../parts/perp/account.ts'
import { useMark } from '../../parts/perp/marks.ts'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton, ScreenSkeleton, Skeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure } from '../../parts/ui/state.tsx'
import { Desks } from '../../parts/desk/desks.tsx'
import { Book } from '../../parts/desk/book.tsx'
import { Header } from './header.tsx'
import { Ticket } from './ticket.tsx'
import { useTicket } from './use-ticket.ts'

const MiniChart = lazy(() => import('../../parts/desk/mini-chart.tsx').then((module) => ({ default: module.MiniChart })))

/** Below the fold: it comes after the desk. */
const Panel = lazy(async () => {
  await painted()
  const [panel] = await Promise.all([import('./panel.tsx'), loadFurther('/contract')])
  return { default: panel.Panel }
})

/** The perp desk: a market's price and funding, its book, the ticket, and the person's positions and orders. */
export function Screen() {
  const { t } = useTranslation()
  const { query } = usePlace()
  const config = useConfig()
  const last = useSettings((settings) => settings.lastContract)
  const asked = query.get('symbol')
  useTitle(t('trade.futures'))

  if (config.data === undefined) return config.error === null ? <ScreenSkeleton /> : <Failure error={config.error} />
  const markets = config.data.markets.filter((one) => one.kind === 'perp')
  // A link to a coin's spot pair opens its perp market: the trade container hands on what it was asked for.
  const spot = config.data.markets.find((one) => one.symbol === asked)
  const market =
    asked === null
      ? (markets.find((one) => one.symbol === last) ?? markets[0])
      : (markets.find((one) => one.symbol === asked) ?? markets.find((one) => one.base === spot?.base && one.quote === spot.quote))
  if (market === undefined) {
    return (
      <>
        <Desks current="/contract" />
        <Empty text={asked === null ? t('perp.noMarkets') : t('trade.noSuchMarket', { symbol: asked })}>
          <ButtonLink to="/market?kind=perp" variant="soft" size="small">
            {t('trade.toMarkets')}
          </ButtonLink>
        </Empty>
      </>
    )
  }
  return <Desk key={market.symbol} market={market} config={config.data} />
}

function Desk({ market, config }: { readonly market: WireMarket; readonly config: WireConfig }) {
  const ticket = useTicket(market, config)
  const own = useOwnPerpPrices(market.symbol)
  const [hasChart, setHasChart] = useState(false)
  useEffect(() => set({ lastContract: market.symbol, lastDesk: '/contract' }), [market.symbol])
  return (
    <Pull onRefresh={() => Promise.all([loadTickers(), queries.invalidateQueries({ queryKey: ['own'] })])}>
      <Desks current="/contract" />
      <Header market={market} hasChart={hasChart} onChart={() => setHasChart(!hasChart)} />
      {hasChart && (
        <Suspense fallback={<Skeleton className="mx-4 mt-3 h-28 rounded-control" />}>
          <MiniChart market={market} />
        </Suspense>
      )}
      <div className="@container px-4 pt-3">
        <div className="grid gap-3 @min-[17rem]:grid-cols-[1.42fr_1fr]">
          <Ticket ticket={ticket} />
          <Book market={market} own={own} reference={<MarkLine market={market} />} onTake={ticket.take} />
        </div>
      </div>
      <Suspense
        fallback={
          <div className="mt-5 min-h-80">
            <RowsSkeleton rows={2} />
          </div>
        }
      >
        <Panel market={market} config={config} />
      </Suspense>
    </Pull>
  )
}

/** Below the last price in the book: what positions are valued with. */
function MarkLine({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const format = useFormats()
  const mark = useMark(market.symbol)
  return <>{mark === undefined ? '–' : t('perp.markIs', { price: format.exact(mark.mark) })}</>
}
