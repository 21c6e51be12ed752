import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { type RefObject, useEffect, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import type { PriceChart } from './chart.ts'
import type { Legend } from './legend.ts'

/** Open, high, low and close of the bar under the crosshair, and the indicators on it: above the plot, where they cover no candle. */
export function LegendRow({
  market,
  chart,
  version,
}: {
  readonly market: WireMarket
  readonly chart: RefObject<PriceChart | undefined>
  readonly version: number
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const [legend, setLegend] = useState<Legend>()
  useEffect(() => chart.current?.onLegend(setLegend), [chart, version])
  const price = (value: number): string => format.number(value, market.priceDigits, market.priceDigits)
  const bar = legend?.bar
  const rose = bar === undefined || bar.close >= bar.open
  return (
    <div
      aria-hidden
      style={{ fontSize: 10 }}
      className="no-scrollbar tn flex h-5 items-center gap-2 overflow-x-auto px-2 whitespace-nowrap text-fg3"
    >
      {bar !== undefined &&
        (['open', 'high', 'low', 'close'] as const).map((name) => (
          <span key={name}>
            {t(`chart.short.${name}`)} <span className={rose ? 'text-up' : 'text-down'}>{price(bar[name])}</span>
          </span>
        ))}
      {legend?.values.map(({ name, value, colour }) => (
        <span key={name} className="flex items-center gap-1">
          <span className="size-2 rounded-full" style={{ background: colour }} />
          {name} {price(value)}
        </span>
      ))}
    </div>
  )
}
