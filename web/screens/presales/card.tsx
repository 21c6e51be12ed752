import { BadgeCheck, ChevronRight, IdCard, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { acting } from '../../app/firm/acting.ts'
import { useFormats } from '../../app/format.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { useIsCertified } from '../../parts/account/certify-gate.tsx'
import { Coin } from '../../parts/funds/coin.tsx'
import { Bar } from '../../parts/presale/bar.tsx'
import { StandingChip, StateChip } from '../../parts/presale/chip.tsx'
import { type Group, standingOf, wordOf } from '../../parts/presale/standing.ts'
import { Amount } from '../../parts/ui/figure.tsx'
import type { OwnPresale } from '../../parts/presale/api.ts'

/** A presale in the list. The whole card leads to its page. */
export function Card({ presale, group, now }: { readonly presale: OwnPresale; readonly group: Group; readonly now: number }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { number, title, symbol, payAsset, price, startsAt, endsAt, supply, lockDays, subscribers, subscribed, ratePercent } = presale
  const rate = format.percent(ratePercent)
  return (
    <a href={`#/sellDetail?id=${number}`} className="flex flex-col gap-4 rounded-card bg-s1 p-4 active:bg-s2">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <Coin asset={symbol} size={40} />
        <div className="flex min-w-32 flex-1 flex-col">
          <h3 className="text-15 font-semibold text-pretty break-words">{title}</h3>
          <p className="tn text-13 text-fg2">{t('presale.priceOf', { one: symbol, sum: `${format.number(price, 0, 18)} ${payAsset}` })}</p>
        </div>
        <StateChip word={wordOf(presale)} />
      </div>
      <div className="flex flex-col gap-1.5">
        <Bar percent={Math.min(100, Number(ratePercent))} label={t('presale.rate')} text={rate} />
        <p className="tn flex flex-wrap justify-between gap-x-3 text-12 text-fg2">
          <span>{t('presale.rateIs', { percent: rate })}</span>
          <TimeLeft group={group} presale={presale} now={now} />
        </p>
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3">
        <Fact label={t('presale.startsAt')}>{format.dateTime(startsAt)}</Fact>
        <Fact label={t('presale.endsAt')}>{format.dateTime(endsAt)}</Fact>
        <Fact label={t('presale.supply')}>{`${format.sum(supply, symbol)} ${symbol}`}</Fact>
        <Fact label={t('presale.subscribed')}>{`${format.sum(subscribed, payAsset)} ${payAsset}`}</Fact>
        <Fact label={t('presale.participating')}>{format.number(subscribers)}</Fact>
        <Fact label={t('presale.lockUp')}>{lockDays === 0 ? t('presale.noLock') : t('presale.days', { count: lockDays })}</Fact>
      </dl>
      <Own presale={presale} />
      {group !== 'ended' && (
        <div className="flex items-center justify-between gap-3 border-t border-line pt-3">
          <Eligibility />
          <ChevronRight size={18} strokeWidth={1.75} aria-hidden className="shrink-0 text-fg3" />
        </div>
      )}
    </a>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-12 text-fg3">{label}</dt>
      <dd className="tn text-13 font-medium break-words">{children}</dd>
    </div>
  )
}

/** In whole days, hours or minutes: nothing ticks, because nobody should hurry. */
function TimeLeft({
  group,
  presale: { startsAt, endsAt },
  now,
}: {
  readonly group: Group
  readonly presale: OwnPresale
  readonly now: number
}) {
  const { t } = useTranslation()
  const format = useFormats()
  if (group === 'ended') return null
  const isLive = group === 'live'
  return <span>{t(isLive ? 'presale.endsIn' : 'presale.startsIn', { when: format.ago(isLive ? endsAt : startsAt, now) })}</span>
}

/** The customer's own subscription, and what it got. */
function Own({ presale: { own } }: { readonly presale: OwnPresale }) {
  const { t } = useTranslation()
  if (own === null) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-control bg-s2 px-3 py-2.5">
      <p className="flex min-w-0 flex-col text-13 font-semibold">
        <span className="text-12 font-normal text-fg2">{t(own.allocated === null ? 'presale.ownSubscribed' : 'presale.ownAllocated')}</span>
        {own.allocated === null ? <Amount value={own.amount} asset={own.payAsset} /> : <Amount value={own.allocated} asset={own.symbol} />}
      </p>
      <StandingChip standing={standingOf(own)} />
    </div>
  )
}

/** Whether this person, or the account of a firm for which they act, can take part. */
function Eligibility() {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const isCertified = useIsCertified()
  const word = isVisitor ? 'visitor' : acting?.kind === 'sub' ? 'sub' : isCertified ? 'yes' : 'no'
  const Icon = word === 'yes' ? BadgeCheck : word === 'sub' ? Info : IdCard
  return (
    <span className={`inline-flex items-center gap-1.5 text-12 font-medium ${word === 'yes' ? 'text-ok' : 'text-fg2'}`}>
      <Icon size={16} strokeWidth={1.75} aria-hidden className="shrink-0" />
      {t(`presale.eligible.${word}`)}
    </span>
  )
}
