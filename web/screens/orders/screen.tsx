import { Suspense, useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { navigate, usePlace } from '../../app/location.ts'
import { loadFurther } from '../../app/routes.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { PairFilter } from '../../parts/order/pair-filter.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { usePerpAccount, usePerpOrders } from '../../parts/perp/account.ts'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { LoginFirst } from '../../parts/ui/state.tsx'
import { Segmented, Tabs } from '../../parts/ui/tabs.tsx'
import { later, laterSheet } from '../../parts/ui/later.tsx'
import { useOpenOrders } from '../../parts/order/own-orders.ts'
import { useChosen } from '../../parts/wide/use-chosen.ts'
import { CancelAll, NothingYet, Open } from './orders.tsx'
import type { Product } from './product.ts'
import { type Span, spanBounds, spanOf, spanQuery } from './span.ts'

// Lists of perp only, and details, are loaded with their texts.
const Positions = later(async () => (await withTexts(import('../../parts/perp/positions.tsx'))).Positions)
const ClosedPositions = later(async () => (await withTexts(import('./closed.tsx'))).ClosedPositions)
const FundingList = later(async () => (await withTexts(import('./funding.tsx'))).FundingList)
const History = later(async () => (await withTexts(import('./past.tsx'))).History)
const Fills = later(async () => (await withTexts(import('./past.tsx'))).Fills)
const ExportButton = later(async () => (await import('../../parts/lists/export-button.tsx')).ExportButton)
const DateFilter = later(async () => (await withTexts(import('./date-filter.tsx'))).DateFilter)
const OrderSheet = laterSheet(async () => (await withTexts(import('./order-sheet.tsx'))).OrderSheet)

async function withTexts<Module>(loading: Promise<Module>): Promise<Module> {
  const [module] = await Promise.all([loading, loadFurther('/entrust')])
  return module
}

const tabs = ['open', 'history', 'fills', 'positions', 'closed', 'funding'] as const
type Tab = (typeof tabs)[number]

/** The user's orders and their results, in spot and perp. */
export function Screen() {
  const { t } = useTranslation()
  const format = useFormats()
  const me = useMe()
  const { path, query } = usePlace()
  const product: Product = query.get('product') === 'perp' ? 'perp' : 'spot'
  const shown = product === 'perp' ? tabs : tabs.slice(0, 3)
  const tab = shown.find((one) => one === query.get('tab')) ?? (product === 'perp' && !query.has('tab') ? 'positions' : 'open')
  const span = spanOf(query)
  const go = (next: Product, nextTab: Tab | undefined, nextSpan: Span = span): void =>
    navigate(`${path}?product=${next}${nextTab === undefined ? '' : `&tab=${nextTab}`}${spanQuery(nextSpan)}`, { replace: true })
  const [symbol, setSymbol] = useState('')
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: ['own'] })}>
      <PageHeader title={t('orders.title')} fallback={product === 'perp' ? '/contract' : '/spot'}>
        <Suspense fallback={null}>
          {me !== undefined && tab !== 'open' && tab !== 'positions' && (
            <ExportButton
              label={t('orders.export')}
              save={async () =>
                (await withTexts(import('./export.ts'))).exportTable(
                  product,
                  tab,
                  { symbol, bounds: spanBounds(span, new Date()) },
                  t,
                  format,
                )
              }
            />
          )}
        </Suspense>
      </PageHeader>
      <div className="px-4 pb-1">
        <Segmented
          label={t('perp.product')}
          value={product}
          onChange={(next) => {
            setSymbol('')
            go(next, undefined)
          }}
          choices={[
            { value: 'spot', label: t('trade.spot') },
            { value: 'perp', label: t('trade.futures') },
          ]}
        />
      </div>
      {me === undefined ? (
        <LoginFirst text={t('orders.loginFirst')} next={`/entrust?product=${product}`} />
      ) : (
        <Lists
          key={product}
          product={product}
          tab={tab}
          shown={shown}
          symbol={symbol}
          span={span}
          onTab={(next) => go(product, next)}
          onSymbol={setSymbol}
          onSpan={(next) => go(product, tab, next)}
        />
      )}
    </Pull>
  )
}

function Lists({
  product,
  tab,
  shown,
  symbol,
  span,
  onTab,
  onSymbol,
  onSpan,
}: {
  readonly product: Product
  readonly tab: Tab
  readonly shown: readonly Tab[]
  readonly symbol: string
  readonly span: Span
  readonly onTab: (tab: Tab) => void
  readonly onSymbol: (symbol: string) => void
  readonly onSpan: (span: Span) => void
}) {
  const { t } = useTranslation()
  // Closing removes it from the address, so that the same notice can open the details again.
  const [detail, setDetail] = useChosen('order')
  const spot = useOpenOrders().data
  const perp = usePerpOrders().data
  const positions = usePerpAccount().data?.positions
  const names: Readonly<Record<Tab, string>> = {
    open: t('orders.open'),
    history: t('orders.history'),
    fills: t('orders.fills'),
    positions: t('positions.positions'),
    closed: t('closed.closedPositions'),
    funding: t('positions.fundingTitle'),
  }
  const counts: { readonly [Name in Tab]?: number | undefined } = {
    open: (product === 'perp' ? perp : spot)?.length,
    positions: positions?.length,
  }
  const bounds = spanBounds(span, new Date())
  // In perp, positions come first.
  const order = product === 'perp' ? [...shown].sort((a, b) => Number(b === 'positions') - Number(a === 'positions')) : shown
  return (
    <>
      <Tabs
        label={t('orders.title')}
        value={tab}
        onChange={onTab}
        choices={order.map((value) => ({ value, label: names[value], count: counts[value] }))}
      />
      <div className="flex min-h-12 flex-wrap items-center gap-x-2 px-4 [&>a]:ms-auto [&>button]:ms-auto">
        <PairFilter kind={product} value={symbol} onChange={onSymbol} />
        <Suspense fallback={<span className="h-8" />}>
          {tab !== 'open' && tab !== 'positions' && <DateFilter span={span} onChange={onSpan} />}
        </Suspense>
        {tab === 'open' && <CancelAll product={product} symbol={symbol} />}
        {tab === 'history' && product === 'spot' && (
          <a href="#/lever?tab=liquidations" className="flex min-h-8 items-center text-13 font-medium text-brand">
            {t('orders.marginLiquidations')}
          </a>
        )}
      </div>
      <div role="tabpanel" aria-label={names[tab]} className="wide-page">
        {tab === 'open' && <Open product={product} symbol={symbol} />}
        <Suspense fallback={<RowsSkeleton />}>
          {tab === 'history' && (
            <History key={symbol} product={product} symbol={symbol} bounds={bounds} current={detail} onOpen={setDetail} />
          )}
          {tab === 'fills' && <Fills key={symbol} product={product} symbol={symbol} bounds={bounds} current={detail} onOpen={setDetail} />}
          {tab === 'positions' && <Positions symbol={symbol} action={<NothingYet product={product} />} />}
          {tab === 'closed' && <ClosedPositions key={symbol} symbol={symbol} bounds={bounds} />}
          {tab === 'funding' && <FundingList key={symbol} symbol={symbol} bounds={bounds} />}
        </Suspense>
      </div>
      <Suspense fallback={null}>
        {detail !== undefined && <OrderSheet id={detail} product={product} onClose={() => setDetail(undefined)} />}
      </Suspense>
    </>
  )
}
