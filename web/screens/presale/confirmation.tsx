import type { Decimal } from '@candor/core/money/brand.ts'
import type { ReactNode } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { Prose } from './prose.tsx'
import { refundText, releaseText, sharingText } from './words.ts'
import type { OwnPresaleDetail } from '../../parts/presale/api.ts'

/** Everything to know before the money leaves: sums, lock-up, releases, refunds and the use of the funds. */
export function Confirmation({
  presale,
  amount,
  total,
  error,
}: {
  readonly presale: OwnPresaleDetail
  readonly amount: Decimal
  readonly total: Decimal
  readonly error: Error | null
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { symbol, payAsset, price, release, endsAt, schedule } = presale
  const sum = (value: Decimal): string => `${format.sum(value, payAsset, true)} ${payAsset}`
  const last = schedule.at(-1)?.at ?? endsAt
  return (
    // A section that the keyboard can scroll, because it is longer than the sheet and has no control.
    <section tabIndex={0} aria-label={t('presale.confirmTitle')} className="flex flex-col gap-4">
      <dl>
        <SummaryRow label={t(presale.own === null ? 'presale.amount' : 'presale.more')}>{sum(amount)}</SummaryRow>
        <SummaryRow label={t('presale.total')}>{sum(total)}</SummaryRow>
        <SummaryRow label={t('presale.price')}>
          {t('presale.priceOf', { one: symbol, sum: `${format.number(price, 0, 18)} ${payAsset}` })}
        </SummaryRow>
        <SummaryRow label={t('presale.lockUp')}>
          {release.lockDays === 0 ? t('presale.noLock') : t('presale.days', { count: release.lockDays })}
        </SummaryRow>
        <SummaryRow label={t('presale.firstRelease')}>{format.dateTime(endsAt)}</SummaryRow>
        <SummaryRow label={t('presale.lastRelease')}>{format.dateTime(last)}</SummaryRow>
      </dl>
      <p className="rounded-control bg-warntint px-3 py-2.5 text-13 text-warn">{t('presale.final')}</p>
      <Point title={t('presale.lockUp')}>{releaseText(presale, t, format)}</Point>
      <Point title={t('presale.refundTitle')}>{refundText(presale, t, format)}</Point>
      <Point title={t('presale.sharingTitle')}>{sharingText(presale, t, format)}</Point>
      <section className="flex flex-col gap-1">
        <h3 className="text-13 font-semibold">{t('presale.useOfFunds')}</h3>
        <Prose presale={presale} text={presale.useOfFunds} />
      </section>
      <FormError error={error} />
    </section>
  )
}

function Point({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-1">
      <h3 className="text-13 font-semibold">{title}</h3>
      <p className="text-13 text-pretty text-fg2">{children}</p>
    </section>
  )
}
