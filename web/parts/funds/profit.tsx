import type { Decimal } from '@candor/core/money/brand.ts'
import { useFormats } from '../../app/format.ts'
import { useSettings } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'

/** A profit or loss in USDT or `asset`, with sign and colour, masked when balances are hidden. */
export function Profit({
  value,
  asset,
  isPercent = false,
  className = '',
}: {
  readonly value: Decimal
  readonly asset?: string
  readonly isPercent?: boolean
  readonly className?: string
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const isHidden = useSettings((settings) => settings.hideBalances) && !isPercent
  if (isHidden) {
    return (
      <span className={className} role="img" aria-label={t('common.hidden')}>
        ••••••
      </span>
    )
  }
  const number = Number(value)
  const tone = number > 0 ? 'text-up' : number < 0 ? 'text-down' : 'text-fg2'
  const size = value.replace(/^-/, '')
  const sign = number > 0 ? '+' : number < 0 ? '−' : ''
  return (
    <span className={`tn whitespace-nowrap ${tone} ${className}`}>
      {sign}
      {isPercent ? format.percent(size) : format.sum(size, asset ?? 'USDT')}
      {asset !== undefined && ` ${asset}`}
    </span>
  )
}
