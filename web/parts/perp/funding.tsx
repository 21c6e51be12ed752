import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { Suspense, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { clockOf, useCountdown } from '../ui/countdown.ts'
import { laterSheet } from '../ui/later.tsx'
import { useMark } from './marks.ts'

const FundingSheet = laterSheet(() => import('./funding-sheet.tsx').then((module) => module.FundingSheet))

/** The current funding rate and its countdown; a tap explains funding. */
export function FundingFigure({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const format = useFormats()
  const mark = useMark(market.symbol)
  const left = useCountdown(mark?.fundingAt)
  const [isOpen, setIsOpen] = useState(false)
  const rate = mark === undefined ? '–' : format.percent(mark.fundingRate, 4)
  return (
    <div className="flex justify-between gap-3">
      <dt className="text-fg3">
        <button type="button" onClick={() => setIsOpen(true)} className="tn underline decoration-dotted underline-offset-2">
          {t('perp.funding')}
        </button>
      </dt>
      <dd className="tn text-fg2">
        {rate}
        {isOpen && (
          <Suspense fallback={null}>
            <FundingSheet market={market} onClose={() => setIsOpen(false)} />
          </Suspense>
        )}
      </dd>
      <dd className="tn text-fg3">{mark === undefined ? '–' : clockOf(left)}</dd>
    </div>
  )
}

/** Explains that a perp market is not open, and the effect on orders and positions. */
export function IndexPaused({ symbol }: { readonly symbol: string }) {
  const { t } = useTranslation()
  const phase = useMark(symbol)?.phase
  if (phase === undefined || phase === 'open') return null
  return (
    <p role="status" className="rounded-chip bg-warntint px-2.5 py-1.5 text-12 text-fg2">
      {t(`positions.phase.${phase}`)}
    </p>
  )
}
