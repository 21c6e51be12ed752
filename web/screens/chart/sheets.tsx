import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { Suspense } from 'react'
import { navigate } from '../../app/location.ts'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { later } from '../../parts/ui/later.tsx'
import type { PriceChart } from './chart.ts'
import { IntervalButton } from './interval-button.tsx'
import { DrawSheet, IndicatorSheet } from './tools.tsx'
import type { View } from './use-view.ts'

const MarketList = later(async () => {
  const [module] = await Promise.all([import('../../parts/market/market-list.tsx'), loadArea('markets')])
  return module.MarketList
})

export type SheetName = 'pairs' | 'intervals' | 'indicators' | 'draw'

/** Sheets over the chart, one at a time: markets, intervals, indicators, drawings. */
export function Sheets({
  open,
  market,
  view,
  chart,
  onClose,
}: {
  readonly open: SheetName | undefined
  readonly market: WireMarket
  readonly view: View
  readonly chart: PriceChart | undefined
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  return (
    <>
      <Sheet isOpen={open === 'pairs'} onClose={onClose} title={t('market.title')}>
        <Suspense fallback={<RowsSkeleton rows={8} />}>
          <MarketList kind={market.kind} onChoose={(symbol) => navigate(`/contractkline?symbol=${symbol}`, { replace: true })} />
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
      <IndicatorSheet isOpen={open === 'indicators'} onClose={onClose} chart={chart} type={view.type} onType={view.setType} />
      <DrawSheet isOpen={open === 'draw'} onClose={onClose} chart={chart} symbol={market.symbol} />
    </>
  )
}
