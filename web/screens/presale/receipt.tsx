import type { Decimal } from '@candor/core/money/brand.ts'
import { CircleCheck } from 'lucide-react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Amount } from '../../parts/ui/figure.tsx'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import type { OwnPresaleDetail } from '../../parts/presale/api.ts'

/** What was subscribed, and when the tokens are allocated. */
export function Receipt({ presale, amount }: { readonly presale: OwnPresaleDetail; readonly amount: Decimal }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { own, payAsset, endsAt } = presale
  return (
    <>
      <div role="status" className="flex flex-col items-center gap-1 pt-2 pb-5 text-center">
        <CircleCheck size={44} strokeWidth={1.5} aria-hidden className="mb-1 text-ok" />
        <span className="text-13 text-fg2">{t('presale.youSubscribed')}</span>
        <Amount
          value={amount}
          asset={payAsset}
          isFull
          isPrivate={false}
          className="max-w-full text-28 font-semibold break-words whitespace-normal!"
        />
      </div>
      <dl>
        {own !== null && (
          <>
            <SummaryRow label={t('presale.total')}>{`${format.sum(own.amount, payAsset, true)} ${payAsset}`}</SummaryRow>
            <SummaryRow label={t('presale.purchasedAt')}>{format.dateTime(own.lastAt)}</SummaryRow>
          </>
        )}
        <SummaryRow label={t('presale.allocatedAt')}>{format.dateTime(endsAt)}</SummaryRow>
      </dl>
    </>
  )
}
