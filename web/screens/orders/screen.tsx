import { Suspense, useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { navigate, usePlace } from '../../app/location.ts'
import { loadFurther } from '../../app/routes.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { ExportButton } from '../../parts/lists/export-button.tsx'
import { PairFilter } from '../../parts/order/pair-filter.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { usePerpAccount, usePerpOrders } from '../../parts/perp/account.ts'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { LoginFirst } from '../../parts/ui/state.tsx'
import { Segmented, Tabs } from '../../parts/ui/tabs.tsx'
import { later, laterSheet } from '../../parts/ui/later.tsx'
import { useOpenOrders } from '../../parts/order/own-orders.ts'
import { CancelAll, Fills, History, NothingYet, Open } from './orders.tsx'
import type { Product } from './product.ts'

// Lists of perp only, and details, are loaded with their texts.
const Positions = later(async () => (await withTexts(import('../../parts/perp/positions.tsx'))).Positions)
const ClosedPositions = later(async () => (await withTexts(import('./closed.tsx'))).ClosedPositions)
const FundingList = later(async () => (await withTexts(import('./funding.tsx'))).FundingList)
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
  const go = (next: Product, nextTab: Tab | undefined): void =>
    navigate(`${path}?product=${next}${nextTab === undefined ? '' : `&tab=${nextTab}`}`, { replace: true })
  const [symbol, setSymbol] = useState('')
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: ['own'] })}>
      <PageHeader title={t('orders.title')} fallback={product === 'perp' ? '/contract' : '/spot'}>
        {me !== undefined && tab !== 'open' && tab !== 'positions' && (
          <ExportButton
            label={t('orders.export')}
            save={async () => (await withTexts(import('./export.ts'))).exportTable(product, tab, symbol, t, format)}
          />
        )}
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
          onTab={(next) => go(product, next)}
          onSymbol={setSymbol}
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
  onTab,
  onSymbol,
}: {
  readonly product: Product
  readonly tab: Tab
  readonly shown: readonly Tab[]
  readonly symbol: string
  readonly onTab: (tab: Tab) => void
  readonly onSymbol: (symbol: string) => void
}) {
  const { t } = useTranslation()
  const [chosen, setDetail] = useState<string>()
  const asked = usePlace().query.get('order') ?? undefined
  const detail = chosen ?? asked
  const closeDetail = (): void => {
    setDetail(undefined)
    // Removes the request from the address, so that the same notice can open the sheet again.
    if (asked !== undefined) onTab(tab)
  }
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
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-2 px-4">
        <PairFilter kind={product} value={symbol} onChange={onSymbol} />
        {tab === 'open' && <CancelAll product={product} symbol={symbol} />}
        {tab === 'history' && product === 'spot' && (
          <a href="#/lever?tab=liquidations" className="flex min-h-8 items-center text-13 font-medium text-brand">
            {t('orders.marginLiquidations')}
          </a>
        )}
      </div>
      <div role="tabpanel" aria-label={names[tab]}>
        {tab === 'open' && <Open product={product} symbol={symbol} />}
        {tab === 'history' && <History key={symbol} product={product} symbol={symbol} onOpen={setDetail} />}
        {tab === 'fills' && <Fills key={symbol} product={product} symbol={symbol} onOpen={setDetail} />}
        <Suspense fallback={<RowsSkeleton />}>
          {tab === 'positions' && <Positions symbol={symbol} action={<NothingYet product={product} />} />}
          {tab === 'closed' && <ClosedPositions key={symbol} symbol={symbol} />}
          {tab === 'funding' && <FundingList key={symbol} symbol={symbol} />}
        </Suspense>
      </div>
      <Suspense fallback={null}>{detail !== undefined && <OrderSheet id={detail} product={product} onClose={closeDetail} />}</Suspense>
    </>
  )
}
