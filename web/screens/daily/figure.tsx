import type { Decimal } from '@candor/core/money/brand.ts'
import { useFormats } from '../../app/format.ts'
import { useSettings } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'

/** Colour of a profit or loss. */
export function toneOf(value: number): string {
  return value > 0 ? 'text-up' : value < 0 ? 'text-down' : 'text-fg2'
}

/** A profit or loss with its sign, masked when balances are hidden; a dash while a price is missing. */
export function Gain({
  value,
  unit,
  className = '',
}: {
  readonly value: Decimal | number | null | undefined
  readonly unit?: string
  readonly className?: string
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const isHidden = useSettings((settings) => settings.hideBalances)
  if (isHidden)
    return (
      <span role="img" aria-label={t('common.hidden')} className={className}>
        ••••
      </span>
    )
  if (value === null || value === undefined)
    return (
      <span className={`text-fg3 ${className}`}>
        <span aria-hidden>–</span>
        <span className="sr-only">{t('daily.missing')}</span>
      </span>
    )
  // Less than half a hundredth is shown as nothing.
  const number = Math.abs(Number(value)) < 0.005 ? 0 : Number(value)
  return (
    <span className={`tn whitespace-nowrap ${toneOf(number)} ${className}`}>
      {number > 0 ? '+' : ''}
      {format.number(number === 0 ? 0 : value, 2, 2).replace('-', '−')}
      {unit === undefined ? '' : ` ${unit}`}
    </span>
  )
}
