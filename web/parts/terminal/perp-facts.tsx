import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useFormats } from '../../app/format.ts'
import { useIsStale } from '../../app/quotes.ts'
import { useTranslation } from '../../app/translate.ts'
import { Term } from '../help/term.tsx'
import { FundingFigure, IndexPaused } from '../perp/funding.tsx'
import { useMark } from '../perp/marks.ts'

/** Mark and index price and the funding of a perp market, and why it pauses. */
export function PerpFacts({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const format = useFormats()
  const mark = useMark(market.symbol)
  const isStale = useIsStale()
  const rows = [
    ['mark', mark?.mark],
    ['index', mark?.index],
  ] as const
  return (
    <>
      <IndexPaused symbol={market.symbol} />
      <dl className={isStale ? 'opacity-50' : ''}>
        {rows.map(([id, value]) => (
          <div key={id}>
            <dt>
              <Term id={id}>{t(`perp.${id}`)}</Term>
            </dt>
            <dd className="tn">{value === undefined ? '–' : format.number(value, market.priceDigits, market.priceDigits)}</dd>
          </div>
        ))}
        <FundingFigure market={market} />
      </dl>
    </>
  )
}
