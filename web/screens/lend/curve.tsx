import type { WireMarginTerms } from '@candor/core/protocol/wire/margin.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { curveOf, yOf } from './points.ts'

const size = { width: 320, height: 120 } as const

/** A chart of the hourly rate by the pool's utilization, with the pool's current point. `used` and `rate` in percent. */
export function RateCurve({ terms, used, rate }: { readonly terms: WireMarginTerms; readonly used: number; readonly rate: number }) {
  const { t } = useTranslation()
  const format = useFormats()
  const points = curveOf(terms, size)
  const line = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
  const kink = points[1]
  const now = { x: (used / 100) * size.width, y: yOf(terms, rate, size) }
  const percent = (value: string | number): string => format.percent(value, 4)
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="text-12 font-medium text-fg2">{t('lend.curve')}</figcaption>
      <svg
        role="img"
        viewBox={`-6 -8 ${size.width + 12} ${size.height + 16}`}
        className="w-full text-brand"
        aria-label={t('lend.curveSays', {
          zero: percent(terms.rateZero),
          kink: percent(terms.rateKink),
          at: format.percent(Number(terms.kink) * 100, 0),
          full: percent(terms.rateFull),
          now: percent(rate),
          used: format.percent(used, 1),
        })}
      >
        <path d={`${line}L${size.width} ${size.height}L0 ${size.height}Z`} fill="currentColor" opacity={0.1} />
        <path d={`M0 ${size.height}H${size.width}`} stroke="var(--line)" />
        {kink !== undefined && <path d={`M${kink.x} 0V${size.height}`} stroke="var(--fg3)" strokeDasharray="3 4" opacity={0.6} />}
        <path d={line} fill="none" stroke="currentColor" strokeWidth={2} strokeLinejoin="round" strokeLinecap="round" />
        <path d={`M${now.x} ${now.y}V${size.height}`} stroke="currentColor" strokeDasharray="2 3" />
        <circle cx={now.x} cy={now.y} r={5} fill="currentColor" stroke="var(--s1)" strokeWidth={2} />
      </svg>
      <div aria-hidden className="tn flex justify-between text-11 text-fg3">
        <span>{`${format.percent(0, 0)} · ${percent(terms.rateZero)}`}</span>
        <span>{`${format.percent(Number(terms.kink) * 100, 0)} · ${percent(terms.rateKink)}`}</span>
        <span>{`${format.percent(100, 0)} · ${percent(terms.rateFull)}`}</span>
      </div>
    </figure>
  )
}
