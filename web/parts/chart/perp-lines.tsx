import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { type RefObject, useEffect } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { useMark } from '../perp/marks.ts'
import { Segmented } from '../ui/tabs.tsx'
import type { PriceChart, PriceLine } from './chart.ts'
import { useColours } from './use-colours.ts'
import type { View } from './use-view.ts'

type Props = {
  readonly market: WireMarket
  readonly view: View
  readonly chart: RefObject<PriceChart | undefined>
  /** Number of the chart: a new chart has no lines. */
  readonly version: number
}

/** Candles of a perp market's trades, mark price or index; and lines at the mark and the index, which can be switched on. */
export function PerpLines(props: Props) {
  const { t } = useTranslation()
  const { view } = props
  useLines(props)
  return (
    <div className="px-4 pb-1">
      <Segmented
        size="small"
        label={t('chart.price')}
        value={view.price}
        onChange={view.setPrice}
        choices={[
          { value: 'last', label: t('perp.last') },
          { value: 'mark', label: t('perp.mark') },
          { value: 'index', label: t('perp.index') },
        ]}
      />
    </div>
  )
}

/** Draws the reference prices that are on, and updates them when one moves. */
function useLines({ market, view, chart, version }: Props): void {
  const { t } = useTranslation()
  const format = useFormats()
  const mark = useMark(market.symbol)
  const { lines: on, price } = view
  const colours = useColours()
  useEffect(() => {
    const page = getComputedStyle(document.documentElement)
    const lines: PriceLine[] = []
    const add = (name: 'mark' | 'index', label: string, tone: string): void => {
      // The candles show that price already.
      if (mark === undefined || price === name || !on.includes(name)) return
      const text = `${label} ${format.number(mark[name], market.priceDigits, market.priceDigits)}`
      lines.push({ name, price: Number(mark[name]), text, colour: page.getPropertyValue(tone).trim() })
    }
    add('mark', t('perp.mark'), '--blue')
    add('index', t('perp.index'), '--fg2')
    chart.current?.setLines(lines)
  }, [on, price, mark, market, chart, version, colours, t, format])
}
