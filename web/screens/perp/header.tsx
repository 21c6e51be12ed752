import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useFormats } from '../../app/format.ts'
import { useIsStale } from '../../app/quotes.ts'
import { useTranslation } from '../../app/translate.ts'
import { DeskHeader } from '../../parts/desk/header.tsx'
import { Term, termLook } from '../../parts/help/term.tsx'
import { FundingFigure, IndexPaused } from '../../parts/perp/funding.tsx'
import { useMark } from '../../parts/perp/marks.ts'
import { DayStats } from '../../parts/desk/day-stats.tsx'

/** The desk's header with mark price, index price and funding. */
export function Header({
  market,
  hasChart,
  onChart,
}: {
  readonly market: WireMarket
  readonly hasChart: boolean
  readonly onChart: () => void
}) {
  const { t } = useTranslation()
  return (
    <DeskHeader
      market={market}
      home="/contract"
      title={t('trade.futures')}
      badge={t('trade.perp')}
      hasChart={hasChart}
      onChart={onChart}
      belowPrice={<References market={market} />}
      day={
        <DayStats market={market}>
          <FundingFigure market={market} />
        </DayStats>
      }
    >
      <IndexPaused symbol={market.symbol} />
    </DeskHeader>
  )
}

/** Mark and index price. */
function References({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const format = useFormats()
  const mark = useMark(market.symbol)
  const isStale = useIsStale()
  const rows = [
    ['mark', mark?.mark],
    ['index', mark?.index],
  ] as const
  return (
    <div className="relative">
      <dl className={`flex flex-col gap-0.5 text-11 ${isStale ? 'opacity-50' : ''}`}>
        {rows.map(([id, value]) => (
          <div key={id} className="flex gap-1.5">
            <dt className={`text-fg3 ${termLook}`}>{t(`perp.${id}`)}</dt>
            <dd className="tn text-fg2">{value === undefined ? '–' : format.number(value, market.priceDigits, market.priceDigits)}</dd>
          </div>
        ))}
      </dl>
      {/* Two lines of small type are too close to each other for a thumb: together they are one place to tap. */}
      <Term id="mark" covers={`${t('perp.mark')}, ${t('perp.index')}`} />
    </div>
  )
}
