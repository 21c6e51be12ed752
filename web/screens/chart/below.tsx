import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { Suspense, useState } from 'react'
import { loadFurther } from '../../app/routes.ts'
import { useTranslation } from '../../app/translate.ts'
import { Book } from '../../parts/desk/book.tsx'
import { useOwnPrices } from '../../parts/order/own-orders.ts'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Tabs } from '../../parts/ui/tabs.tsx'
import { later } from '../../parts/ui/later.tsx'
import { MarketInfo } from './market-info.tsx'

const perpParts = () => import('./perp-book.tsx')
const PerpBook = later(() => perpParts().then((module) => module.PerpBook))
const PerpTrades = later(() => perpParts().then((module) => module.PerpTrades))
const DepthChart = later(() => import('../../parts/chart/depth/depth-chart.tsx').then((module) => module.DepthChart))
const TradeList = later(() => import('../../parts/order/trade-list.tsx').then((module) => module.TradeList))
const PerpInfo = later(async () => {
  const [module] = await Promise.all([import('./perp-info.tsx'), loadFurther('/contractkline')])
  return module.PerpInfo
})

/** The book has the width of the screen here, and nothing stands beside it. */
export const rowsBelow = 12

type Tab = 'book' | 'depth' | 'trades' | 'info'
type PartProps = { readonly market: WireMarket; readonly onTake: () => void }

/** The market's book, trades and terms, below the chart. */
export function BelowChart({ market, onTake }: PartProps) {
  const { t } = useTranslation()
  const [tab, setTab] = useState<Tab>('book')
  const isPerp = market.kind === 'perp'
  return (
    <>
      <Tabs
        label={`${market.base}/${market.quote}`}
        value={tab}
        onChange={setTab}
        choices={[
          { value: 'book', label: t('trade.book') },
          { value: 'depth', label: t('chart.depth.title') },
          { value: 'trades', label: t('trade.trades') },
          { value: 'info', label: t('chart.info') },
        ]}
      />
      <div role="tabpanel" aria-label={t(`chart.tab.${tab}`)} className="pb-4">
        {tab === 'book' && (
          <div className="px-4 pt-3">
            {isPerp ? (
              <Suspense fallback={<RowsSkeleton rows={4} />}>
                <PerpBook market={market} rows={rowsBelow} onTake={onTake} />
              </Suspense>
            ) : (
              <SpotBook market={market} onTake={onTake} />
            )}
          </div>
        )}
        {tab === 'depth' && (
          <Suspense fallback={<RowsSkeleton rows={4} />}>
            <DepthChart market={market} />
          </Suspense>
        )}
        {tab === 'trades' && (
          <Suspense fallback={<RowsSkeleton rows={4} />}>
            {isPerp ? <PerpTrades market={market} /> : <TradeList market={market} />}
          </Suspense>
        )}
        {tab === 'info' && (
          <>
            <MarketInfo market={market} />
            {isPerp && (
              <Suspense fallback={<RowsSkeleton rows={3} />}>
                <PerpInfo market={market} />
              </Suspense>
            )}
          </>
        )}
      </div>
    </>
  )
}

function SpotBook({ market, onTake }: PartProps) {
  return <Book market={market} own={useOwnPrices(market.symbol)} rows={rowsBelow} onTake={onTake} />
}
