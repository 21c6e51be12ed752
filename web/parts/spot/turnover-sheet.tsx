import type { Decimal } from '@candor/core/money/brand.ts'
import { useEffect } from 'react'
import { useFormats } from '../../app/format.ts'
import { refreshMe } from '../../app/me.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { leftOf } from '../funds/turnover.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Sheet, SummaryRow } from '../ui/sheet.tsx'

const dayMs = 86_400_000

/** `rests`: the pair in whose book the order would have waited, although it is not priced in USDT. */
type TurnoverProps = { readonly onClose: () => void; readonly rests: { readonly pair: string; readonly quote: string } | undefined }

/**
 * The answer to an order that was too much for an unverified user's day: why, what is left, when it starts anew, and the way to the
 * identity check.
 */
export function TurnoverSheet({ onClose, rests }: TurnoverProps) {
  const { t } = useTranslation()
  const format = useFormats()
  const turnover = useMe()?.turnover
  useEffect(() => void refreshMe().catch(() => undefined), [])
  const money = (value: string): string => `${format.usdt(value as Decimal)} USDT`
  const now = Date.now()
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('certify.daily')}
      footer={
        <ButtonLink to="/kyc" isWide>
          {t('certify.certify')}
        </ButtonLink>
      }
    >
      <p className="text-15">
        {rests !== undefined
          ? t('certify.dailyRests', rests)
          : turnover == null
            ? t('refusals.TURNOVER_LIMIT')
            : t('certify.dailyWhy', { limit: money(turnover.limit) })}
      </p>
      {turnover != null && (
        <dl className="mt-2">
          <SummaryRow label={t('certify.dailyLimit')}>{money(turnover.limit)}</SummaryRow>
          <SummaryRow label={t('certify.dailyUsed')}>{money(turnover.used)}</SummaryRow>
          <SummaryRow label={t('certify.dailyOpen')}>{money(turnover.open)}</SummaryRow>
          <SummaryRow label={t('certify.dailyLeft')}>{money(leftOf(turnover))}</SummaryRow>
          <SummaryRow label={t('certify.dailyResets')}>{format.dateTime(now - (now % dayMs) + dayMs)}</SummaryRow>
        </dl>
      )}
    </Sheet>
  )
}
