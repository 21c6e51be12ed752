import type { Decimal } from '@candor/core/money/brand.ts'
import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'

/** The rate of two coins. A tap shows it the other way round. */
export function Rate({
  from,
  to,
  rate,
  inverse,
  isAbout = false,
}: {
  readonly from: string
  readonly to: string
  readonly rate: Decimal
  readonly inverse: Decimal
  readonly isAbout?: boolean
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const [isTurned, setIsTurned] = useState(false)
  // The larger number first: 1 BTC = 64,000 USDT is easier to read than 1 USDT = 0.000015625 BTC.
  const isInverse = Number(rate) < 1 !== isTurned
  const [one, other, value] = isInverse ? [to, from, inverse] : [from, to, rate]
  const sum = `${format.number(value, 0, 18)} ${other}`
  return (
    <button
      type="button"
      title={t('convert.turnRate')}
      onClick={() => setIsTurned(!isTurned)}
      className="inline-flex min-h-8 items-center justify-end gap-1.5 text-end font-medium"
    >
      <span className="min-w-0 [overflow-wrap:anywhere]">{t(isAbout ? 'convert.rateAbout' : 'convert.rateOf', { one, sum })}</span>
      <ArrowLeftRight size={14} strokeWidth={1.75} aria-hidden className="shrink-0 text-brand" />
    </button>
  )
}
