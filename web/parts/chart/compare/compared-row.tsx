import type { Decimal } from '@candor/core/money/brand.ts'
import { X } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import { useConfig } from '../../../app/config.ts'
import { useFormats } from '../../../app/format.ts'
import { useTranslation } from '../../../app/translate.ts'
import type { PriceChart } from '../chart.ts'
import { useColours } from '../use-colours.ts'
import type { View } from '../use-view.ts'

/** Colours that no candle, average or own line has, for dark and light; and strokes, for those who can't tell colours apart. */
const looks = [
  { dark: '#f472d0', light: '#b3168f', dashes: [] },
  { dark: '#3dd6e8', light: '#0b7285', dashes: [6, 3] },
  { dark: '#c8cdd8', light: '#3f4653', dashes: [2, 2] },
] as const

type Props = {
  readonly view: View
  readonly chart: RefObject<PriceChart | undefined>
  /** Number of the chart: a new chart compares nothing yet. */
  readonly version: number
}

/** The markets that the chart is compared with: each with its stroke, its change since the first bar in sight, and × to remove it. */
export function ComparedRow({ view, chart, version }: Props) {
  const { t } = useTranslation()
  const format = useFormats()
  const markets = useConfig().data?.markets
  const isLight = useColours().startsWith('light')
  const [changes, setChanges] = useState<readonly (number | undefined)[]>([])
  const shown = useMemo(
    () =>
      view.compared.flatMap((symbol, at) => {
        const [market, look] = [markets?.find((one) => one.symbol === symbol), looks[at]]
        return market === undefined || look === undefined ? [] : [{ market, colour: isLight ? look.light : look.dark, dashes: look.dashes }]
      }),
    [view.compared, markets, isLight],
  )
  useEffect(() => chart.current?.setCompared(shown), [shown, chart, version])
  useEffect(() => () => chart.current?.setCompared([]), [chart])
  useEffect(() => chart.current?.comparisons.watch(setChanges), [chart, version])
  return (
    <ul aria-label={t('chart.compare.title')} className="no-scrollbar flex items-center gap-2 overflow-x-auto px-3 pb-1">
      {shown.map(({ market, colour, dashes }, at) => {
        const change = changes[at]
        const pair = market.kind === 'perp' ? `${market.base}/${market.quote} ${t('trade.perp')}` : `${market.base}/${market.quote}`
        return (
          <li key={market.symbol} className="flex shrink-0 items-center gap-1.5 rounded-chip bg-s2 ps-2 text-12">
            <svg width="16" height="4" aria-hidden>
              <line x1="0" x2="16" y1="2" y2="2" stroke={colour} strokeWidth="2" strokeDasharray={dashes.join(' ')} />
            </svg>
            {pair}
            <span className="tn">{change === undefined ? '–' : format.change(change.toFixed(2) as Decimal)}</span>
            <button
              type="button"
              aria-label={t('chart.compare.remove', { pair })}
              onClick={() => view.setCompared(view.compared.filter((symbol) => symbol !== market.symbol))}
              className="flex min-h-11 w-11 items-center justify-center text-fg2"
            >
              <X size={14} strokeWidth={2} aria-hidden />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
