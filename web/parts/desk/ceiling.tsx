import type { WireLeverageCeiling } from '@candor/core/protocol/wire/user.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'

/** The user's own leverage limit with its reason, if it is below the market's maximum. */
export function CeilingLine({ ceiling, most }: { readonly ceiling: WireLeverageCeiling | null; readonly most: number }) {
  const { t } = useTranslation()
  const format = useFormats()
  if (ceiling === null || ceiling.leverage >= most) return null
  const { leverage, reason, until } = ceiling
  const says =
    reason === 'new' && until !== null
      ? t('trade.ceiling.new', { leverage, date: format.dateTime(until) })
      : t('trade.ceiling.region', { leverage })
  return <p className="rounded-control bg-warntint px-3 py-2 text-12 text-fg2">{says}</p>
}
