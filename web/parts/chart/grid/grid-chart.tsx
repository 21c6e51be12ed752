import type { ChartGrid } from '@candor/core/protocol/wire/own/preferences.ts'
import { ChevronDown, ExternalLink, SlidersHorizontal } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../../app/translate.ts'
import { Coin } from '../../funds/coin.tsx'
import { IconButton } from '../../ui/button.tsx'
import { LiveChange, Price } from '../../ui/figure.tsx'
import { openApart } from '../../shortcuts/windows.ts'
import { ChartArea } from '../chart-area.tsx'
import type { PriceChart } from '../chart.ts'
import { IntervalButton } from '../interval-button.tsx'
import { commonIntervals } from '../intervals.ts'
import { type SheetName, Sheets } from '../sheets.tsx'
import { useView, type View } from '../use-view.ts'
import type { Cell } from './arrangement.ts'
import { linkChart } from './link.ts'

type Props = {
  readonly cell: Cell
  readonly place: number
  /** The keys are for this chart. */
  readonly isActive: boolean
  readonly isLinked: boolean
  readonly onActive: () => void
  readonly onChange: (part: Partial<ChartGrid['charts'][number]>) => void
}

/** One chart of the grid, with its market and interval in its head. */
export function GridChart({ cell: { market, interval }, place, isActive, isLinked, onActive, onChange }: Props) {
  const { t } = useTranslation()
  const own = useView(market, `grid${place}`)
  // The account keeps the interval; the device keeps the rest of the chart's look.
  const view = useMemo((): View => ({ ...own, interval, setInterval: (next) => onChange({ interval: next }) }), [own, interval, onChange])
  const [sheet, setSheet] = useState<SheetName>()
  const chart = useRef<PriceChart | undefined>(undefined)
  const [made, setMade] = useState(0)
  useEffect(() => (isLinked && chart.current !== undefined ? linkChart(chart.current) : undefined), [isLinked, made])
  const pair = `${market.base}/${market.quote}`
  const name = market.kind === 'perp' ? `${pair} ${t('trade.perp')}` : pair
  return (
    <section
      data-pane="chart"
      aria-label={t('shortcuts.charts.one', { place: place + 1, pair: name })}
      onPointerDown={onActive}
      onFocus={onActive}
      className="flex min-h-0 min-w-0 flex-col rounded-chip bg-s1"
    >
      <div className="no-scrollbar flex shrink-0 items-center gap-2 overflow-x-auto px-2" style={{ minHeight: 32 }}>
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={t('trade.choosePair', { pair: name })}
          onClick={() => setSheet('pairs')}
          className={`flex min-h-8 shrink-0 items-center gap-1 text-13 font-semibold ${isActive ? 'text-brand' : ''}`}
        >
          <Coin asset={market.base} size={20} />
          {name}
          <ChevronDown size={12} strokeWidth={1.75} aria-hidden />
        </button>
        <Price symbol={market.symbol} tone className="text-13 font-medium" />
        <LiveChange symbol={market.symbol} className="text-12" />
        <span className="ms-auto flex shrink-0 items-center">
          {commonIntervals.map((one) => (
            <IntervalButton key={one} interval={one} isOn={one === interval} onClick={() => onChange({ interval: one })} />
          ))}
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => setSheet('intervals')}
            className={`tn flex min-h-8 shrink-0 items-center gap-1 rounded-chip px-2 text-12 font-medium ${commonIntervals.includes(interval) ? 'text-fg3' : 'bg-s2 text-fg'}`}
          >
            {commonIntervals.includes(interval) ? t('chart.more') : interval}
            <ChevronDown size={12} strokeWidth={1.75} aria-hidden />
          </button>
          <IconButton label={t('chart.indicators')} className="!size-9" onClick={() => setSheet('indicators')}>
            <SlidersHorizontal size={18} strokeWidth={1.75} aria-hidden />
          </IconButton>
          <IconButton label={t('shortcuts.charts.apart')} className="!size-9" onClick={() => openApart('chart', market.symbol)}>
            <ExternalLink size={18} strokeWidth={1.75} aria-hidden />
          </IconButton>
        </span>
      </div>
      <ChartArea market={market} view={view} isFull chart={chart} version={made} onReady={() => setMade((count) => count + 1)} />
      <Sheets
        open={sheet}
        market={market}
        view={view}
        chart={chart.current}
        onClose={() => setSheet(undefined)}
        onOpen={setSheet}
        onDraw={() => undefined}
        choose={(symbol) => onChange({ symbol })}
      />
    </section>
  )
}
