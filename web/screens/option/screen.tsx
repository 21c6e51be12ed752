import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOptionTerms } from '@candor/core/protocol/wire/option.ts'
import { Suspense, useEffect, useState } from 'react'
import { queries } from '../../app/client.ts'
import { useConfig } from '../../app/config.ts'
import { usePlace } from '../../app/location.ts'
import { painted } from '../../app/painted.ts'
import { loadFurther } from '../../app/routes.ts'
import { set, useSettings } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'
import { useIsWide } from '../../app/wide/use-is-wide.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { useOpenOptions, useOptionMe, useOptionTerms } from '../../parts/option/data.ts'
import { useTitle } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton, Skeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure } from '../../parts/ui/state.tsx'
import { later } from '../../parts/ui/later.tsx'
import { Desks } from '../../parts/desk/desks.tsx'
import { IndexChart } from './chart.tsx'
import { loadSheets, OptionSheet, ResultSheet } from './later.ts'
import { DeskLinks, IndexFigure, PairHeader, sourceOf } from './pair-header.tsx'
import type { Lists } from './panel.tsx'
import { Ticket } from './ticket.tsx'
import { useDesk } from './use-desk.ts'
import { useAskedAgain } from './use-asked-again.ts'
import { useJustSettled } from './use-just-settled.ts'

/** Below the fold, so it is loaded after the desk. */
const Panel = later(async () => {
  await painted()
  const [panel] = await Promise.all([import('./panel.tsx'), loadFurther('/Second')])
  return panel.Panel
})

/** The panes of a wide window. */
const WideDesk = later(async () => {
  const [module] = await Promise.all([import('./wide/desk.tsx'), loadFurther('/Second')])
  return module.WideDesk
})

/** The desk of Second: the index of a market, the ticket, and running orders. */
export function Screen() {
  const { t } = useTranslation()
  const { query } = usePlace()
  const config = useConfig()
  const terms = useOptionTerms()
  // Requested together with the terms, because the desk needs both at its start.
  useOptionMe()
  useOpenOptions()
  const last = useSettings((settings) => settings.lastSymbol)
  const isWide = useIsWide()
  useTitle(t('trade.optionsDesk'))

  const error = config.error ?? terms.error
  if (config.data === undefined || terms.data === undefined) {
    if (isWide && error === null) return <Skeleton className="m-4 flex-1 rounded-card" />
    return (
      <>
        <Desks current="/Second" />
        {error === null ? <DeskSkeleton /> : <Failure error={error} />}
      </>
    )
  }
  const offered = config.data.markets.filter((market) => market.hasOption && terms.data.markets.some((one) => one.symbol === market.symbol))
  const wanted = query.get('symbol')
  const market = offered.find((one) => one.symbol === (wanted ?? last)) ?? (wanted === null ? offered[0] : undefined)
  if (market === undefined) {
    return (
      <>
        <Desks current="/Second" />
        <Empty text={wanted === null ? t('option.gate.closed') : t('trade.noSuchMarket', { symbol: wanted })}>
          <ButtonLink to={wanted === null ? '/spot' : '/Second'} variant="soft" size="small">
            {wanted === null ? t('trade.spot') : t('option.toDesk')}
          </ButtonLink>
        </Empty>
      </>
    )
  }
  if (wanted !== null && market.symbol !== last) queueMicrotask(() => set({ lastSymbol: market.symbol }))
  return <Desk key={market.symbol} market={market} config={config.data} terms={terms.data} />
}

function Desk({ market, config, terms }: { readonly market: WireMarket; readonly config: WireConfig; readonly terms: WireOptionTerms }) {
  const { t } = useTranslation()
  const desk = useDesk(market, config, terms)
  const open = useOpenOptions()
  const settled = useJustSettled(open.data)
  const [detail, setDetail] = useState<string>()
  const isWide = useIsWide()
  useAskedAgain(desk)
  useEffect(() => {
    const timer = setTimeout(() => void loadSheets().catch(() => undefined), 2_000)
    return () => clearTimeout(timer)
  }, [])
  if (useSettings.getState().lastDesk !== '/Second') queueMicrotask(() => set({ lastDesk: '/Second' }))
  const orders = (open.data ?? []).filter((order) => order.symbol === market.symbol)
  const panel = (lists?: Lists) => (
    <Suspense fallback={<PanelSkeleton />}>
      <Panel onOpen={setDetail} {...(lists === undefined ? {} : { lists })} />
    </Suspense>
  )
  return (
    <>
      {isWide ? (
        <Suspense fallback={<Skeleton className="m-4 flex-1 rounded-card" />}>
          <WideDesk
            desk={desk}
            config={config}
            terms={terms}
            source={sourceOf(config.feed, t)}
            figure={(className) => <IndexFigure market={market} className={className} />}
            links={(className) => <DeskLinks market={market} terms={terms} config={config} className={className} />}
            chart={<IndexChart market={market} orders={orders} />}
            ticket={(Field) => <Ticket desk={desk} Field={Field} />}
            panel={panel}
          />
        </Suspense>
      ) : (
        <Pull onRefresh={refresh}>
          <Desks current="/Second" />
          <PairHeader market={market} terms={terms} config={config} />
          <IndexChart market={market} orders={orders} />
          <Ticket desk={desk} />
          {panel()}
        </Pull>
      )}
      <Suspense fallback={null}>
        {detail !== undefined && <OptionSheet id={detail} onClose={() => setDetail(undefined)} />}
        {settled.order !== undefined && detail === undefined && desk.confirming === undefined && (
          <ResultSheet
            key={settled.order.id}
            order={settled.order}
            onClose={settled.next}
            onDetails={() => {
              setDetail(settled.order?.id)
              settled.next()
            }}
            {...(settled.order.symbol === market.symbol && desk.gate === undefined
              ? {
                  onAgain: () => {
                    if (settled.order !== undefined) desk.again(settled.order)
                    settled.next()
                  },
                }
              : {})}
          />
        )}
      </Suspense>
    </>
  )
}

function refresh(): Promise<unknown> {
  return Promise.all([queries.invalidateQueries({ queryKey: ['option'] }), queries.invalidateQueries({ queryKey: ['own'] })])
}

function PanelSkeleton() {
  return (
    <div aria-hidden className="mt-5 min-h-64">
      <div className="h-11 border-b border-line" />
      <RowsSkeleton rows={2} />
    </div>
  )
}

/** A grey placeholder with the layout of the desk. */
function DeskSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-3 px-4 pt-2">
      <Skeleton className="h-8 w-36" />
      <Skeleton className="h-8 w-44" />
      <Skeleton className="h-40 w-full rounded-card" />
      <div className="grid grid-cols-6 gap-1.5">
        {Array.from({ length: 6 }, (_, chip) => (
          <Skeleton key={chip} className="h-12 rounded-control" />
        ))}
      </div>
      <Skeleton className="h-14 w-full rounded-control" />
      <Skeleton className="h-16 w-full rounded-control" />
    </div>
  )
}
