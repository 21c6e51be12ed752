import type { WireReferral, WireReferralTerms } from '@candor/core/protocol/wire/referral/referral.ts'
import { Check } from 'lucide-react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { digitsOf, nextTier } from './summary.ts'

/** The tiers, the present one, and what is missing for the next. */
export function Tiers({ terms: { tiers }, own }: { readonly terms: WireReferralTerms; readonly own: WireReferral }) {
  const { t } = useTranslation()
  const format = useFormats()
  const progress = nextTier(tiers, own.tier, own.volume)
  return (
    <section className="flex flex-col gap-2 px-4">
      <h2 className="text-17 font-semibold">{t('referral.tiers')}</h2>
      <div className="flex flex-col gap-3 rounded-card bg-s1 p-4">
        <p className="flex flex-wrap justify-between gap-x-4 text-13">
          <span className="text-fg2">{t('referral.volume')}</span>
          <span className="tn font-semibold">{format.usdt(own.volume)} USDT</span>
        </p>
        {progress !== undefined && (
          <>
            <div
              role="progressbar"
              aria-label={t('referral.volume')}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={Math.floor(progress.percent)}
              className="h-2 overflow-hidden rounded-full bg-s2"
            >
              <div className="h-full rounded-full bg-brand" style={{ width: `${progress.percent}%` }} />
            </div>
            <p className="text-12 text-fg2">
              {t('referral.missing', {
                sum: `${format.usdt(progress.missing.toFixed(2))} USDT`,
                share: format.percent(progress.next.sharePercent, digitsOf(progress.next.sharePercent)),
              })}
            </p>
          </>
        )}
        <ul className="flex flex-col">
          {tiers.map(({ volumeMin, sharePercent }, n) => (
            <li
              key={volumeMin}
              aria-current={n === own.tier ? 'true' : undefined}
              className={`flex min-h-11 items-center gap-3 text-13 [&+&]:border-t [&+&]:border-line ${n === own.tier ? 'font-semibold' : 'text-fg2'}`}
            >
              <span className="tn flex-1">{t('referral.from', { volume: `${format.number(volumeMin)} USDT` })}</span>
              <span className="tn">{format.percent(sharePercent, digitsOf(sharePercent))}</span>
              <span className="flex w-4 text-brand">{n === own.tier && <Check size={16} strokeWidth={2} aria-hidden />}</span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
