import { ChevronDown, Layers, Maximize2, Minimize2, PencilLine, SlidersHorizontal } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { IconButton } from '../ui/button.tsx'
import { IntervalButton } from './interval-button.tsx'
import { commonIntervals } from './intervals.ts'
import type { SheetName } from './sheets.tsx'
import type { View } from './use-view.ts'

/** The bar above the chart: common intervals, a menu for the others, indicators, drawings and full screen. */
export function Toolbar({
  view,
  isFull,
  onFull,
  onOpen,
}: {
  readonly view: View
  readonly isFull: boolean
  readonly onFull: () => void
  readonly onOpen: (sheet: SheetName) => void
}) {
  const { t } = useTranslation()
  const isCommon = commonIntervals.includes(view.interval)
  return (
    <div className="no-scrollbar flex items-center gap-1 overflow-x-auto px-3 py-1">
      {commonIntervals.map((one) => (
        <IntervalButton key={one} interval={one} isOn={one === view.interval} onClick={() => view.setInterval(one)} />
      ))}
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => onOpen('intervals')}
        className={`tn flex min-h-8 shrink-0 items-center gap-1 rounded-chip px-2 text-12 font-medium ${isCommon ? 'text-fg3' : 'bg-s2 text-fg'}`}
      >
        {isCommon ? t('chart.more') : view.interval}
        <ChevronDown size={12} strokeWidth={1.75} aria-hidden />
      </button>
      <span className="ms-auto flex shrink-0">
        <IconButton label={t('chart.indicators')} className="!size-9" onClick={() => onOpen('indicators')}>
          <SlidersHorizontal size={18} strokeWidth={1.75} aria-hidden />
        </IconButton>
        <IconButton label={t('chart.draw')} className="!size-9" onClick={() => onOpen('draw')}>
          <PencilLine size={18} strokeWidth={1.75} aria-hidden />
        </IconButton>
        <IconButton label={t('chart.lines.title')} className="!size-9" onClick={() => onOpen('lines')}>
          <Layers size={18} strokeWidth={1.75} aria-hidden />
        </IconButton>
        <IconButton label={isFull ? t('chart.smaller') : t('chart.full')} className="!size-9" onClick={onFull}>
          {isFull ? <Minimize2 size={18} strokeWidth={1.75} aria-hidden /> : <Maximize2 size={18} strokeWidth={1.75} aria-hidden />}
        </IconButton>
      </span>
    </div>
  )
}
