import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Coin } from '../../parts/funds/coin.tsx'
import { Bar } from '../../parts/presale/bar.tsx'
import { StandingChip, StateChip } from '../../parts/presale/chip.tsx'
import { LockedBar } from '../../parts/presale/locked-bar.tsx'
import { type Group, isNone, standingOf, wordOf } from '../../parts/presale/standing.ts'
import { Amount } from '../../parts/ui/figure.tsx'
import type { OwnPresaleDetail } from '../../parts/presale/api.ts'

/** Token, price, demand and time left, with the customer's own part. */
export function Head({ presale, group, now }: { readonly presale: OwnPresaleDetail; readonly group: Group; readonly now: number }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { title, symbol, payAsset, price, ratePercent, subscribers, startsAt, endsAt } = presale
  const rate = format.percent(ratePercent)
  return (
    <section aria-label={t('presale.summary')} className="flex flex-col gap-4 rounded-card bg-s1 p-4">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <Coin asset={symbol} size={44} />
        <div className="flex min-w-32 flex-1 flex-col">
          <h2 className="text-17 font-semibold text-pretty break-words">{title}</h2>
          <p className="tn text-13 text-fg2">{t('presale.priceOf', { one: symbol, sum: `${format.number(price, 0, 18)} ${payAsset}` })}</p>
        </div>
        <StateChip word={wordOf(presale)} />
      </div>
      <div className="flex flex-col gap-1.5">
        <Bar percent={Math.min(100, Number(ratePercent))} label={t('presale.rate')} text={rate} />
        <p className="tn flex flex-wrap justify-between gap-x-3 text-12 text-fg2">
          <span>{t('presale.rateIs', { percent: rate })}</span>
          <span>{t('presale.people', { count: subscribers, number: format.number(subscribers) })}</span>
        </p>
      </div>
      {group !== 'ended' && (
        <p className="text-13 text-fg2">
          {group === 'live'
            ? t('presale.endsIn', { when: format.ago(endsAt, now) })
            : t('presale.startsIn', { when: format.ago(startsAt, now) })}
        </p>
      )}
      <Own presale={presale} />
    </section>
  )
}

function Own({ presale: { own } }: { readonly presale: OwnPresaleDetail }) {
  const { t } = useTranslation()
  if (own === null) return null
  return (
    <div className="flex flex-col gap-3 rounded-control bg-s2 px-3 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="flex min-w-0 flex-col text-15 font-semibold">
          <span className="text-12 font-normal text-fg2">{t('presale.ownSubscribed')}</span>
          <Amount value={own.amount} asset={own.payAsset} />
        </p>
        <StandingChip standing={standingOf(own)} />
      </div>
      {!isNone(own.allocated) && <LockedBar subscription={own} />}
      <a href="#/Sellrecord" className="-my-1.5 flex min-h-11 items-center text-13 font-semibold text-brand">
        {t('presale.mine')}
      </a>
    </div>
  )
}
