import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { Suspense } from 'react'
import { navigate } from '../../app/location.ts'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { Sheet } from '../ui/sheet.tsx'
import { RowsSkeleton } from '../ui/skeleton.tsx'
import { later } from '../ui/later.tsx'
import type { PriceChart } from './chart.ts'
import { IntervalButton } from './interval-button.tsx'
import { LineSheet } from './line-sheet.tsx'
import { DrawSheet } from './draw/draw-sheet.tsx'
import type { Pending } from './draw/drawings.ts'
import { IndicatorSheet } from './tools.tsx'
import type { View } from './use-view.ts'

const MarketList = later(async () => {
  const [module] = await Promise.all([import('../market/market-list.tsx'), loadArea('markets')])
  return module.MarketList
})

const ChooseCompared = later(async () => {
  const [module] = await Promise.all([import('./compare/choose-compared.tsx'), loadArea('markets')])
  return module.ChooseCompared
})

export type SheetName = 'pairs' | 'intervals' | 'indicators' | 'draw' | 'lines' | 'compare'

/** Sheets over the chart, one at a time: markets, intervals, indicators, drawings, lines, a market to compare with. */
export function Sheets({
  open,
  market,
  view,
  chart,
  onClose,
  onOpen,
  onDraw,
  choose = (symbol) => navigate(`/contractkline?symbol=${symbol}`, { replace: true }),
}: {
  readonly open: SheetName | undefined
  readonly market: WireMarket
  readonly view: View
  readonly chart: PriceChart | undefined
  readonly onClose: () => void
  readonly onOpen: (sheet: SheetName) => void
  /** Called with each step of a drawing, and without one at its end. */
  readonly onDraw: (pending: Pending | undefined) => void
  /** Shows another market. */
  readonly choose?: (symbol: string) => void
}) {
  const { t } = useTranslation()
  const compare = (symbol: string): void => {
    if (symbol !== market.symbol) view.setCompared([...view.compared.filter((one) => one !== symbol), symbol])
    onClose()
  }
  return (
    <>
      <Sheet isOpen={open === 'pairs'} onClose={onClose} title={t('market.title')}>
        <Suspense fallback={<RowsSkeleton rows={8} />}>
          <MarketList kind={market.kind} onChoose={choose} />
        </Suspense>
      </Sheet>
      <Sheet isOpen={open === 'intervals'} onClose={onClose} title={t('chart.interval')}>
        <div className="grid grid-cols-4 gap-2">
          {view.intervals.map((one) => (
            <IntervalButton
              key={one}
              interval={one}
              isOn={one === view.interval}
              onClick={() => {
                view.setInterval(one)
                onClose()
              }}
            />
          ))}
        </div>
      </Sheet>
      <IndicatorSheet isOpen={open === 'indicators'} onClose={onClose} chart={chart} view={view} />
      <DrawSheet isOpen={open === 'draw'} onClose={onClose} chart={chart} symbol={market.symbol} onDraw={onDraw} />
      <LineSheet isOpen={open === 'lines'} onClose={onClose} market={market} view={view} onCompare={() => onOpen('compare')} />
      <Sheet isOpen={open === 'compare'} onClose={onClose} title={t('chart.compare.title')}>
        <Suspense fallback={<RowsSkeleton rows={8} />}>
          <ChooseCompared market={market} onChoose={compare} />
        </Suspense>
      </Sheet>
    </>
  )
}
